package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.object.IntOrPercent.Rounding;
import dev.pitwall.lab.kube.object.IntOrPercent;
import java.util.Map;
import java.util.TreeMap;

/** What a DaemonSet asks for. What it leaves out counts as the API server would fill it in. */
record DaemonPlan(Item item, Strategy strategy, int minReadySeconds, int historyLimit) {

    /** How often the template has changed, as the API server counts it. */
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    /** Who takes old pods away after the template has changed: the controller or somebody else. */
    enum Strategy { ROLLING_UPDATE, ON_DELETE }

    /** How many pods may be missing, and how many may be doubled, during a rolling update. */
    record Leeway(int unavailable, int surge) {
    }

    static DaemonPlan of(Item item) {
        JsonNode spec = item.tree().path("spec");
        return new DaemonPlan(item, spec.at("/updateStrategy/type").asText("").equals("OnDelete")
                ? Strategy.ON_DELETE : Strategy.ROLLING_UPDATE, spec.path("minReadySeconds").asInt(0),
                spec.path("revisionHistoryLimit").asInt(10));
    }

    /** Labels of its pods that tell the templates apart. @param hash of the template as it is */
    Map<String, String> revisionLabels(String hash) {
        Map<String, String> labels = new TreeMap<>(Map.of(Revisions.POD_HASH, hash));
        JsonNode generation = item.tree().at("/metadata/annotations").path(TEMPLATE_GENERATION);
        if (generation.isTextual()) {
            labels.put("pod-template-generation", generation.asText());
        }
        return labels;
    }

    /** @param desired nodes that the DaemonSet is for */
    Leeway leeway(int desired) {
        if (strategy == Strategy.ON_DELETE) {
            return new Leeway(0, 0);
        }
        JsonNode rolling = item.tree().at("/spec/updateStrategy/rollingUpdate");
        int unavailable = IntOrPercent.of(rolling.path("maxUnavailable"), "1", desired, Rounding.UP);
        int surge = IntOrPercent.of(rolling.path("maxSurge"), "0", desired, Rounding.UP);
        // Two zeros could never roll.
        return new Leeway(desired > 0 && unavailable == 0 && surge == 0 ? 1 : unavailable, surge);
    }
}
