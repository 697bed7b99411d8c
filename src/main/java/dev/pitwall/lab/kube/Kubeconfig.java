package dev.pitwall.lab.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.net.LabAuthority.ClientIdentity;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A kubeconfig file for one lab cluster. The first context that is added is the current one. */
final class Kubeconfig {
    private final YAMLMapper yaml = YAMLMapper.builder().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER).build();
    private final String cluster;
    private final ObjectNode root = yaml.createObjectNode();

    Kubeconfig(String cluster, URI server, String caPem) {
        this.cluster = cluster;
        root.put("apiVersion", "v1").put("kind", "Config");
        root.putArray("clusters").addObject().put("name", cluster).putObject("cluster")
                .put("server", server.toString()).put("certificate-authority-data", base64(caPem));
        root.putArray("contexts");
        root.putArray("users");
        root.putObject("preferences");
    }

    Kubeconfig withCertificate(String context, ClientIdentity identity) {
        user(context).put("client-certificate-data", base64(identity.certificatePem()))
                .put("client-key-data", base64(identity.keyPem()));
        return this;
    }

    Kubeconfig withToken(String context, String token) {
        user(context).put("token", token);
        return this;
    }

    private ObjectNode user(String context) {
        ArrayNode contexts = (ArrayNode) root.path("contexts");
        contexts.addObject().put("name", context).putObject("context").put("cluster", cluster)
                .put("user", context + "-user");
        if (!root.has("current-context")) {
            root.put("current-context", context);
        }
        return ((ArrayNode) root.path("users")).addObject().put("name", context + "-user").putObject("user");
    }

    byte[] bytes() {
        try {
            return yaml.writeValueAsBytes(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a kubeconfig cannot be written", e);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
