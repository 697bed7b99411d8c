package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.World;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the pod of a model server or a notebook says about the process in it. */
final class ServerPod {
    private ServerPod() {
    }

    /** The name people know it by: that of its Deployment or StatefulSet, or the pod's own. */
    static String workload(PodFacts pod) {
        String hash = pod.labels().getOrDefault("pod-template-hash", "");
        String owner = ownerName(pod);
        return switch (pod.ownerKind()) {
            case "ReplicaSet" -> hash.isEmpty() ? owner : owner.replaceFirst("-" + hash + "$", "");
            case "StatefulSet", "DaemonSet" -> owner;
            default -> pod.key().name();
        };
    }

    private static String ownerName(PodFacts pod) {
        return Owners.controller(pod.object().tree()).path("name").asText(pod.key().name());
    }

    /**
     * The first card that a container was given. A device of the plugin is a card's uuid, with {@code ::n} behind it
     * where the card is shared.
     */
    static Optional<String> card(World world, Run run) {
        List<String> devices = run.devices().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("nvidia.com/")).flatMap(entry -> entry.getValue().stream())
                .map(device -> device.replaceFirst("::.*", "")).sorted().toList();
        return world.read(w -> w.cards.values().stream().filter(card -> devices.contains(card.uuid))
                .map((LabCard card) -> card.id).findFirst());
    }

    /** Uid of the claim that a container has mounted at a path or above it; empty if what it writes there goes with it. */
    static Optional<String> claim(ObjectStore store, Run run, String path) {
        JsonNode spec = run.pod().object().tree().path("spec");
        for (JsonNode mount : run.container().path("volumeMounts")) {
            if (path.equals(mount.path("mountPath").asText()) || path.startsWith(mount.path("mountPath").asText() + "/")) {
                return volume(spec, mount.path("name").asText())
                        .flatMap(claim -> store.find(
                                new ObjectKey(Resource.VOLUME_CLAIMS, run.pod().key().namespace(), claim)))
                        .map(StoredObject::uid);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> volume(JsonNode spec, String name) {
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.path("name").asText().equals(name) && volume.has("persistentVolumeClaim")) {
                return Optional.of(volume.at("/persistentVolumeClaim/claimName").asText());
            }
        }
        return Optional.empty();
    }

    /** The tag of a container's image; empty if it has none. */
    static String tag(Run run) {
        String image = run.container().path("image").asText().replaceFirst("@.*", "");
        int colon = image.indexOf(':', image.lastIndexOf('/') + 1);
        return colon < 0 ? "" : image.substring(colon + 1);
    }

    /** Fills {@code {name}} into a line of a log. */
    static String fill(String text, Map<String, String> values) {
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace("{" + value.getKey() + "}", value.getValue());
        }
        return filled;
    }
}
