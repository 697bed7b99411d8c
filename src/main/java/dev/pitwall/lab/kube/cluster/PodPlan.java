package dev.pitwall.lab.kube.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a pod of the lab is made from. */
final class PodPlan {
    final String namespace;
    final String app;
    final Map<String, String> labels = new LinkedHashMap<>();
    final Map<String, String> annotations = new LinkedHashMap<>();
    final List<Container> init = new ArrayList<>();
    final List<Toleration> tolerations = new ArrayList<>();
    final Map<String, String> nodeSelector = new LinkedHashMap<>();
    Container main;
    Optional<Owner> owner = Optional.empty();
    String runtimeClass = "";
    String priorityClass = "";
    String restartPolicy = "Always";
    /** For a DaemonSet's pod: the node its affinity names. */
    String boundTo = "";
    /** A node label the pod requires, with its value; empty for none. */
    String nodeLabel = "";
    String nodeLabelValue = "";
    boolean hostNetwork;
    int graceSeconds = 30;

    PodPlan(String namespace, String app) {
        this.namespace = namespace;
        this.app = app;
    }

    /**
     * @param requests quantities by resource; {@code nvidia.com/gpu} is put into the limits as well
     * @param port     0 for none
     */
    record Container(String name, String image, Map<String, String> requests, Map<String, String> limits, int port,
                     String portName) {
        static Container plain(String name, String image) {
            return new Container(name, image, Map.of(), Map.of(), 0, "");
        }
    }

    /** @param value empty with operator Exists */
    record Toleration(String key, String operator, String value, String effect) {
        static final Toleration ALL = new Toleration("", "Exists", "", "");

        /** @param taint {@code key=value:Effect} */
        boolean tolerates(String taint) {
            String[] parts = taint.split("[=:]");
            String taintKey = parts[0];
            String taintValue = parts.length == 3 ? parts[1] : "";
            String taintEffect = parts[parts.length - 1];
            boolean sameKey = key.isEmpty() || key.equals(taintKey);
            boolean sameEffect = effect.isEmpty() || effect.equals(taintEffect);
            return sameKey && sameEffect && (operator.equals("Exists") || value.equals(taintValue));
        }
    }

    boolean tolerates(List<String> taints) {
        return taints.stream().filter(taint -> !taint.endsWith(":PreferNoSchedule"))
                .allMatch(taint -> tolerations.stream().anyMatch(toleration -> toleration.tolerates(taint)));
    }
}
