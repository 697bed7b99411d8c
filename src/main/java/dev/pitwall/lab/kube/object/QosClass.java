package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The class of service that a pod's requests and limits give it, in Kubernetes' words. */
public enum QosClass {
    /** Each container is limited to what it asks for. */
    Guaranteed,
    Burstable,
    /** No container asks for anything or is limited. */
    BestEffort;

    private static final List<String> COUNTED = List.of("cpu", "memory");

    /** @param spec of the pod */
    public static QosClass of(JsonNode spec) {
        List<ObjectNode> containers = Containers.of(spec);
        if (containers.stream().noneMatch(QosClass::isStated)) {
            return BestEffort;
        }
        return containers.stream().allMatch(QosClass::isLimitedToItsRequests) ? Guaranteed : Burstable;
    }

    private static boolean isStated(JsonNode container) {
        JsonNode resources = container.path("resources");
        return COUNTED.stream().anyMatch(name ->
                resources.path("requests").has(name) || resources.path("limits").has(name));
    }

    private static boolean isLimitedToItsRequests(JsonNode container) {
        JsonNode requests = container.at("/resources/requests");
        JsonNode limits = container.at("/resources/limits");
        return COUNTED.stream().allMatch(name -> limits.has(name) && (!requests.has(name)
                || Quantities.of(requests.path(name)).compareTo(Quantities.of(limits.path(name))) == 0));
    }
}
