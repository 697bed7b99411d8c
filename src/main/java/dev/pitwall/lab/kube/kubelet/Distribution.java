package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Kubernetes as it is packaged, and what that leaves on its nodes; from {@code lab/kube/distributions.yaml}.
 * {@code {name}}, {@code {address}} and {@code {index}} are filled in.
 *
 * @param kubelet      part of its kubelet's version; empty fits any
 * @param os           part of its nodes' OS image; empty fits any
 * @param podNetwork   the first three numbers of a node's pod network
 * @param providerId   empty for none
 * @param masterTaints {@code key=value:Effect}
 */
record Distribution(String name, String kubelet, String os, String podNetwork, String providerId,
                    Map<String, String> labels, Map<String, String> masterLabels, Map<String, String> workerLabels,
                    List<String> masterTaints, Map<String, String> annotations) {
    Distribution {
        kubelet = kubelet == null ? "" : kubelet;
        os = os == null ? "" : os;
        providerId = providerId == null ? "" : providerId;
        labels = labels == null ? Map.of() : labels;
        masterLabels = masterLabels == null ? Map.of() : masterLabels;
        workerLabels = workerLabels == null ? Map.of() : workerLabels;
        masterTaints = masterTaints == null ? List.of() : masterTaints;
        annotations = annotations == null ? Map.of() : annotations;
    }

    private record Listing(List<Distribution> distributions) {
    }

    static List<Distribution> all() {
        try (InputStream in = Distribution.class.getResourceAsStream("/lab/kube/distributions.yaml")) {
            return new YAMLMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(in, Listing.class).distributions();
        } catch (IOException e) {
            throw new UncheckedIOException("lab/kube/distributions.yaml cannot be read", e);
        }
    }

    /** The one a machine runs: the first that fits. */
    static Distribution of(List<Distribution> all, Machine machine) {
        return all.stream()
                .filter(one -> machine.kubelet().contains(one.kubelet()) && machine.osImage().contains(one.os()))
                .findFirst().orElseThrow();
    }
}
