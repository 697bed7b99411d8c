package dev.pitwall.read;

import java.util.List;

/**
 * What Pitwall understood of a text: one record a form. Absent values are empty, never 0.
 */
public sealed interface Understood permits PciListing, IommuGroups, KernelLog, KernelCommandLine, BootTool, VmConfig,
        TaskLog, LoadedModules, GpuListing, DcgmMetrics, ExporterLog, PrometheusAnswer, NodeListing, PodListing,
        PodTable, EventListing, HelmValues, SharingConfig, HelmRelease, ContainerdConfig, OllamaAnswer,
        LlamaServerAnswer, KubeObjects {

    Kind kind();

    /** What was left out and why, each with its line; empty if all was understood. */
    List<String> notes();
}
