package dev.pitwall.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The site file of a lab: everything a client needs to connect to it. Each server adds its part. File names in it are
 * relative to the file.
 */
public final class LabSite {
    private final ObjectMapper json = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private final ObjectNode root = json.createObjectNode();

    LabSite(String name) {
        root.put("name", name);
        root.put("lab", true);
    }

    /** @param fingerprint SHA-256 of the certificate, upper-case hex with colons */
    public void proxmox(String name, URI url, String token, String secret, String fingerprint) {
        list("proxmox").addObject().put("name", name).put("url", url.toString()).put("token", token)
                .put("secret", secret).put("fingerprint", fingerprint);
    }

    /**
     * @param role    {@code proxmox-host}, {@code node} or {@code jump}
     * @param keyFile name of the private key's file in the lab's folder
     * @param hostKey {@code SHA256:…}
     */
    public void ssh(String name, String role, int port, String user, String keyFile, String hostKey) {
        list("ssh").addObject().put("name", name).put("role", role).put("host", "127.0.0.1").put("port", port)
                .put("user", user).put("keyFile", keyFile).put("hostKey", hostKey);
    }

    /** @param kubeconfig name of the file in the lab's folder */
    public void cluster(String kubeconfig, String context) {
        ObjectNode cluster = root.putObject("cluster");
        cluster.putArray("kubeconfig").add(kubeconfig);
        cluster.put("context", context);
    }

    public void prometheus(URI url) {
        root.putObject("prometheus").put("url", url.toString());
    }

    public void modelServer(String name, URI url, Optional<String> node) {
        ObjectNode server = list("modelServers").addObject().put("name", name).put("url", url.toString());
        node.ifPresent(value -> server.put("node", value));
    }

    /**
     * An address from which something is fetched instead of from its makers.
     *
     * @param supply its name in a site file, for example {@code gpu-operator-charts}
     */
    public void source(String supply, URI url) {
        root.withObjectProperty("sources").put(supply, url.toString());
    }

    /** @param talosconfig name of the file in the lab's folder */
    public void talos(String talosconfig, String context) {
        root.putObject("talos").put("talosconfig", talosconfig).put("context", context);
    }

    /** Writes {@code site.json}, readable by its owner only, since it holds the lab's secrets. */
    Path write(Path dir) throws IOException {
        Path file = dir.resolve("site.json");
        PrivateFile.write(file, json.writeValueAsBytes(root));
        return file;
    }

    private ArrayNode list(String name) {
        return root.withArray(name);
    }
}
