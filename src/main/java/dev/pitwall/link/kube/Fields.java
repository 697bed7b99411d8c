package dev.pitwall.link.kube;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import io.kubernetes.client.custom.QuantityFormatException;
import io.kubernetes.client.custom.QuantityFormatter;

/** Fields of Kubernetes objects in the forms the reports want. Absent and empty are the same, as in Go. */
final class Fields {
    private static final QuantityFormatter QUANTITIES = new QuantityFormatter();

    private Fields() {
    }

    static Optional<String> text(JsonNode node, String field) {
        String text = node.path(field).asText("");
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    static Optional<Instant> time(JsonNode node, String field) {
        try {
            return text(node, field).map(Instant::parse);
        } catch (DateTimeParseException garbled) {
            return Optional.empty();
        }
    }

    static Map<String, String> texts(JsonNode mapping) {
        Map<String, String> texts = new HashMap<>();
        mapping.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText("")));
        return texts;
    }

    static Map<String, String> labels(JsonNode object) {
        return texts(object.path("metadata").path("labels"));
    }

    /** The {@code nvidia.com/} entries of a resource list. A quantity may be "1", 1 or "1k" (facts: cluster 7.1). */
    static Map<String, Long> gpus(JsonNode resources) {
        Map<String, Long> gpus = new HashMap<>();
        resources.properties().forEach(entry -> {
            if (entry.getKey().startsWith("nvidia.com/")) {
                quantity(entry.getValue()).ifPresent(number -> gpus.put(entry.getKey(), number));
            }
        });
        return gpus;
    }

    private static Optional<Long> quantity(JsonNode value) {
        try {
            BigDecimal number = QUANTITIES.parse(value.asText("")).getNumber();
            return Optional.of(number.longValue());
        } catch (QuantityFormatException | NumberFormatException garbled) {
            return Optional.empty();
        }
    }
}
