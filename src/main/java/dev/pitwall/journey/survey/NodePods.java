package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.change.Drain;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The pods of a node that leave it when it is drained: all that run there but those of DaemonSets, which come back with
 * the node, and static pods, which are none of the API server's (as {@code kubectl drain --ignore-daemonsets} has it).
 */
public final class NodePods {
    private NodePods() {
    }

    /** @param pods of the node, or of the whole cluster */
    public static List<Drain.Pod> leaving(Collection<JsonNode> pods, String node) {
        return pods.stream().filter(pod -> pod.at("/spec/nodeName").asText().equals(node)).filter(NodePods::lives)
                .filter(pod -> !pod.at("/metadata/annotations").has("kubernetes.io/config.mirror"))
                .filter(pod -> owner(pod).filter(o -> o.path("kind").asText().equals("DaemonSet")).isEmpty())
                .map(NodePods::pod).sorted(Comparator.comparing(Drain.Pod::place)).toList();
    }

    /** True for a pod that its kubelet would not have: it stays as it is for ever. */
    public static boolean isRefused(JsonNode pod) {
        return pod.at("/status/phase").asText().equals("Failed")
                && pod.at("/status/reason").asText("").matches("UnexpectedAdmissionError|Outof.*|OutOf.*");
    }

    /** Since when its containers run; empty text while none does. */
    public static String began(JsonNode pod) {
        return pod.at("/status/containerStatuses").valueStream().map(c -> c.at("/state/running/startedAt").asText(""))
                .filter(at -> !at.isEmpty()).sorted().collect(Collectors.joining(" "));
    }

    private static boolean lives(JsonNode pod) {
        String phase = pod.at("/status/phase").asText();
        return !phase.equals("Succeeded") && !phase.equals("Failed");
    }

    private static Optional<JsonNode> owner(JsonNode pod) {
        return pod.at("/metadata/ownerReferences").valueStream().filter(o -> o.path("controller").asBoolean(false))
                .findFirst();
    }

    private static Drain.Pod pod(JsonNode pod) {
        return new Drain.Pod(pod.at("/metadata/namespace").asText(), pod.at("/metadata/name").asText(),
                owner(pod).map(o -> o.path("kind").asText() + " " + o.path("name").asText()).orElse(""),
                pod.at("/spec/volumes").valueStream().anyMatch(v -> v.has("emptyDir")
                        && !v.at("/emptyDir/medium").asText().equals("Memory")));
    }
}
