package dev.pitwall.lab.kube.control.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What is behind the Service {@code default/kubernetes}: the API servers, which write themselves there. They run on the
 * nodes of the control plane that are heard of.
 */
public final class ApiServerEndpoints implements Controller {
    private static final String NAME = "kubernetes";
    private static final String ROLE = "node-role.kubernetes.io/control-plane";
    private static final int PORT = 6443;

    private final ControlPlane plane;
    private final ClusterHand hand;
    private boolean dirty = true;

    public ApiServerEndpoints(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.hand().as("system:apiserver");
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.NODES, Resource.NAMESPACES);
    }

    @Override
    public void observe(Change change) {
        dirty |= switch (change) {
            case Change.Added added -> true;
            case Change.Modified modified -> modified.now().key().resource().equals(Resource.NODES)
                    && matters(plane.nodes().news());
            case Change.Deleted deleted -> true;
        };
    }

    private static boolean matters(Nodes.News news) {
        Optional<NodeFacts> before = news.before();
        Optional<NodeFacts> now = news.now();
        return before.isEmpty() || now.isEmpty() || before.get().isReady() != now.get().isReady()
                || isControlPlane(before.get()) != isControlPlane(now.get());
    }

    private static boolean isControlPlane(NodeFacts node) {
        return node.labels().containsKey(ROLE);
    }

    @Override
    public Instant act(Instant now) {
        if (dirty) {
            dirty = false;
            List<String> addresses = plane.nodes().all().stream().filter(ApiServerEndpoints::isControlPlane)
                    .filter(NodeFacts::isReady).map(ApiServerEndpoints::address).filter(ip -> !ip.isEmpty())
                    .sorted().toList();
            boolean there = plane.objects().find(new ObjectKey(Resource.NAMESPACES, "", "default")).isPresent();
            if (there && !addresses.isEmpty()) {
                write(Resource.ENDPOINTS, endpoints -> endpoints(endpoints, addresses));
                write(Resource.ENDPOINT_SLICES, slice -> slice(slice, addresses));
            }
        }
        return Instant.MAX;
    }

    private static String address(NodeFacts node) {
        for (JsonNode address : node.object().tree().at("/status/addresses")) {
            if (address.path("type").asText().equals("InternalIP")) {
                return address.path("address").asText();
            }
        }
        return "";
    }

    private void write(Resource resource, Consumer<ObjectNode> fill) {
        ObjectKey key = new ObjectKey(resource, "default", NAME);
        if (hand.change(key, fill).isEmpty()) {
            ObjectNode made = Json.object();
            fill.accept(made);
            hand.create(key, made);
        }
    }

    private static void endpoints(ObjectNode endpoints, List<String> addresses) {
        endpoints.withObjectProperty("metadata").withObjectProperty("labels")
                .put("endpointslice.kubernetes.io/skip-mirror", "true");
        ObjectNode subset = endpoints.putArray("subsets").addObject();
        ArrayNode list = subset.putArray("addresses");
        addresses.forEach(address -> list.addObject().put("ip", address));
        port(subset.putArray("ports"));
    }

    private static void slice(ObjectNode slice, List<String> addresses) {
        slice.withObjectProperty("metadata").withObjectProperty("labels").put(Slices.SERVICE, NAME);
        slice.put("addressType", "IPv4");
        ArrayNode endpoints = slice.putArray("endpoints");
        for (String address : addresses) {
            ObjectNode endpoint = endpoints.addObject();
            endpoint.putArray("addresses").add(address);
            endpoint.putObject("conditions").put("ready", true);
        }
        port(slice.putArray("ports"));
    }

    private static void port(ArrayNode ports) {
        ports.addObject().put("name", "https").put("port", PORT).put("protocol", "TCP");
    }
}
