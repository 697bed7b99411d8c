package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PodReport;
import dev.pitwall.doctor.sign.Sign.About;

/** What signs about pods have in common. */
final class Pods {

    private Pods() {
    }

    static About about(JsonNode pod) {
        return new About("", pod.path("spec").path("nodeName").asText(""), "", named(pod));
    }

    static About about(PodReport pod) {
        return new About("", pod.node().orElse(""), "", named(pod));
    }

    static String named(JsonNode pod) {
        return pod.path("metadata").path("namespace").asText("") + "/" + pod.path("metadata").path("name").asText("");
    }

    static String named(PodReport pod) {
        return pod.namespace() + "/" + pod.name();
    }
}
