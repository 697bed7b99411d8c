package dev.pitwall.read;

import java.util.List;
import java.util.Optional;

/**
 * An answer of Prometheus' query API.
 *
 * @param status     {@code success} or {@code error}
 * @param resultType {@code vector}, {@code matrix}, {@code scalar} or {@code string}
 * @param samples    the values; of a matrix the latest of each series
 * @param devices    GPUs, where the samples are DCGM's
 */
public record PrometheusAnswer(String status, Optional<String> resultType, List<MetricSample> samples,
                               List<DcgmMetrics.Device> devices, Optional<String> error, List<String> notes)
        implements Understood {
    public PrometheusAnswer {
        samples = List.copyOf(samples);
        devices = List.copyOf(devices);
        notes = List.copyOf(notes);
    }

    @Override
    public Kind kind() {
        return Kind.PROMETHEUS_QUERY;
    }
}
