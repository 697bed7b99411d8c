package dev.pitwall.lab.kube.control.network;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.object.Selector;
import java.util.ArrayList;
import java.util.List;

/**
 * What decides over a Service's endpoints.
 *
 * @param isSelecting false if somebody else says what is behind it
 */
record ServiceFacts(Item item, boolean isSelecting, Selector selector, boolean headless, boolean publishesNotReady,
                    List<Port> ports) {
    /** Label of what belongs to a Service without an address of its own. */
    static final String HEADLESS = "service.kubernetes.io/headless";

    /** One port of a Service. @param targetName empty if it leads to a number */
    record Port(String name, String protocol, String appProtocol, String targetName, int targetNumber) {
        static Port of(JsonNode port) {
            JsonNode target = port.path("targetPort");
            int number = port.path("port").asInt();
            boolean byName = target.isTextual() && !target.asText().isEmpty();
            return new Port(port.path("name").asText(""), port.path("protocol").asText("TCP"),
                    port.path("appProtocol").asText(""), byName ? target.asText() : "",
                    byName ? 0 : target.asInt(0) == 0 ? number : target.asInt());
        }
    }

    static ServiceFacts of(Item service) {
        JsonNode spec = service.tree().path("spec");
        List<Port> ports = new ArrayList<>();
        spec.path("ports").forEach(port -> ports.add(Port.of(port)));
        boolean external = spec.path("type").asText("").equals("ExternalName");
        return new ServiceFacts(service, !spec.path("selector").isEmpty() && !external,
                Selector.ofMap(spec.path("selector")), spec.path("clusterIP").asText("").equals("None"),
                spec.path("publishNotReadyAddresses").asBoolean(false), List.copyOf(ports));
    }

    String name() {
        return item.key().name();
    }

    /** The pod's name under a headless Service; empty if it has none under this one. */
    String hostname(Backend backend) {
        return backend.subdomain().equals(name()) ? backend.hostname() : "";
    }
}
