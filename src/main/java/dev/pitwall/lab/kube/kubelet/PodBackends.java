package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.container.Backends;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The sockets that speak for the ports of pods and of services. Safe for any number of threads. */
public final class PodBackends implements Backends {
    private final Kubelets kubelets;
    private final ObjectStore store;

    PodBackends(Kubelets kubelets, ObjectStore store) {
        this.kubelets = kubelets;
        this.store = store;
    }

    @Override
    public Optional<URI> pod(String namespace, String name, int port) {
        return kubelets.locked(now -> kubelets.find(namespace, name).stream().flatMap(PodWork::cells)
                .flatMap(cell -> cell.running().stream())
                .flatMap(run -> run.program().backend(run, port).stream()).findFirst());
    }

    /** The first ready pod behind a service that listens. */
    @Override
    public Optional<URI> service(String namespace, String name, int port) {
        Optional<JsonNode> service = store.find(new ObjectKey(Resource.SERVICES, namespace, name))
                .map(StoredObject::tree);
        Map<String, String> selector = new TreeMap<>();
        service.ifPresent(found -> found.at("/spec/selector").properties()
                .forEach(entry -> selector.put(entry.getKey(), entry.getValue().asText())));
        if (selector.isEmpty()) {
            return Optional.empty();
        }
        JsonNode target = target(service.get(), port);
        return store.list(Resource.PODS, namespace).objects().stream()
                .filter(pod -> pod.labels().entrySet().containsAll(selector.entrySet()) && isReady(pod))
                .flatMap(pod -> pod(namespace, pod.key().name(), number(pod, target)).stream()).findFirst();
    }

    private boolean isReady(StoredObject pod) {
        return kubelets.locked(now -> kubelets.find(pod.key().namespace(), pod.key().name())
                .filter(work -> work.main.stream().allMatch(cell -> cell.ready)).isPresent());
    }

    private static JsonNode target(JsonNode service, int port) {
        for (JsonNode each : service.at("/spec/ports")) {
            if (each.path("port").asInt() == port) {
                return each.has("targetPort") ? each.path("targetPort") : each.path("port");
            }
        }
        return service.path("none");
    }

    private static int number(StoredObject pod, JsonNode target) {
        if (!target.isTextual()) {
            return target.asInt();
        }
        for (JsonNode container : pod.tree().at("/spec/containers")) {
            for (JsonNode named : container.path("ports")) {
                if (named.path("name").asText("").equals(target.asText())) {
                    return named.path("containerPort").asInt();
                }
            }
        }
        return 0;
    }
}
