package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A toleration of a pod.
 *
 * @param key     empty for every key
 * @param effect  empty for every effect
 * @param seconds for how long a NoExecute taint is borne; empty for ever
 */
public record Toleration(String key, Operator operator, String value, String effect, OptionalLong seconds) {

    /** How the value is looked at. */
    public enum Operator { Exists, Equal }

    public static List<Toleration> of(JsonNode tolerations) {
        List<Toleration> found = new ArrayList<>();
        for (JsonNode toleration : tolerations) {
            found.add(new Toleration(toleration.path("key").asText("").intern(),
                    toleration.path("operator").asText("").equals("Exists") ? Operator.Exists : Operator.Equal,
                    toleration.path("value").asText("").intern(), toleration.path("effect").asText("").intern(),
                    toleration.hasNonNull("tolerationSeconds")
                            ? OptionalLong.of(toleration.path("tolerationSeconds").asLong()) : OptionalLong.empty()));
        }
        return List.copyOf(found);
    }

    public boolean tolerates(Taint taint) {
        return isAbout(taint.key(), taint.effect()) && (operator == Operator.Exists || value.equals(taint.value()));
    }

    /** True if it is about such taints, of whatever value. */
    public boolean isAbout(String taint, Taint.Effect what) {
        return (effect.isEmpty() || effect.equals(what.name())) && (key.isEmpty() || key.equals(taint));
    }

    /** True if one of them tolerates the taint. */
    public static boolean any(List<Toleration> tolerations, Taint taint) {
        for (Toleration toleration : tolerations) {
            if (toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }
}
