package dev.pitwall;

import java.util.List;
import java.util.Map;

/** Pairs of faults that stand in one lab: the lower one is to be the root cause, and the other one still told. */
final class FaultPairs {
    private static final String CARD_1 = "@pve1/0000:01:00";
    private static final String CARD_2 = "@pve2/0000:01:00";
    private static final String NEAR = "@anvil/0000:41:00";
    private static final String FORGE = "@forge/0000:01:00";
    private static final String EMBER = "@ember/0000:01:00";
    private static final Map<String, List<Pair>> ALL = Map.of(
            "garage", List.of(
                    new Pair("iommu-off" + CARD_1, "driver-oom-while-compiling" + CARD_2),
                    new Pair("host-driver-holds-passthrough-gpu" + CARD_1, "kernel-headers-missing" + CARD_2),
                    new Pair("vm-machine-not-q35" + CARD_1, "node-cordoned" + CARD_2),
                    new Pair("gpu-stuck-d3" + CARD_1, "time-slicing-config-missing" + CARD_2),
                    new Pair("vm-change-pending-power-cycle" + CARD_1, "admission-policy-denied" + CARD_2),
                    new Pair("driver-oom-while-compiling" + CARD_1, "node-cordoned" + CARD_1),
                    new Pair("kernel-headers-missing" + CARD_1, "untolerated-custom-taint" + CARD_2),
                    new Pair("driver-library-version-mismatch" + CARD_1, "dcgm-exporter-oom" + CARD_2),
                    new Pair("containerd-socket-wrong-path" + CARD_1, "nfd-worker-missing-toleration" + CARD_2),
                    new Pair("validator-image-version-skew" + CARD_1, "quota-requires-requests" + CARD_1),
                    new Pair("runtime-handler-not-configured" + CARD_1, "node-cordoned" + CARD_2),
                    new Pair("device-plugin-missing-toleration" + CARD_1, "dcgm-exporter-oom" + CARD_1),
                    new Pair("plugin-marked-unhealthy-by-xid" + CARD_1, "dcgm-exporter-oom" + CARD_2),
                    new Pair("dcgm-exporter-oom" + CARD_1, "idle-notebook-holds-gpu" + CARD_2)),
            "metal", List.of(
                    new Pair("above-4g-rebar-off" + NEAR, "quota-requires-requests"),
                    new Pair("nouveau-loaded", "node-cordoned"),
                    new Pair("nouveau-loaded", "time-slicing-config-wrong-key"),
                    new Pair("gpu-lost-off-bus" + NEAR, "admission-blocks-privileged-pods"),
                    new Pair("containerd-config-wrong-file-or-format", "node-cordoned"),
                    new Pair("apparmor-blocks-toolkit", "node-cordoned"),
                    new Pair("runtime-handler-not-configured", "dcgm-exporter-oom"),
                    new Pair("runtime-config-regenerated", "limitrange-floor"),
                    new Pair("runtime-class-missing", "node-cordoned"),
                    new Pair("nfd-label-format-mismatch", "dcgm-exporter-oom"),
                    new Pair("plugin-marked-unhealthy-by-xid" + NEAR, "dcgm-exporter-oom"),
                    new Pair("time-slicing-config-missing", "exporter-without-driver-libraries"),
                    new Pair("plugin-config-schema-error", "quota-requires-requests"),
                    new Pair("dcgm-exporter-oom", "gpus-held-by-other-pods")),
            "talos", List.of(
                    new Pair("iommu-off" + FORGE, "untolerated-custom-taint" + EMBER),
                    new Pair("virtualization-extensions-off" + FORGE, "dcgm-exporter-oom" + EMBER),
                    new Pair("host-driver-holds-passthrough-gpu" + FORGE, "node-cordoned" + EMBER),
                    new Pair("gpu-stuck-d3" + FORGE, "time-slicing-config-missing" + EMBER),
                    new Pair("vm-machine-not-q35" + FORGE, "admission-blocks-privileged-pods"),
                    new Pair("vm-change-pending-power-cycle" + FORGE, "quota-requires-requests" + EMBER),
                    new Pair("pci-mapping-incomplete" + FORGE, "talos-extension-not-installed" + EMBER),
                    new Pair("gpu-owned-by-other-vm" + EMBER, "plugin-config-schema-error" + FORGE),
                    new Pair("talos-extension-not-installed" + FORGE, "node-cordoned" + EMBER),
                    new Pair("talos-extension-incomplete" + FORGE, "time-slicing-config-wrong-key" + EMBER),
                    new Pair("talos-booted-from-other-medium" + FORGE, "untolerated-custom-taint" + EMBER),
                    new Pair("nfd-worker-missing-toleration" + FORGE, "exporter-without-driver-libraries" + EMBER),
                    new Pair("device-plugin-missing-toleration" + FORGE, "dcgm-exporter-oom" + FORGE),
                    new Pair("plugin-marked-unhealthy-by-xid" + FORGE, "dcgm-exporter-oom" + EMBER)));

    private FaultPairs() {
    }

    /** As {@code --fault} takes them. */
    record Pair(String lower, String higher) {

        static String trap(String fault) {
            return fault.replaceAll("@.*", "");
        }
    }

    static List<Pair> of(String scene) {
        return ALL.getOrDefault(scene, List.of());
    }
}
