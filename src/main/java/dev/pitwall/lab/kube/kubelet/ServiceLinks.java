package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The variables by which containers are told of services: those of their namespace, and the API server's. */
final class ServiceLinks {
    private final ObjectStore store;

    ServiceLinks(ObjectStore store) {
        this.store = store;
    }

    Map<String, String> of(JsonNode pod) {
        String namespace = pod.at("/metadata/namespace").asText();
        List<StoredObject> services = new ArrayList<>();
        if (pod.at("/spec/enableServiceLinks").asBoolean(true)) {
            services.addAll(store.list(Resource.SERVICES, namespace).objects());
        }
        if (!namespace.equals("default") || services.isEmpty()) {
            store.find(new ObjectKey(Resource.SERVICES, "default", "kubernetes")).ifPresent(services::add);
        }
        Map<String, String> values = new LinkedHashMap<>();
        services.forEach(service -> add(values, service));
        return values;
    }

    private static void add(Map<String, String> values, StoredObject service) {
        JsonNode spec = service.tree().path("spec");
        String address = spec.path("clusterIP").asText("");
        JsonNode ports = spec.path("ports");
        if (address.isEmpty() || address.equals("None") || ports.isEmpty()) {
            return;
        }
        String name = service.key().name().toUpperCase(Locale.ROOT).replace('-', '_');
        values.put(name + "_SERVICE_HOST", address);
        values.put(name + "_SERVICE_PORT", ports.path(0).path("port").asText());
        for (JsonNode port : ports) {
            String named = port.path("name").asText("");
            if (!named.isEmpty()) {
                values.put(name + "_SERVICE_PORT_" + named.toUpperCase(Locale.ROOT).replace('-', '_'),
                        port.path("port").asText());
            }
        }
        String first = protocol(ports.path(0));
        values.put(name + "_PORT", first + "://" + address + ":" + ports.path(0).path("port").asText());
        for (JsonNode port : ports) {
            String number = port.path("port").asText();
            String protocol = protocol(port);
            String prefix = name + "_PORT_" + number + "_" + protocol.toUpperCase(Locale.ROOT);
            values.put(prefix, protocol + "://" + address + ":" + number);
            values.put(prefix + "_PROTO", protocol);
            values.put(prefix + "_PORT", number);
            values.put(prefix + "_ADDR", address);
        }
    }

    private static String protocol(JsonNode port) {
        return port.path("protocol").asText("TCP").toLowerCase(Locale.ROOT);
    }
}
