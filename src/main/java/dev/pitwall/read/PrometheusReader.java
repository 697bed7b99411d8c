package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Reads answers of {@code /api/v1/query} and {@code query_range}; values are text there and may be {@code NaN}. */
public final class PrometheusReader {

    private final DcgmSeries series = new DcgmSeries();

    boolean recognises(JsonNode root) {
        String status = root.path("status").asText();
        return (status.equals("success") && root.path("data").has("resultType"))
                || (status.equals("error") && root.has("errorType"));
    }

    /** Reads one answer. */
    public PrometheusAnswer read(JsonNode root) {
        return read(new Tree(List.of(root), Set.of(), Optional.empty()));
    }

    PrometheusAnswer read(Tree tree) {
        JsonNode root = tree.roots().getFirst();
        Notes notes = new Notes();
        tree.cut().ifPresent(notes::add);
        List<MetricSample> samples = new ArrayList<>();
        for (JsonNode result : root.path("data").path("result")) {
            // Labels may still be missing in a series that the text stops in.
            if (!tree.isOpen(result)) {
                sample(result).ifPresent(samples::add);
            }
        }
        Optional<String> error = Json.text(root, "error");
        return new PrometheusAnswer(root.path("status").asText(), Json.text(root.path("data"), "resultType"), samples,
                series.devices(samples), error, notes.list());
    }

    private static Optional<MetricSample> sample(JsonNode result) {
        Map<String, String> labels = new HashMap<>();
        result.path("metric").properties().forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
        String name = labels.getOrDefault("__name__", "");
        labels.remove("__name__");
        JsonNode pair = result.has("value") ? result.get("value") : last(result.path("values"));
        if (pair == null || pair.size() != 2) {
            return Optional.empty();
        }
        OptionalDouble value = MetricsText.value(pair.get(1).asText());
        OptionalLong at = OptionalLong.of(Math.round(pair.get(0).asDouble() * 1000));
        return value.isPresent() ? Optional.of(new MetricSample(name, labels, value.getAsDouble(), at)) : Optional.empty();
    }

    private static JsonNode last(JsonNode array) {
        return array.isArray() && !array.isEmpty() ? array.get(array.size() - 1) : null;
    }
}
