package dev.pitwall.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ServerAccess;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import dev.pitwall.site.TalosAccess;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes a site. {@link SiteReader} reads it. */
final class SiteWriter {
    private final JsonNodeFactory nodes = JsonNodeFactory.instance;
    private final SiteForm form;
    private final Path folder;

    /** @param folder the site file's, for relative paths */
    SiteWriter(SiteForm form, Path folder) {
        this.form = form;
        this.folder = folder;
    }

    String write(Site site) {
        ObjectNode json = nodes.objectNode();
        if (form == SiteForm.KEPT) {
            json.put("id", site.id());
        }
        json.put("name", site.name());
        if (site.lab()) {
            json.put("lab", true);
        }
        ArrayNode proxmox = nodes.arrayNode();
        site.proxmox().forEach(access -> proxmox.add(proxmox(access)));
        putIfAny(json, "proxmox", proxmox);
        ArrayNode shells = nodes.arrayNode();
        site.shells().forEach(access -> shells.add(shell(access, site.shells())));
        putIfAny(json, "ssh", shells);
        site.cluster().ifPresent(access -> json.set("cluster", cluster(access)));
        site.metrics().ifPresent(access -> json.set("prometheus", endpoint(nodes.objectNode(), access.endpoint())));
        ArrayNode servers = nodes.arrayNode();
        site.servers().forEach(access -> servers.add(server(access)));
        putIfAny(json, "modelServers", servers);
        site.talos().ifPresent(access -> json.set("talos", talos(access)));
        if (!site.sources().isEmpty()) {
            json.set("sources", sources(site.sources()));
        }
        return json.toPrettyString() + "\n";
    }

    private ObjectNode sources(Map<String, URI> sources) {
        ObjectNode json = nodes.objectNode();
        new TreeMap<>(sources).forEach((supply, url) -> json.put(supply, url.toString()));
        return json;
    }

    private static void putIfAny(ObjectNode json, String field, ArrayNode items) {
        if (!items.isEmpty()) {
            json.set(field, items);
        }
    }

    private ObjectNode proxmox(ProxmoxAccess access) {
        ObjectNode json = nodes.objectNode().put("name", access.name()).put("url", access.url().toString());
        switch (access.login()) {
            case ProxmoxAccess.Token(String id, SecretRef secret) -> {
                json.put("token", id);
                putRef(json, "secretRef", secret);
            }
            case ProxmoxAccess.Password(String user, SecretRef secret) -> {
                json.put("user", user);
                putRef(json, "passwordRef", secret);
            }
        }
        access.fingerprint().ifPresent(pin -> json.put("fingerprint", pin));
        return json;
    }

    private ObjectNode shell(ShellAccess access, List<ShellAccess> all) {
        ObjectNode json = nodes.objectNode().put("name", access.name()).put("role", Fields.word(access.role()))
                .put("host", access.host()).put("port", access.port()).put("user", access.user());
        switch (access.login()) {
            case ShellAccess.KeyFile(Path file, Optional<SecretRef> passphrase) -> {
                json.put("keyFile", path(file));
                passphrase.ifPresent(ref -> putSecret(json, "passphrase", ref));
            }
            case ShellAccess.Agent() -> json.put("agent", true);
            case ShellAccess.Password(SecretRef secret) -> putSecret(json, "password", secret);
        }
        access.hostKey().ifPresent(pin -> json.put("hostKey", pin));
        access.jump().ifPresent(jump -> {
            if (isTheOnly(jump, all)) {
                json.put("jump", jump.name());
            } else {
                json.set("jump", shell(jump, all));
            }
        });
        return json;
    }

    /** A jump is written by name where the name says which one is meant. */
    private static boolean isTheOnly(ShellAccess jump, List<ShellAccess> all) {
        List<ShellAccess> named = all.stream().filter(access -> access.name().equals(jump.name())).toList();
        return named.size() == 1 && named.getFirst().equals(jump);
    }

    /** In a file, the field stays with {@code null}: it says that there is a secret, which has to be asked for. */
    private void putSecret(ObjectNode json, String field, SecretRef ref) {
        if (form == SiteForm.FILE) {
            json.putNull(field);
        }
        putRef(json, field + "Ref", ref);
    }

    private void putRef(ObjectNode json, String field, SecretRef ref) {
        if (form == SiteForm.KEPT) {
            json.put(field, ref.key());
        }
    }

    private ObjectNode talos(TalosAccess access) {
        ObjectNode json = nodes.objectNode().put("talosconfig", path(access.talosconfig()));
        access.context().ifPresent(context -> json.put("context", context));
        return json;
    }

    private ObjectNode cluster(ClusterAccess access) {
        ObjectNode json = nodes.objectNode();
        ArrayNode files = json.putArray("kubeconfig");
        access.kubeconfigs().forEach(file -> files.add(path(file)));
        access.context().ifPresent(context -> json.put("context", context));
        return json;
    }

    private ObjectNode server(ServerAccess access) {
        ObjectNode json = endpoint(nodes.objectNode().put("name", access.name()), access.endpoint());
        access.node().ifPresent(node -> json.put("node", node));
        return json;
    }

    private static ObjectNode endpoint(ObjectNode json, Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Url(var url) -> json.put("url", url.toString());
            case Endpoint.Service(String namespace, String name, int port, String scheme) ->
                    json.put("service", namespace + "/" + name + ":" + port).put("scheme", scheme);
            case Endpoint.Pod(String namespace, String name, int port, String scheme) ->
                    json.put("pod", namespace + "/" + name + ":" + port).put("scheme", scheme);
        };
    }

    private String path(Path path) {
        if (form == SiteForm.KEPT) {
            return path.toString();
        }
        Path absolute = path.toAbsolutePath().normalize();
        return absolute.startsWith(folder)
                ? folder.relativize(absolute).toString().replace(File.separatorChar, '/') : absolute.toString();
    }
}
