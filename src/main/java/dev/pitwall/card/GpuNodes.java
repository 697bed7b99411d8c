package dev.pitwall.card;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a node's labels and resources say about its GPUs. Label names: GPU Operator v26, NFD 0.19, GPU Feature
 * Discovery v0.20.
 */
public final class GpuNodes {
    private static final List<String> NFD_LABELS = List.of("feature.node.kubernetes.io/pci-10de.present",
            "feature.node.kubernetes.io/pci-0302_10de.present", "feature.node.kubernetes.io/pci-0300_10de.present");

    private GpuNodes() {
    }

    /**
     * The operator sets {@code gpu.present} to "false" when a GPU goes, and leaves it; so the value counts. A kubelet keeps
     * a resource at 0 when its plugin has gone, until it is started anew.
     */
    public static boolean hasGpu(NodeReport node) {
        return nfdLabel(node).isPresent() || "true".equals(node.labels().get("nvidia.com/gpu.present"))
                || sum(node.capacity()) > 0;
    }

    /** The NFD label that says an NVIDIA display device is on the PCI bus. */
    public static Optional<String> nfdLabel(NodeReport node) {
        return NFD_LABELS.stream().filter(l -> "true".equals(node.labels().get(l))).findFirst();
    }

    /** Physical cards by GFD's {@code gpu.count}, which sharing does not multiply; 0 if it does not say. */
    static int physicalCards(NodeReport node) {
        String count = node.labels().get("nvidia.com/gpu.count");
        return count != null && count.matches("\\d{1,4}") ? Integer.parseInt(count) : 0;
    }

    /** Whole, time-sliced and MIG devices alike. */
    public static boolean isGpuResource(String resource) {
        return resource.equals("nvidia.com/gpu") || resource.equals("nvidia.com/gpu.shared")
                || resource.startsWith("nvidia.com/mig-");
    }

    /** Devices of all these resources together. */
    public static long sum(Map<String, Long> resources) {
        return resources.entrySet().stream().filter(e -> isGpuResource(e.getKey())).mapToLong(Map.Entry::getValue).sum();
    }
}
