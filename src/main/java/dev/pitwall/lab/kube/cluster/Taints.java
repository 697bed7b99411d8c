package dev.pitwall.lab.kube.cluster;

import dev.pitwall.lab.kube.cluster.ClusterView.Node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The taints of nodes, as {@code key=value:Effect}. */
final class Taints {
    private static final String GPU = "nvidia.com/gpu=";

    private final ClusterView view;

    Taints(ClusterView view) {
        this.view = view;
    }

    List<String> of(Node node) {
        List<String> taints = new ArrayList<>();
        boolean odd = view.fault(Trap.DEVICE_PLUGIN_MISSING_TOLERATION, node).isPresent();
        for (String taint : node.taints()) {
            taints.add(odd && taint.startsWith(GPU) ? GPU + oddValue() + ":NoSchedule" : taint);
        }
        if (odd && taints.stream().noneMatch(taint -> taint.startsWith(GPU))) {
            taints.add(GPU + oddValue() + ":NoSchedule");
        }
        if (view.fault(Trap.NODE_CORDONED, node).isPresent()) {
            taints.add("node.kubernetes.io/unschedulable:NoSchedule");
        }
        if (!node.ready()) {
            taints.add("node.kubernetes.io/unreachable:NoSchedule");
            taints.add("node.kubernetes.io/unreachable:NoExecute");
        }
        return taints;
    }

    /** The value that most nodes with cards have; the usual one if none is tainted. */
    String usualValue() {
        return view.gpuNodes().stream().flatMap(node -> node.taints().stream())
                .filter(taint -> taint.startsWith(GPU))
                .map(taint -> taint.substring(GPU.length(), taint.indexOf(':')))
                .collect(Collectors.groupingBy(value -> value, Collectors.counting())).entrySet().stream()
                .max(Map.Entry.comparingByValue()).map(Map.Entry::getKey).orElse("present");
    }

    /** The other of the two values that guides use. */
    String oddValue() {
        return usualValue().equals("present") ? "true" : "present";
    }
}
