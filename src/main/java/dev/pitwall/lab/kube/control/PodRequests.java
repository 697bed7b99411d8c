package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.JsonNode;
import io.kubernetes.client.custom.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a pod asks for, as the scheduler and the quota count it: the sum over its containers, or the largest of its init
 * containers if that is more, and sidecars with the containers. [KEP-753; facts: cluster.md 7]
 */
public final class PodRequests {
    private PodRequests() {
    }

    /** @return CPU in millicores, everything else in its own unit */
    public static Map<String, Long> of(JsonNode spec) {
        Map<String, Long> running = new TreeMap<>();
        spec.path("containers").forEach(container -> add(running, requests(container)));
        Map<String, Long> sidecars = new TreeMap<>();
        Map<String, Long> most = new TreeMap<>();
        for (JsonNode init : spec.path("initContainers")) {
            if (init.path("restartPolicy").asText("").equals("Always")) {
                add(sidecars, requests(init));
                larger(most, sidecars);
            } else {
                Map<String, Long> now = new TreeMap<>(sidecars);
                add(now, requests(init));
                larger(most, now);
            }
        }
        add(running, sidecars);
        larger(running, most);
        add(running, quantities(spec.path("overhead")));
        return Map.copyOf(running);
    }

    /** A container's requests; a limit stands for a request that is not given. */
    private static Map<String, Long> requests(JsonNode container) {
        Map<String, Long> found = quantities(container.at("/resources/limits"));
        found.putAll(quantities(container.at("/resources/requests")));
        return found;
    }

    /** Quantities by resource; one that cannot be read counts as 0. */
    public static Map<String, Long> quantities(JsonNode list) {
        Map<String, Long> found = new TreeMap<>();
        list.properties().forEach(entry -> found.put(entry.getKey().intern(), amount(entry.getKey(),
                entry.getValue().asText())));
        return found;
    }

    /** CPU in millicores, everything else in its own unit, rounded up. */
    public static long amount(String resource, String quantity) {
        try {
            BigDecimal number = Quantity.fromString(quantity).getNumber();
            boolean cpu = resource.equals("cpu") || resource.endsWith(".cpu");
            return (cpu ? number.movePointRight(3) : number).setScale(0, RoundingMode.CEILING).longValue();
        } catch (RuntimeException e) {
            return 0;
        }
    }

    private static void add(Map<String, Long> to, Map<String, Long> what) {
        what.forEach((resource, amount) -> to.merge(resource, amount, Long::sum));
    }

    private static void larger(Map<String, Long> to, Map<String, Long> what) {
        what.forEach((resource, amount) -> to.merge(resource, amount, Math::max));
    }
}
