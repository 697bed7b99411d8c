package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Simulation;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** A store, the scheduler and nothing else, on simulated time: nobody runs the pods, nobody ends them. */
final class SchedulerRig extends Simulation {
    private static final Instant BEGIN = Instant.parse("2026-09-01T08:00:00Z");

    /** @param window changes the store keeps for watchers */
    SchedulerRig(int window) {
        super(BEGIN, ResourceCatalog.load(), window);
        act(new Scheduler(plane));
    }

    SchedulerRig() {
        this(4096);
    }

    /** @param more YAML of metadata, spec and status that is laid over a worker with 4 CPUs and 8 GiB */
    void node(String name, String more) {
        ObjectNode node = yaml("""
                metadata: {labels: {kubernetes.io/hostname: %s}}
                spec: {}
                status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
                """.formatted(name));
        lay(node, yaml(more));
        store.create(NodeFacts.key(name), node);
    }

    void node(String name) {
        node(name, "{}");
    }

    /** @param more YAML that is laid over a pod of one container that asks for nothing */
    void pod(String name, String more) {
        ObjectNode pod = yaml("""
                metadata: {labels: {}}
                spec: {containers: [{name: main, image: busybox}]}
                status: {phase: Pending}
                """);
        lay(pod, yaml(more));
        store.create(pod(name), pod);
    }

    /** A pod whose container asks for something. @param requests YAML such as {@code cpu: 2} */
    void asking(String name, String requests, String more) {
        pod(name, "spec: {containers: [{name: main, image: busybox, resources: {requests: {" + requests + "}}}]}");
        change(pod(name), pod -> lay(pod, yaml(more)));
    }

    void asking(String name, String requests) {
        asking(name, requests, "{}");
    }

    void object(Resource resource, String namespace, String name, String yaml) {
        store.create(new ObjectKey(resource, namespace, name), yaml(yaml));
    }

    void lay(ObjectKey key, String more) {
        change(key, object -> lay(object, yaml(more)));
    }

    static ObjectKey pod(String name) {
        return new ObjectKey(Resource.PODS, "default", name);
    }

    JsonNode tree(String pod) {
        return store.get(pod(pod)).tree();
    }

    /** Node of a pod, empty if it is bound to none. */
    String nodeOf(String pod) {
        return tree(pod).at("/spec/nodeName").asText("");
    }

    List<String> nodesOf(String... pods) {
        return List.of(pods).stream().map(this::nodeOf).toList();
    }

    JsonNode scheduled(String pod) {
        return Conditions.find(tree(pod), "PodScheduled");
    }

    /** Why a pod is not bound, as its condition says it. */
    String why(String pod) {
        return scheduled(pod).path("message").asText("");
    }

    /** Events about a pod as {@code reason xcount: message}, oldest first. */
    List<String> events(String pod) {
        return store.list(Resource.EVENTS, "default").objects().stream().map(StoredObject::tree)
                .filter(event -> event.at("/involvedObject/name").asText().equals(pod))
                .sorted(Comparator.comparing(event -> event.path("firstTimestamp").asText()))
                .map(event -> event.path("reason").asText() + " x" + event.path("count").asInt() + ": "
                        + event.path("message").asText()).toList();
    }

    /** Asks a pod to go, with a minute's grace; nobody ends it. */
    void leave(String pod) {
        store.delete(pod(pod), 60, Preconditions.NONE);
    }

    void gone(String pod) {
        store.purge(pod(pod));
    }

    private static void lay(ObjectNode under, JsonNode over) {
        over.properties().forEach(field -> {
            if (field.getValue().isObject() && under.path(field.getKey()).isObject()) {
                lay((ObjectNode) under.path(field.getKey()), field.getValue());
            } else {
                under.set(field.getKey(), field.getValue());
            }
        });
    }
}
