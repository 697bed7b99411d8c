package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.lab.kube.object.Taint;
import dev.pitwall.lab.kube.object.Toleration;
import java.util.List;

/** A pod stays five minutes on a node that is not ready or cannot be reached, unless it says otherwise. */
final class DefaultTolerations implements NewPods {
    private static final List<String> TAINTS = List.of("node.kubernetes.io/not-ready",
            "node.kubernetes.io/unreachable");
    private static final Taint.Effect EFFECT = Taint.Effect.NoExecute;
    private static final int SECONDS = 300;

    @Override
    public void admit(Request request, ObjectNode spec) {
        for (String taint : TAINTS) {
            ArrayNode tolerations = spec.withArrayProperty("tolerations");
            if (Toleration.of(tolerations).stream().noneMatch(toleration -> toleration.isAbout(taint, EFFECT))) {
                tolerations.addObject().put("key", taint).put("operator", "Exists").put("effect", EFFECT.name())
                        .put("tolerationSeconds", SECONDS);
            }
        }
    }
}
