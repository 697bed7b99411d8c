package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.data.DataFile;
import java.util.List;
import java.util.Map;

/**
 * Kubernetes as it is packaged, and what that leaves on its nodes; from {@code lab/kube/distributions.yaml}.
 * {@code {name}}, {@code {address}} and {@code {index}} are filled in.
 *
 * @param kubelet            part of its kubelet's version; empty fits any
 * @param os                 part of its nodes' OS image; empty fits any
 * @param podNetwork         the first three numbers of a node's pod network
 * @param providerId         empty for none
 * @param controlPlaneTaints {@code key=value:Effect}
 */
record Distribution(String name, String kubelet, String os, String podNetwork, String providerId,
                    Map<String, String> labels, Map<String, String> controlPlaneLabels,
                    Map<String, String> workerLabels, List<String> controlPlaneTaints,
                    Map<String, String> annotations) {
    Distribution {
        kubelet = kubelet == null ? "" : kubelet;
        os = os == null ? "" : os;
        providerId = providerId == null ? "" : providerId;
        labels = labels == null ? Map.of() : labels;
        controlPlaneLabels = controlPlaneLabels == null ? Map.of() : controlPlaneLabels;
        workerLabels = workerLabels == null ? Map.of() : workerLabels;
        controlPlaneTaints = controlPlaneTaints == null ? List.of() : controlPlaneTaints;
        annotations = annotations == null ? Map.of() : annotations;
    }

    private record Listing(List<Distribution> distributions) {
    }

    static List<Distribution> all() {
        return DataFile.read("kube/distributions.yaml", Listing.class).distributions();
    }

    /** The one a machine runs: the first that fits. */
    static Distribution of(List<Distribution> all, Machine machine) {
        return all.stream()
                .filter(one -> machine.kubelet().contains(one.kubelet()) && machine.osImage().contains(one.os()))
                .findFirst().orElseThrow();
    }
}
