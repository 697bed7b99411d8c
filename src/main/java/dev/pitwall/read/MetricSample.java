package dev.pitwall.read;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One sample of a Prometheus metric.
 *
 * @param value       may be NaN or infinite, as Prometheus allows
 * @param timestampMs milliseconds since 1970, where the line has one
 */
public record MetricSample(String name, Map<String, String> labels, double value, OptionalLong timestampMs) {
    public MetricSample {
        labels = Map.copyOf(labels);
    }

    /** A label that is there and not empty; an empty label is the same as none in Prometheus. */
    public Optional<String> label(String key) {
        return Optional.ofNullable(labels.get(key)).filter(v -> !v.isEmpty());
    }
}
