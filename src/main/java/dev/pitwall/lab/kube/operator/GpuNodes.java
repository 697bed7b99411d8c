package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.store.StoredObject;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Nodes with NVIDIA cards, as NFD's labels say, and the labels that the operator gives them. It reads labels and
 * nothing else. (facts: cluster.md 1.3)
 */
final class GpuNodes {
    static final String PRESENT = "nvidia.com/gpu.present";
    static final String DEPLOY = "nvidia.com/gpu.deploy.";
    private static final String OPERANDS = DEPLOY + "operands";
    private static final String NFD = "feature.node.kubernetes.io/";
    private static final List<String> CARD = List.of(NFD + "pci-10de.present", NFD + "pci-0302_10de.present",
            NFD + "pci-0300_10de.present");
    private static final List<String> DEPLOYED = List.of("driver", "container-toolkit", "operator-validator",
            "device-plugin", "gpu-feature-discovery", "dcgm", "dcgm-exporter", "node-status-exporter");
    private static final String MIG = "mig-manager";

    private final ClusterHand hand;
    private final Collection<StoredObject> nodes;

    GpuNodes(ClusterHand hand, Collection<StoredObject> nodes) {
        this.hand = hand;
        this.nodes = nodes;
    }

    /** False while NFD has not labelled any node. */
    boolean haveFeatures() {
        return nodes.stream().flatMap(node -> node.labels().keySet().stream())
                .anyMatch(label -> label.startsWith(NFD));
    }

    List<StoredObject> withCards() {
        return nodes.stream().filter(GpuNodes::hasCard).toList();
    }

    private static boolean hasCard(StoredObject node) {
        return CARD.stream().anyMatch(label -> "true".equals(node.labels().get(label)));
    }

    /** Gives and takes the operator's own labels; values that are there stay. */
    void label() {
        nodes.forEach(node -> {
            Map<String, String> wanted = wanted(node);
            if (!wanted.equals(node.labels())) {
                hand.change(NodeFacts.key(node.key().name()), object -> {
                    ObjectNode labels = object.withObjectProperty("metadata").withObjectProperty("labels");
                    node.labels().keySet().stream().filter(label -> !wanted.containsKey(label))
                            .forEach(labels::remove);
                    wanted.forEach(labels::put);
                });
            }
        });
    }

    private static Map<String, String> wanted(StoredObject node) {
        Map<String, String> labels = new TreeMap<>(node.labels());
        boolean off = "false".equals(labels.get(OPERANDS));
        if (hasCard(node)) {
            labels.put(PRESENT, "true");
        } else if (labels.containsKey(PRESENT)) {
            labels.put(PRESENT, "false");
        }
        if (!hasCard(node) || off) {
            labels.keySet().removeIf(label -> label.startsWith(DEPLOY) && !label.equals(OPERANDS));
            return labels;
        }
        DEPLOYED.forEach(operand -> keep(labels, DEPLOY + operand));
        if ("true".equals(labels.get("nvidia.com/mig.capable"))) {
            keep(labels, DEPLOY + MIG);
        } else {
            labels.remove(DEPLOY + MIG);
        }
        return labels;
    }

    private static void keep(Map<String, String> labels, String label) {
        if (labels.getOrDefault(label, "").isEmpty()) {
            labels.put(label, "true");
        }
    }

    /** Name of the first node with a card whose system NFD has not told; empty if there is none. */
    Optional<String> withoutSystem() {
        return withCards().stream().filter(node -> system(node).isEmpty()).map(node -> node.key().name()).findFirst();
    }

    /**
     * What follows a driver's version in its image's tag. The operator reads the labels of one node and takes all to be
     * like it. (facts: cluster.md 1.1)
     *
     * @param precompiled the tag names the kernel too
     */
    String driverSuffix(boolean precompiled) {
        return withCards().stream().findFirst().map(node -> (precompiled
                ? node.labels().getOrDefault(NFD + "kernel-version.full", "") + "-" : "") + system(node).orElse(""))
                .orElse("");
    }

    private static Optional<String> system(StoredObject node) {
        String id = node.labels().getOrDefault(NFD + "system-os_release.ID", "");
        String version = node.labels().getOrDefault(NFD + "system-os_release.VERSION_ID", "");
        return id.isEmpty() || version.isEmpty() ? Optional.empty() : Optional.of(id + version);
    }
}
