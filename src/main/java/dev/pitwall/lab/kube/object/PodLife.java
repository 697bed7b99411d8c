package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;

/** How a pod stands in its life, and how long it takes to go. */
public final class PodLife {
    /** Seconds, where the spec names none: the API server's default. */
    private static final int USUAL_GRACE = 30;

    private PodLife() {
    }

    /** It has come to its end and holds nothing any more. */
    public static boolean isOver(JsonNode pod) {
        return isOver(pod.at("/status/phase").asText(""));
    }

    /** @param phase of its status */
    public static boolean isOver(String phase) {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** True if a kubelet runs it, so that it takes time to stop. */
    public static boolean takesTimeToStop(JsonNode pod) {
        return !pod.at("/spec/nodeName").asText("").isEmpty() && !isOver(pod);
    }

    /** Seconds that it is given to stop if whoever deletes it names no others. */
    public static int grace(JsonNode pod) {
        return takesTimeToStop(pod) ? pod.at("/spec/terminationGracePeriodSeconds").asInt(USUAL_GRACE) : 0;
    }
}
