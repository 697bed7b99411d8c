package dev.pitwall.lab.kube.control.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.network.Backend.OpenPort;
import dev.pitwall.lab.kube.store.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What stands in a Service's Endpoints object: addresses that share their ports together, pods that are not ready apart.
 * Pods that terminate are left out, unless the Service publishes all. [kubernetes: endpoints_controller.go,
 * endpoints/util.go RepackSubsets]
 */
final class EndpointsObject {
    /** More addresses than this are cut off. */
    static final int MOST = 1000;

    private EndpointsObject() {
    }

    /** Pods that are behind a port. */
    private record Addresses(List<Backend> ready, List<Backend> others) {
    }

    static ArrayNode subsets(ServiceFacts service, List<Backend> backends) {
        Map<OpenPort, Addresses> byPort = new LinkedHashMap<>();
        List<Backend> plain = new ArrayList<>();
        for (Backend backend : shown(service, backends)) {
            backend.ports(service.ports()).forEach(port -> add(byPort, port, service, backend));
            plain.add(backend);
        }
        Map<Addresses, List<OpenPort>> alike = new LinkedHashMap<>();
        byPort.forEach((port, addresses) -> alike.computeIfAbsent(addresses, a -> new ArrayList<>()).add(port));
        if (service.ports().isEmpty() && !plain.isEmpty()) {
            Addresses all = new Addresses(new ArrayList<>(), new ArrayList<>());
            plain.forEach(backend -> put(all, service, backend));
            alike.put(all, List.of());
        }
        ArrayNode subsets = Json.object().putArray("subsets");
        alike.forEach((addresses, ports) -> write(subsets.addObject(), service, addresses, ports));
        return subsets;
    }

    /** Those that belong in it, ready ones first if they are too many. */
    private static List<Backend> shown(ServiceFacts service, List<Backend> backends) {
        List<Backend> shown = backends.stream()
                .filter(backend -> !backend.terminates() || service.publishesNotReady()).toList();
        return shown.size() <= MOST ? shown : shown.stream()
                .sorted(Comparator.comparing((Backend backend) -> !backend.pod().ready())).limit(MOST).toList();
    }

    /** True if not all addresses are in it. */
    static boolean isCut(ServiceFacts service, List<Backend> backends) {
        return backends.stream().filter(backend -> !backend.terminates() || service.publishesNotReady()).count() > MOST;
    }

    private static void add(Map<OpenPort, Addresses> byPort, OpenPort port, ServiceFacts service, Backend backend) {
        put(byPort.computeIfAbsent(port, p -> new Addresses(new ArrayList<>(), new ArrayList<>())), service, backend);
    }

    private static void put(Addresses addresses, ServiceFacts service, Backend backend) {
        boolean ready = service.publishesNotReady() || backend.pod().ready();
        (ready ? addresses.ready() : addresses.others()).add(backend);
    }

    private static void write(ObjectNode subset, ServiceFacts service, Addresses addresses, List<OpenPort> ports) {
        list(subset, "addresses", service, addresses.ready());
        list(subset, "notReadyAddresses", service, addresses.others());
        if (!ports.isEmpty()) {
            ArrayNode list = subset.putArray("ports");
            ports.forEach(port -> port.into(list.addObject()));
        }
    }

    private static void list(ObjectNode subset, String field, ServiceFacts service, List<Backend> backends) {
        if (backends.isEmpty()) {
            return;
        }
        ArrayNode list = subset.putArray(field);
        for (Backend backend : backends) {
            ObjectNode address = list.addObject().put("ip", backend.address());
            String hostname = service.hostname(backend);
            if (!hostname.isEmpty()) {
                address.put("hostname", hostname);
            }
            backend.target(address);
        }
    }
}
