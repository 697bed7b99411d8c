package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.read.Quantity;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** What a container takes, within the bounds that the LimitRanges of a namespace set for containers. */
final class PodLimits {
    private final List<JsonNode> ranges;

    PodLimits(List<JsonNode> ranges) {
        this.ranges = ranges;
    }

    /** Requests and limits, with cards of one resource among the limits. */
    ObjectNode resources(ProofData.Container wanted, String resource, long cards) {
        ObjectNode resources = JsonNodeFactory.instance.objectNode();
        String cpu = within("cpu", wanted.cpu());
        String memory = within("memory", wanted.memory());
        resources.putObject("requests").put("cpu", cpu).put("memory", memory);
        resources.putObject("limits").put("cpu", larger(within("cpu", wanted.cpuLimit()), cpu))
                .put("memory", larger(within("memory", wanted.memoryLimit()), memory))
                .put(resource, String.valueOf(cards));
        return resources;
    }

    private String within(String what, String wanted) {
        String enough = bound("min", what).map(least -> larger(wanted, least)).orElse(wanted);
        return bound("max", what).filter(most -> value(most).compareTo(value(enough)) < 0).orElse(enough);
    }

    private static String larger(String one, String other) {
        return value(one).compareTo(value(other)) < 0 ? other : one;
    }

    private Optional<String> bound(String side, String what) {
        for (JsonNode range : ranges) {
            for (JsonNode limit : range.at("/spec/limits")) {
                if (limit.path("type").asText().equals("Container") && limit.path(side).has(what)) {
                    return Optional.of(limit.path(side).path(what).asText());
                }
            }
        }
        return Optional.empty();
    }

    private static BigDecimal value(String quantity) {
        return Quantity.of(quantity).orElse(BigDecimal.ZERO);
    }
}
