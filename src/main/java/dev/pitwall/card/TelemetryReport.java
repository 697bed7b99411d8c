package dev.pitwall.card;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * DCGM's latest figures, whether from Prometheus or straight from the exporters.
 *
 * @param samples one a physical GPU; with time-slicing the device's own series, never a sum over pods
 */
public record TelemetryReport(List<Sample> samples) {

    public TelemetryReport {
        samples = List.copyOf(samples);
    }

    /**
     * @param node      label {@code Hostname} or {@code hostname}
     * @param workload  {@code namespace/pod} of the pod that has the GPU; empty on an idle one
     * @param sampledAt time of the sample, which may be 30 s older than the scrape
     */
    public record Sample(String node, GpuDevice gpu, Optional<String> workload, Instant sampledAt) {
    }
}
