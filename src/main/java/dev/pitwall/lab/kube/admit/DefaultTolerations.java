package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;

/** A pod stays five minutes on a node that is not ready or cannot be reached, unless it says otherwise. */
final class DefaultTolerations implements NewPods {
    private static final List<String> TAINTS = List.of("node.kubernetes.io/not-ready",
            "node.kubernetes.io/unreachable");
    private static final int SECONDS = 300;

    @Override
    public void admit(Request request, ObjectNode spec) {
        for (String taint : TAINTS) {
            ArrayNode tolerations = spec.withArrayProperty("tolerations");
            if (!isTolerated(tolerations, taint)) {
                tolerations.addObject().put("key", taint).put("operator", "Exists").put("effect", "NoExecute")
                        .put("tolerationSeconds", SECONDS);
            }
        }
    }

    private static boolean isTolerated(ArrayNode tolerations, String taint) {
        for (JsonNode toleration : tolerations) {
            String key = toleration.path("key").asText("");
            String effect = toleration.path("effect").asText("");
            if ((key.equals(taint) || key.isEmpty()) && (effect.equals("NoExecute") || effect.isEmpty())) {
                return true;
            }
        }
        return false;
    }
}
