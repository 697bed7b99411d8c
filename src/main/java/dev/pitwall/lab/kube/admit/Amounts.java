package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.QuantityFormatException;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

/** Sums of resources. */
final class Amounts {

    private Amounts() {
    }

    /** @return zero for what is no quantity; validation refuses such an object elsewhere */
    static BigDecimal of(JsonNode quantity) {
        try {
            return quantity.isMissingNode() || quantity.isNull() ? BigDecimal.ZERO
                    : Quantity.fromString(quantity.asText()).getNumber();
        } catch (QuantityFormatException | NumberFormatException e) {
            return BigDecimal.ZERO;
        }
    }

    /** As Kubernetes prints it: in the usual unit of the resource. */
    static String text(String resource, BigDecimal amount) {
        boolean bytes = resource.contains("memory") || resource.contains("storage") || resource.contains("hugepages");
        Quantity.Format format = bytes ? Quantity.Format.BINARY_SI : Quantity.Format.DECIMAL_SI;
        return new Quantity(amount, format).toSuffixedString();
    }

    /**
     * What a pod asks for or is limited to: its containers together, or its largest init container, whichever is more; init
     * containers that keep running count with both (facts: cluster.md 7.1).
     *
     * @param field {@code requests} or {@code limits}
     */
    static Map<String, BigDecimal> ofPod(JsonNode spec, String field) {
        Map<String, BigDecimal> running = new HashMap<>();
        Map<String, BigDecimal> starting = new HashMap<>();
        Map<String, BigDecimal> sidecars = new HashMap<>();
        spec.path("containers").forEach(container -> add(running, container, field));
        for (JsonNode init : spec.path("initContainers")) {
            if (init.path("restartPolicy").asText("").equals("Always")) {
                add(running, init, field);
                add(sidecars, init, field);
                sidecars.forEach((name, amount) -> starting.merge(name, amount, BigDecimal::max));
            } else {
                Map<String, BigDecimal> own = new HashMap<>(sidecars);
                add(own, init, field);
                own.forEach((name, amount) -> starting.merge(name, amount, BigDecimal::max));
            }
        }
        starting.forEach((name, amount) -> running.merge(name, amount, BigDecimal::max));
        spec.path("overhead").properties().forEach(entry ->
                running.merge(entry.getKey(), of(entry.getValue()), BigDecimal::add));
        return running;
    }

    private static void add(Map<String, BigDecimal> sum, JsonNode container, String field) {
        container.path("resources").path(field).properties().forEach(entry ->
                sum.merge(entry.getKey(), of(entry.getValue()), BigDecimal::add));
    }
}
