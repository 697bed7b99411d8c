package dev.pitwall.lab.kube.control.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.network.Backend.OpenPort;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The EndpointSlices of Services: at most a hundred endpoints in each, those with the same ports together, each endpoint
 * in the slice where it was before. Pods that terminate stay until they have gone. [kubernetes:
 * staging/src/k8s.io/endpointslice/reconciler.go]
 */
final class Slices {
    static final String SERVICE = "kubernetes.io/service-name";
    private static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    private static final String SELF = "endpointslice-controller.k8s.io";
    /** {@code --max-endpoints-per-slice}. */
    private static final int MOST = 100;

    private final ControlPlane plane;
    private final ClusterHand hand;

    Slices(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.as("endpointslice-controller").hand();
    }

    /** A slice as it is to be; without a key it is yet to be made. */
    private record Draft(List<ObjectKey> key, ArrayNode ports, List<ObjectNode> endpoints) {
        boolean hasRoom() {
            return endpoints.size() < MOST;
        }
    }

    void write(ServiceFacts service, List<Backend> backends, Instant now) {
        List<Item> there = of(service.item().key());
        List<Draft> drafts = new ArrayList<>();
        byPorts(service, backends).forEach((ports, group) -> drafts.addAll(fill(service, there, ports, group)));
        if (drafts.isEmpty()) {
            // A Service without endpoints has one slice that says so.
            drafts.add(new Draft(there.stream().map(Item::key).limit(1).toList(), Json.object().putArray("ports"),
                    List.of()));
        }
        List<ObjectKey> kept = drafts.stream().flatMap(draft -> draft.key().stream()).toList();
        there.stream().map(Item::key).filter(key -> !kept.contains(key)).forEach(key -> hand.delete(key));
        drafts.forEach(draft -> write(service, draft, now));
    }

    private List<Item> of(ObjectKey service) {
        return plane.objects().in(ControlPlane.SLICES, service.namespace()).stream()
                .filter(slice -> service.name().equals(slice.object().labels().get(SERVICE))
                        && SELF.equals(slice.object().labels().get(MANAGED_BY))).toList();
    }

    private static Map<List<OpenPort>, List<Backend>> byPorts(ServiceFacts service, List<Backend> backends) {
        Map<List<OpenPort>, List<Backend>> groups = new LinkedHashMap<>();
        backends.forEach(backend -> groups.computeIfAbsent(backend.ports(service.ports()), p -> new ArrayList<>())
                .add(backend));
        return groups;
    }

    /** Each endpoint stays where it is; new ones go where there is room, and then into new slices. */
    private List<Draft> fill(ServiceFacts service, List<Item> there, List<OpenPort> open, List<Backend> group) {
        ArrayNode ports = Json.object().putArray("ports");
        // A port without a name has an empty one here.
        open.forEach(port -> port.into(ports.addObject().put("name", "")));
        Map<String, ObjectNode> wanted = new LinkedHashMap<>();
        group.forEach(backend -> wanted.put(backend.pod().uid(), endpoint(service, backend)));
        List<Draft> drafts = new ArrayList<>();
        for (Item slice : there) {
            if (slice.tree().path("ports").equals(ports)) {
                List<ObjectNode> kept = new ArrayList<>();
                for (JsonNode endpoint : slice.tree().path("endpoints")) {
                    ObjectNode still = wanted.remove(endpoint.at("/targetRef/uid").asText());
                    if (still != null) {
                        kept.add(still);
                    }
                }
                drafts.add(new Draft(List.of(slice.key()), ports, kept));
            }
        }
        for (ObjectNode endpoint : wanted.values()) {
            Draft room = drafts.stream().filter(Draft::hasRoom).findFirst().orElseGet(() -> {
                Draft made = new Draft(List.of(), ports, new ArrayList<>());
                drafts.add(made);
                return made;
            });
            room.endpoints().add(endpoint);
        }
        return drafts.stream().filter(draft -> !draft.endpoints().isEmpty()).toList();
    }

    private ObjectNode endpoint(ServiceFacts service, Backend backend) {
        ObjectNode endpoint = Json.object();
        endpoint.putArray("addresses").add(backend.address());
        boolean serving = backend.pod().ready();
        endpoint.putObject("conditions")
                .put("ready", service.publishesNotReady() || serving && !backend.terminates())
                .put("serving", serving).put("terminating", backend.terminates());
        String hostname = service.hostname(backend);
        if (!hostname.isEmpty()) {
            endpoint.put("hostname", hostname);
        }
        backend.target(endpoint);
        String zone = plane.nodes().find(backend.pod().node()).map(NodeFacts::labels)
                .map(labels -> labels.getOrDefault("topology.kubernetes.io/zone", "")).orElse("");
        if (!zone.isEmpty()) {
            endpoint.put("zone", zone);
        }
        return endpoint;
    }

    private void write(ServiceFacts service, Draft draft, Instant now) {
        ObjectKey key = draft.key().isEmpty()
                ? new ObjectKey(ControlPlane.SLICES, service.item().key().namespace(),
                plane.suffixes().name(service.name() + "-")) : draft.key().getFirst();
        if (draft.key().isEmpty()) {
            ObjectNode slice = Json.object();
            Owners.own(slice, service.item().object(), "v1", "Service");
            ((ObjectNode) slice.path("metadata")).put("generateName", service.name() + "-");
            slice.put("addressType", "IPv4");
            fill(service, draft, slice, now);
            hand.create(key, slice);
        } else {
            hand.change(key, slice -> fill(service, draft, slice, now));
        }
    }

    private static void fill(ServiceFacts service, Draft draft, ObjectNode slice, Instant now) {
        ObjectNode before = slice.deepCopy();
        ObjectNode labels = Labels.ofService(service, slice);
        labels.put(SERVICE, service.name()).put(MANAGED_BY, SELF);
        ArrayNode endpoints = slice.putArray("endpoints");
        draft.endpoints().forEach(endpoints::add);
        slice.set("ports", draft.ports());
        Labels.trigger(slice, before, now);
    }
}
