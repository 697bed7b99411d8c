package dev.pitwall.read;

import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.PciAddress;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts DCGM samples, from the exporter or from Prometheus, together as physical GPUs. With time-slicing the exporter
 * prints one series a device and one a pod, or a copy of the device's figure for every pod: series are never added up;
 * the one without a pod counts, else the largest (facts: dcgm-exporter's kubernetes.go).
 */
public final class DcgmSeries {

    /** DCGM's "blank" values are near 2^63; old exporters print them. */
    private static final double BLANK = 1e18;
    private static final String PREFIX = "DCGM_";

    /** True if the sample is one of DCGM's about a GPU. */
    public boolean isDcgm(MetricSample sample) {
        return sample.name().startsWith(PREFIX) && (sample.label("UUID").isPresent() || sample.label("gpu").isPresent());
    }

    /** @param samples others than DCGM's are ignored */
    public List<DcgmMetrics.Device> devices(List<MetricSample> samples) {
        Map<String, Draft> drafts = new LinkedHashMap<>();
        for (MetricSample sample : samples) {
            // A MIG instance's series says nothing of the whole device.
            if (isDcgm(sample) && sample.label("GPU_I_ID").isEmpty()) {
                drafts.computeIfAbsent(key(sample), k -> new Draft(sample)).add(sample);
            }
        }
        return drafts.values().stream().map(Draft::build).toList();
    }

    private static String key(MetricSample sample) {
        return sample.label("UUID").orElseGet(() -> node(sample).orElse("") + "/" + sample.label("gpu").orElse(""));
    }

    /** Renamed after release 4.5.3-4.8.2 of the exporter. */
    private static Optional<String> node(MetricSample sample) {
        return sample.label("Hostname").or(() -> sample.label("hostname"));
    }

    /**
     * The pod that has the GPU. Prometheus renames the exporter's labels to {@code exported_…} and puts its own in
     * their place, so a plain {@code pod} may be the exporter itself.
     */
    private static Optional<String> workload(MetricSample sample) {
        Optional<String> exported = sample.label("exported_pod")
                .map(p -> sample.label("exported_namespace").orElse("") + "/" + p);
        return exported.or(() -> sample.label("pod").filter(p -> !p.startsWith("nvidia-dcgm-exporter"))
                .map(p -> sample.label("namespace").orElse("") + "/" + p));
    }

    private static final class Draft {
        private final MetricSample first;
        private final Map<String, Double> device = new TreeMap<>();
        private final Map<String, Double> ofPods = new TreeMap<>();
        private final Set<String> workloads = new LinkedHashSet<>();

        Draft(MetricSample first) {
            this.first = first;
        }

        void add(MetricSample sample) {
            Optional<String> workload = workload(sample);
            workload.ifPresent(workloads::add);
            if (!Double.isFinite(sample.value()) || Math.abs(sample.value()) > BLANK) {
                return;
            }
            if (workload.isPresent()) {
                ofPods.merge(sample.name(), sample.value(), Math::max);
            } else {
                device.put(sample.name(), sample.value());
            }
        }

        DcgmMetrics.Device build() {
            TreeMap<String, Double> figures = new TreeMap<>(ofPods);
            figures.putAll(device);
            OptionalLong used = mib(figures, "DCGM_FI_DEV_FB_USED");
            OptionalLong free = mib(figures, "DCGM_FI_DEV_FB_FREE");
            OptionalLong reserved = mib(figures, "DCGM_FI_DEV_FB_RESERVED");
            GpuDevice gpu = new GpuDevice(first.label("gpu").map(Numbers::integer).orElse(OptionalInt.empty()),
                    first.label("modelName"), first.label("UUID"),
                    first.label("pci_bus_id").flatMap(PciAddress::parse), first.label("DCGM_FI_DRIVER_VERSION"),
                    total(figures, used, free, reserved), used, figure(figures, "DCGM_FI_DEV_GPU_UTIL"),
                    figure(figures, "DCGM_FI_DEV_GPU_TEMP"), figure(figures, "DCGM_FI_DEV_POWER_USAGE"),
                    Numbers.narrow(mib(figures, "DCGM_FI_DEV_XID_ERRORS")));
            return new DcgmMetrics.Device(node(first), gpu, free, reserved, new ArrayList<>(workloads), figures);
        }

        /** DCGM exports no total by default; a sum with a part missing would be too small, so it is left out. */
        private static OptionalLong total(Map<String, Double> figures, OptionalLong used, OptionalLong free,
                                          OptionalLong reserved) {
            OptionalLong total = mib(figures, "DCGM_FI_DEV_FB_TOTAL");
            if (total.isPresent() || used.isEmpty() || free.isEmpty() || reserved.isEmpty()) {
                return total;
            }
            return OptionalLong.of(used.getAsLong() + free.getAsLong() + reserved.getAsLong());
        }

        private static OptionalDouble figure(Map<String, Double> figures, String name) {
            Double value = figures.get(name);
            return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
        }

        private static OptionalLong mib(Map<String, Double> figures, String name) {
            return Numbers.rounded(figure(figures, name));
        }
    }
}
