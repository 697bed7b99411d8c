package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a pod asks for or is limited to: the sum over its containers, or the most that is taken while its init containers
 * run if that is more. Init containers that keep running (sidecars) count with both. [KEP-753; facts: cluster.md 7.1]
 */
public final class PodResources {
    private final Function<JsonNode, Map<String, BigDecimal>> ofContainer;
    private final Map<String, BigDecimal> running = new HashMap<>();
    private final Map<String, BigDecimal> starting = new HashMap<>();
    private final Map<String, BigDecimal> sidecars = new HashMap<>();

    private PodResources(Function<JsonNode, Map<String, BigDecimal>> ofContainer) {
        this.ofContainer = ofContainer;
    }

    /** What the containers' {@code resources.requests} come to. */
    public static Map<String, BigDecimal> requests(JsonNode spec) {
        return new PodResources(container -> amounts(container.at("/resources/requests"))).sum(spec);
    }

    /** What the containers' {@code resources.limits} come to. */
    public static Map<String, BigDecimal> limits(JsonNode spec) {
        return new PodResources(container -> amounts(container.at("/resources/limits"))).sum(spec);
    }

    /**
     * What the scheduler counts: a limit stands for a request that is not given.
     *
     * @return CPU in millicores, everything else in its own unit
     */
    public static Map<String, Long> demand(JsonNode spec) {
        return new PodResources(PodResources::requestsOrLimits).sum(spec).entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
                        entry -> Quantities.units(entry.getKey(), entry.getValue())));
    }

    private Map<String, BigDecimal> sum(JsonNode spec) {
        spec.path("containers").forEach(container -> add(running, ofContainer.apply(container)));
        for (JsonNode init : spec.path("initContainers")) {
            Map<String, BigDecimal> own = ofContainer.apply(init);
            if (Containers.isSidecar(init)) {
                add(running, own);
                add(sidecars, own);
                larger(starting, sidecars);
            } else {
                add(own, sidecars);
                larger(starting, own);
            }
        }
        larger(running, starting);
        add(running, amounts(spec.path("overhead")));
        return running;
    }

    private static Map<String, BigDecimal> requestsOrLimits(JsonNode container) {
        Map<String, BigDecimal> found = amounts(container.at("/resources/limits"));
        found.putAll(amounts(container.at("/resources/requests")));
        return found;
    }

    private static Map<String, BigDecimal> amounts(JsonNode list) {
        Map<String, BigDecimal> found = new HashMap<>();
        list.properties().forEach(entry -> found.put(entry.getKey().intern(), Quantities.of(entry.getValue())));
        return found;
    }

    private static void add(Map<String, BigDecimal> to, Map<String, BigDecimal> what) {
        what.forEach((resource, amount) -> to.merge(resource, amount, BigDecimal::add));
    }

    private static void larger(Map<String, BigDecimal> to, Map<String, BigDecimal> what) {
        what.forEach((resource, amount) -> to.merge(resource, amount, BigDecimal::max));
    }
}
