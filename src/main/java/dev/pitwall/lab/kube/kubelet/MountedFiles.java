package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.container.TokenSource;
import dev.pitwall.lab.kube.object.Named;
import dev.pitwall.lab.world.World;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a container's volume mounts show it. */
final class MountedFiles {
    private final World world;
    private final Config config;

    MountedFiles(World world, Config config) {
        this.world = world;
        this.config = config;
    }

    /**
     * One mount.
     *
     * @param path     in the container
     * @param files    by absolute path in the container
     * @param writable what is written there stays in the container
     */
    record Mount(String path, Map<String, String> files, boolean writable) {
        boolean holds(String file) {
            return file.equals(path) || file.startsWith(path + "/");
        }
    }

    /** Whose pod, and where it is. */
    record Owner(JsonNode pod, JsonNode container, String node, String address, String hostAddress, TokenSource tokens,
                 List<Run.Neighbour> before) {
        String namespace() {
            return pod.at("/metadata/namespace").asText();
        }
    }

    List<Mount> of(Owner owner) {
        List<Mount> mounts = new ArrayList<>();
        for (JsonNode mount : owner.container().path("volumeMounts")) {
            JsonNode volume = Named.find(owner.pod().at("/spec/volumes"), mount.path("name").asText());
            String path = mount.path("mountPath").asText().replaceFirst("(?<=.)/+$", "");
            String below = mount.path("subPath").asText("");
            Map<String, String> files = new TreeMap<>();
            content(owner, volume).forEach((file, text) -> {
                if (below.isEmpty()) {
                    files.put((path.equals("/") ? "" : path) + "/" + file, text);
                } else if (file.equals(below)) {
                    files.put(path, text);
                } else if (file.startsWith(below + "/")) {
                    files.put(path + file.substring(below.length()), text);
                }
            });
            mounts.add(new Mount(path, files, isShared(volume) && !mount.path("readOnly").asBoolean()));
        }
        return mounts;
    }

    /** Files of a volume by their path in it. */
    private Map<String, String> content(Owner owner, JsonNode volume) {
        Map<String, String> files = new TreeMap<>();
        ConfigSource.of(volume).forEach(source -> files.putAll(source.files(config, owner.namespace())));
        ofPod(owner, volume, files);
        volume.at("/projected/sources").forEach(source -> ofPod(owner, source, files));
        if (isShared(volume)) {
            owner.before().forEach(neighbour -> files.putAll(left(neighbour, volume.path("name").asText())));
        }
        JsonNode host = volume.path("hostPath");
        if (host.isObject()) {
            files.putAll(onHost(owner.node(), host.path("path").asText()));
        }
        return files;
    }

    /** The pod's containers write to it. */
    private static boolean isShared(JsonNode volume) {
        return volume.has("emptyDir") || volume.has("persistentVolumeClaim") || volume.has("ephemeral");
    }

    /** What another container of the pod has left in a volume. */
    private static Map<String, String> left(Run.Neighbour neighbour, String volume) {
        Map<String, String> files = new TreeMap<>();
        for (JsonNode mount : neighbour.container().path("volumeMounts")) {
            String prefix = mount.path("mountPath").asText().replaceFirst("/+$", "") + "/";
            if (mount.path("name").asText().equals(volume)) {
                neighbour.files().forEach((path, bytes) -> {
                    if (path.startsWith(prefix)) {
                        files.put(path.substring(prefix.length()), new String(bytes, StandardCharsets.UTF_8));
                    }
                });
            }
        }
        return files;
    }

    /** What the downward API tells of the pod, and the token of its service account. */
    private static void ofPod(Owner owner, JsonNode source, Map<String, String> files) {
        for (JsonNode item : source.at("/downwardAPI/items")) {
            files.put(item.path("path").asText(), downward(owner, item));
        }
        JsonNode token = source.path("serviceAccountToken");
        if (token.isObject()) {
            List<String> audiences = token.has("audience") ? List.of(token.path("audience").asText()) : List.of();
            owner.tokens().token(owner.namespace(), owner.pod().at("/spec/serviceAccountName").asText("default"),
                    audiences, token.path("expirationSeconds").asLong(3600))
                    .ifPresent(text -> files.put(token.path("path").asText(), text));
        }
    }

    private static String downward(Owner owner, JsonNode item) {
        if (item.has("resourceFieldRef")) {
            return Environment.resource(owner.container(), item.path("resourceFieldRef"));
        }
        String path = item.at("/fieldRef/fieldPath").asText();
        if (path.equals("metadata.labels") || path.equals("metadata.annotations")) {
            StringBuilder lines = new StringBuilder();
            owner.pod().at("/" + path.replace('.', '/')).properties().forEach(entry -> lines.append(entry.getKey())
                    .append("=\"").append(entry.getValue().asText()).append("\"\n"));
            return lines.toString().stripTrailing();
        }
        return Environment.field(owner.pod(), path, owner.address(), owner.hostAddress());
    }

    /** What somebody has written there on the node. */
    private Map<String, String> onHost(String node, String folder) {
        String prefix = folder.equals("/") ? "/" : folder.replaceFirst("/+$", "") + "/";
        return world.read(w -> {
            Map<String, String> files = new TreeMap<>();
            w.files(node).ifPresent(all -> all.forEach((path, bytes) -> {
                if (path.startsWith(prefix)) {
                    files.put(path.substring(prefix.length()), new String(bytes, StandardCharsets.UTF_8));
                }
            }));
            return files;
        });
    }
}
