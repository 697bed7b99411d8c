package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The class of service a pod's requests and limits give it. */
final class Qos {
    private static final List<String> COUNTED = List.of("cpu", "memory");

    private Qos() {
    }

    /** {@code Guaranteed}, {@code Burstable} or {@code BestEffort}. */
    static String of(JsonNode spec) {
        List<JsonNode> containers = new ArrayList<>();
        spec.path("containers").forEach(containers::add);
        spec.path("initContainers").forEach(containers::add);
        boolean any = containers.stream().map(container -> container.path("resources")).anyMatch(resources ->
                COUNTED.stream().anyMatch(name -> resources.path("requests").has(name)
                        || resources.path("limits").has(name)));
        if (!any) {
            return "BestEffort";
        }
        boolean all = containers.stream().map(container -> container.path("resources")).allMatch(resources ->
                COUNTED.stream().allMatch(name -> resources.path("limits").has(name)
                        && (!resources.path("requests").has(name)
                        || resources.path("requests").path(name).equals(resources.path("limits").path(name)))));
        return all ? "Guaranteed" : "Burstable";
    }
}
