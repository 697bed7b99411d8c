package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** A taint of a node. */
public record Taint(String key, String value, Effect effect) {

    /** What it does to pods that do not tolerate it. */
    public enum Effect { NoSchedule, PreferNoSchedule, NoExecute }

    /** Taints of a node's {@code spec.taints}; one with an effect that does not exist is left out. */
    public static List<Taint> of(JsonNode taints) {
        List<Taint> found = new ArrayList<>();
        for (JsonNode taint : taints) {
            for (Effect effect : Effect.values()) {
                if (effect.name().equals(taint.path("effect").asText())) {
                    found.add(new Taint(taint.path("key").asText().intern(), taint.path("value").asText("").intern(), effect));
                }
            }
        }
        return List.copyOf(found);
    }

    /** True if it keeps pods from being bound to its node. */
    public boolean keepsOut() {
        return effect != Effect.PreferNoSchedule;
    }
}
