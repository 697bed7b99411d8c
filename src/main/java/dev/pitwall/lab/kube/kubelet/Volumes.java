package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The volumes of pods: whether they can be mounted, and what ConfigMaps and Secrets show in them. */
final class Volumes {
    private final ObjectStore store;
    private final Config config;

    Volumes(ObjectStore store, Config config) {
        this.store = store;
        this.config = config;
    }

    /** Why not all volumes can be mounted, in the kubelet's words; empty if they can. */
    Optional<String> trouble(JsonNode pod, String namespace) {
        for (JsonNode volume : pod.at("/spec/volumes")) {
            String name = volume.path("name").asText();
            Optional<String> found = claim(volume, namespace, name)
                    .or(() -> sources(volume).stream().flatMap(source -> source(source, namespace).stream())
                            .findFirst().map(why -> "MountVolume.SetUp failed for volume \"" + name + "\" : " + why));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<String> claim(JsonNode volume, String namespace, String name) {
        String claim = volume.at("/persistentVolumeClaim/claimName").asText("");
        if (claim.isEmpty()) {
            return Optional.empty();
        }
        Optional<StoredObject> object = store.find(new ObjectKey(Resource.VOLUME_CLAIMS, namespace, claim));
        String why = object.isEmpty() ? "failed to fetch PVC from API server: persistentvolumeclaims \"" + claim
                + "\" not found" : object.get().tree().at("/status/phase").asText("").equals("Bound") ? ""
                : "PVC is not bound";
        return why.isEmpty() ? Optional.empty() : Optional.of("Unable to attach or mount volumes: unmounted volumes=["
                + name + "], unattached volumes=[], failed to process volumes=[" + name + "]: error processing PVC "
                + namespace + "/" + claim + ": " + why);
    }

    /** @param kind of the object; {@code items} empty for all its entries */
    private record Source(Config.Kind kind, String name, boolean optional, JsonNode items) {
    }

    private static List<Source> sources(JsonNode volume) {
        List<Source> sources = new ArrayList<>();
        add(sources, Config.Kind.CONFIG_MAP, volume.path("configMap"), "name");
        add(sources, Config.Kind.SECRET, volume.path("secret"), "secretName");
        for (JsonNode part : volume.at("/projected/sources")) {
            add(sources, Config.Kind.CONFIG_MAP, part.path("configMap"), "name");
            add(sources, Config.Kind.SECRET, part.path("secret"), "name");
        }
        return sources;
    }

    private static void add(List<Source> sources, Config.Kind kind, JsonNode from, String field) {
        if (from.isObject()) {
            sources.add(new Source(kind, from.path(field).asText(), from.path("optional").asBoolean(),
                    from.path("items")));
        }
    }

    private Optional<String> source(Source source, String namespace) {
        Optional<Map<String, String>> entries = config.entries(source.kind(), namespace, source.name());
        if (source.optional()) {
            return Optional.empty();
        }
        if (entries.isEmpty()) {
            return Optional.of(source.kind().missing(source.name()));
        }
        for (JsonNode item : source.items()) {
            String key = item.path("key").asText();
            if (!entries.get().containsKey(key)) {
                return Optional.of("references non-existent "
                        + (source.kind() == Config.Kind.SECRET ? "secret" : "config") + " key: " + key);
            }
        }
        return Optional.empty();
    }

    /** The file that a container sees at a path, if it comes from a ConfigMap or a Secret. */
    Optional<String> file(PodFacts pod, JsonNode container, String path) {
        JsonNode spec = pod.object().tree().path("spec");
        for (JsonNode mount : container.path("volumeMounts")) {
            String at = mount.path("mountPath").asText();
            String below = mount.path("subPath").asText("");
            boolean inside = path.startsWith(at.endsWith("/") ? at : at + "/");
            if (path.equals(at) && !below.isEmpty()) {
                return content(spec, mount, pod.key().namespace(), below);
            }
            if (inside) {
                String rest = path.substring(at.endsWith("/") ? at.length() : at.length() + 1);
                return content(spec, mount, pod.key().namespace(), below.isEmpty() ? rest : below + "/" + rest);
            }
        }
        return Optional.empty();
    }

    private Optional<String> content(JsonNode spec, JsonNode mount, String namespace, String file) {
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.path("name").asText().equals(mount.path("name").asText())) {
                return sources(volume).stream().flatMap(source -> content(source, namespace, file).stream())
                        .findFirst();
            }
        }
        return Optional.empty();
    }

    private Optional<String> content(Source source, String namespace, String file) {
        String key = source.items().isEmpty() ? file : "";
        for (JsonNode item : source.items()) {
            key = item.path("path").asText().equals(file) ? item.path("key").asText() : key;
        }
        String wanted = key;
        return config.entries(source.kind(), namespace, source.name()).map(entries -> entries.get(wanted));
    }
}
