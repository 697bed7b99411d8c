package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabTalos;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes the labels and taints of a machine configuration on the Kubernetes node, with the node's own rights: a worker's
 * are refused by NodeRestriction where they concern taints or protected labels (facts: cluster.md 4.3).
 */
final class NodeApply {
    private static final String CONTROLLER = "k8s.NodeApplyController";
    /** Labels under these that a kubelet may set itself (kubernetes: plugin/pkg/admission/noderestriction). */
    private static final List<String> OWN = List.of("kubernetes.io/hostname", "kubernetes.io/arch", "kubernetes.io/os",
            "beta.kubernetes.io/arch", "beta.kubernetes.io/os", "node.kubernetes.io/instance-type",
            "topology.kubernetes.io/zone", "topology.kubernetes.io/region");
    private static final List<String> OWN_PREFIXES = List.of("kubelet.kubernetes.io/", "node.kubernetes.io/");

    private NodeApply() {
    }

    static void apply(LabNode node, LabTalos talos, MachineConfig config) {
        boolean worker = config.type().equals("worker");
        List<String> refused = config.labels().keySet().stream().filter(label -> worker && isProtected(label)).toList();
        if (!refused.isEmpty()) {
            forbidden(node, talos, "is not allowed to modify labels: " + String.join(", ", refused));
            return;
        }
        if (worker && !config.taints().isEmpty() && !node.taints.containsAll(taints(config.taints()))) {
            forbidden(node, talos, "is not allowed to modify taints");
            return;
        }
        node.labels.putAll(config.labels());
        taints(config.taints()).stream().filter(taint -> !node.taints.contains(taint)).forEach(node.taints::add);
    }

    private static List<String> taints(Map<String, String> taints) {
        return taints.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.toList());
    }

    private static boolean isProtected(String label) {
        int slash = label.indexOf('/');
        String domain = slash < 0 ? "" : label.substring(0, slash);
        boolean system = domain.equals("kubernetes.io") || domain.endsWith(".kubernetes.io") || domain.equals("k8s.io")
                || domain.endsWith(".k8s.io");
        return system && !OWN.contains(label) && OWN_PREFIXES.stream().noneMatch(label::startsWith);
    }

    private static void forbidden(LabNode node, LabTalos talos, String why) {
        KernelText.controllerFailed(talos, CONTROLLER, "error updating node: nodes \"" + node.name
                + "\" is forbidden: node \"" + node.name + "\" " + why);
    }
}
