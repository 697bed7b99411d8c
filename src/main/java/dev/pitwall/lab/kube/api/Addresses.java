package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.rules.Problem;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Gives services their cluster addresses and node ports, as the API server's allocators do. */
final class Addresses {
    /** The service network of RKE2 and k3s, for a cluster that does not show its own. */
    private static final String NETWORK = "10.43.";
    private static final ObjectKey API = new ObjectKey(Resource.SERVICES, "default", "kubernetes");
    private static final int FIRST_NODE_PORT = 30_000;
    private static final int LAST_NODE_PORT = 32_767;

    private final ObjectStore store;

    Addresses(ObjectStore store) {
        this.store = store;
    }

    /**
     * Gives a Service what it lacks of an address and of node ports, in place. Addresses are of the network that the
     * API server's own Service is in.
     *
     * @throws ApiFailure 422 if a wanted address is taken or no service address
     */
    void allocate(ObjectNode service) {
        ObjectNode spec = service.withObjectProperty("spec");
        String type = spec.path("type").asText("ClusterIP");
        if (type.equals("ExternalName")) {
            return;
        }
        Set<String> taken = new HashSet<>();
        Set<Integer> ports = new HashSet<>();
        String own = service.at("/metadata/uid").asText("");
        for (StoredObject other : store.list(Resource.SERVICES, "").objects()) {
            if (!other.uid().equals(own)) {
                JsonNode there = other.tree().path("spec");
                taken.add(there.path("clusterIP").asText(""));
                there.path("ports").forEach(port -> ports.add(port.path("nodePort").asInt(0)));
            }
        }
        address(service, spec, taken);
        if (!spec.has("ipFamilies")) {
            spec.putArray("ipFamilies").add("IPv4");
            spec.put("ipFamilyPolicy", "SingleStack");
        }
        if (type.equals("NodePort") || type.equals("LoadBalancer")) {
            nodePorts(spec, ports);
        }
    }

    private void address(ObjectNode service, ObjectNode spec, Set<String> taken) {
        String wanted = spec.path("clusterIP").asText("");
        if (wanted.isEmpty()) {
            spec.put("clusterIP", free(network(), service, taken));
        } else if (!wanted.equals("None") && taken.contains(wanted)) {
            throw ApiFailure.invalid("", "Service", service.at("/metadata/name").asText(), List.of(Problem.invalid(
                    "spec.clusterIPs", "[]string{\"" + wanted + "\"}",
                    "failed to allocate IP " + wanted + ": provided IP is already allocated")));
        }
        if (!spec.has("clusterIPs")) {
            spec.putArray("clusterIPs").add(spec.path("clusterIP").asText());
        }
    }

    private String network() {
        String api = store.find(API).map(found -> found.tree().at("/spec/clusterIP").asText("")).orElse("");
        return api.matches("\\d+\\.\\d+\\.\\d+\\.\\d+") ? api.replaceFirst("\\d+\\.\\d+$", "") : NETWORK;
    }

    /** The first free one from a place that the name decides, so that a lab's addresses repeat. */
    private static String free(String network, ObjectNode service, Set<String> taken) {
        int start = Math.floorMod((service.at("/metadata/namespace").asText() + "/"
                + service.at("/metadata/name").asText()).hashCode(), 65_000);
        for (int i = 0; ; i++) {
            int at = (start + i) % 65_000 + 20;
            String address = network + at / 256 + "." + at % 256;
            if (!taken.contains(address)) {
                return address;
            }
        }
    }

    private static void nodePorts(ObjectNode spec, Set<Integer> taken) {
        for (JsonNode port : spec.path("ports")) {
            if (port instanceof ObjectNode open && open.path("nodePort").asInt(0) == 0) {
                int next = FIRST_NODE_PORT + Math.floorMod(open.hashCode(), 2700);
                while (!taken.add(next)) {
                    next = next == LAST_NODE_PORT ? FIRST_NODE_PORT : next + 1;
                }
                open.put("nodePort", next);
            }
        }
    }
}
