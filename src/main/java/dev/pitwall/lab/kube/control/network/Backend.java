package dev.pitwall.lab.kube.control.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Containers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A pod as a Service sees it.
 *
 * @param address  its IP; empty while it has none
 * @param named    its container ports by {@code name/protocol}
 * @param hostname its name under a headless Service; empty for none
 */
record Backend(PodFacts pod, String address, Map<String, Integer> named, String hostname, String subdomain) {

    static Backend of(PodFacts pod) {
        JsonNode spec = pod.object().tree().path("spec");
        Map<String, Integer> named = new HashMap<>();
        spec.path("containers").forEach(container -> ports(container, named));
        for (JsonNode init : spec.path("initContainers")) {
            if (Containers.isSidecar(init)) {
                ports(init, named);
            }
        }
        return new Backend(pod, pod.address(), Map.copyOf(named), spec.path("hostname").asText(""),
                spec.path("subdomain").asText(""));
    }

    private static void ports(JsonNode container, Map<String, Integer> named) {
        for (JsonNode port : container.path("ports")) {
            if (port.hasNonNull("name")) {
                named.putIfAbsent(port.path("name").asText() + "/" + port.path("protocol").asText("TCP"),
                        port.path("containerPort").asInt());
            }
        }
    }

    /** True if something about a pod has changed that a Service's endpoints show. */
    static boolean differ(PodFacts one, PodFacts other) {
        return one.ready() != other.ready() || one.isDone() != other.isDone()
                || one.deletion().isPresent() != other.deletion().isPresent()
                || !one.uid().equals(other.uid()) || !one.node().equals(other.node())
                || !one.address().equals(other.address()) || !one.labels().equals(other.labels());
    }

    boolean terminates() {
        return pod.deletion().isPresent();
    }

    /** The port that a Service's port leads to; empty if no container has one of that name. */
    OptionalInt port(ServiceFacts.Port port) {
        if (port.targetName().isEmpty()) {
            return OptionalInt.of(port.targetNumber());
        }
        Integer found = named.get(port.targetName() + "/" + port.protocol());
        return found == null ? OptionalInt.empty() : OptionalInt.of(found);
    }

    /** All ports that a Service's ports lead to. */
    List<OpenPort> ports(List<ServiceFacts.Port> wanted) {
        List<OpenPort> open = new ArrayList<>();
        wanted.forEach(port -> port(port).ifPresent(number ->
                open.add(new OpenPort(port.name(), number, port.protocol(), port.appProtocol()))));
        return List.copyOf(open);
    }

    /** A port that is open behind a Service. */
    record OpenPort(String name, int number, String protocol, String appProtocol) {
        ObjectNode into(ObjectNode port) {
            if (!name.isEmpty()) {
                port.put("name", name);
            }
            port.put("port", number).put("protocol", protocol);
            if (!appProtocol.isEmpty()) {
                port.put("appProtocol", appProtocol);
            }
            return port;
        }
    }

    /** Writes which pod it is. */
    void target(ObjectNode into) {
        into.put("nodeName", pod.node());
        into.putObject("targetRef").put("kind", "Pod").put("namespace", pod.key().namespace())
                .put("name", pod.key().name()).put("uid", pod.uid());
    }
}
