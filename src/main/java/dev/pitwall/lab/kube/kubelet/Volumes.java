package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Named;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
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
                    .or(() -> ConfigSource.of(volume).stream()
                            .flatMap(source -> source.trouble(config, namespace).stream())
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
        JsonNode volume = Named.find(spec.path("volumes"), mount.path("name").asText());
        return ConfigSource.of(volume).stream()
                .flatMap(source -> Optional.ofNullable(source.files(config, namespace).get(file)).stream()).findFirst();
    }
}
