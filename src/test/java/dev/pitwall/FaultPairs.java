package dev.pitwall;

import java.util.List;
import java.util.Map;

/** Pairs of faults that stand in one lab: the lower one is to be the root cause, and the other one still told. */
final class FaultPairs {
    private static final String CARD_1 = "@pve1/0000:01:00";
    private static final String CARD_2 = "@pve2/0000:01:00";
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
                    new Pair("nouveau-loaded", "node-cordoned"),
                    new Pair("containerd-config-wrong-file-or-format", "node-cordoned"),
                    new Pair("gpu-lost-off-bus", "admission-blocks-privileged-pods")),
            "talos", List.of(
                    new Pair("vm-machine-not-q35", "admission-blocks-privileged-pods"),
                    new Pair("talos-extension-not-installed", "node-cordoned")));

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
