package dev.pitwall.read;

import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.TelemetryReport;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** The metrics page of a DCGM exporter, one entry a physical GPU. */
public record DcgmMetrics(List<Device> devices, List<String> notes) implements Understood {
    public DcgmMetrics {
        devices = List.copyOf(devices);
        notes = List.copyOf(notes);
    }

    /**
     * @param node      label {@code Hostname} or {@code hostname}
     * @param freeMiB   memory nobody uses
     * @param reservedMiB memory the driver keeps
     * @param workloads {@code namespace/pod} of every pod that is shown on this GPU; empty on an idle one
     * @param figures   every DCGM figure of the device by its metric name, blanks left out
     */
    public record Device(Optional<String> node, GpuDevice gpu, OptionalLong freeMiB, OptionalLong reservedMiB,
                         List<String> workloads, SortedMap<String, Double> figures) {
        public Device {
            workloads = List.copyOf(workloads);
            figures = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(figures)));
        }

        /** @param at when it was sampled, which only the caller knows */
        public TelemetryReport.Sample sample(Instant at) {
            return new TelemetryReport.Sample(node.orElse(""), gpu, workloads.stream().findFirst(), at);
        }
    }

    @Override
    public Kind kind() {
        return Kind.DCGM_METRICS;
    }
}
