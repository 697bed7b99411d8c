package dev.pitwall.lab.prometheus;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One exporter as the operator's ServiceMonitor makes Prometheus scrape it. Without {@code honorLabels} a label of the
 * exporter that collides with one of the target is renamed to {@code exported_…}.
 */
record ScrapeTarget(String node, URI uri, Labels labels) {
    private static final Set<String> TARGET_LABELS =
            Set.of("container", "endpoint", "instance", "job", "namespace", "pod", "service");

    static ScrapeTarget of(String node, URI uri, ClusterNames names) {
        return new ScrapeTarget(node, uri, new Labels(Map.of("container", "nvidia-dcgm-exporter", "endpoint",
                "gpu-metrics", "instance", names.exporterAddress(node) + ":9400", "job", "nvidia-dcgm-exporter",
                "namespace", "gpu-operator", "pod", names.exporterPod(node), "service", "nvidia-dcgm-exporter")));
    }

    /** The labels a scraped series is stored under. */
    Labels stored(Labels scraped) {
        TreeMap<String, String> all = new TreeMap<>(labels.values());
        scraped.values().forEach((name, value) -> all.put(TARGET_LABELS.contains(name) ? "exported_" + name : name,
                value));
        return new Labels(all);
    }

    Labels own(String metric) {
        return labels.with(Labels.NAME, metric);
    }
}
