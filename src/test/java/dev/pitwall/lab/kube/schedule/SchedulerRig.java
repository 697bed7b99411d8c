package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlLoop;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.Suffixes;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** A store, the scheduler and nothing else, on simulated time: nobody runs the pods, nobody ends them. */
final class SchedulerRig implements AutoCloseable {
    private static final ObjectMapper YAML = new YAMLMapper();

    private Instant now = Instant.parse("2026-09-01T08:00:00Z");
    final ObjectStore store;
    private final ControlLoop loop;

    /** @param window changes the store keeps for watchers */
    SchedulerRig(int window) {
        World world = new World(new LabClock(() -> now), 1);
        ClusterClock clock = new ClusterClock(world.clock());
        store = new ObjectStore(clock, ResourceCatalog.load(), window);
        ClusterHand hand = new ClusterHand(store, request -> { }, "admin");
        KnownObjects objects = new KnownObjects(ControlPlane.KNOWN);
        Pods pods = new Pods();
        Nodes nodes = new Nodes();
        ControlPlane plane = new ControlPlane(hand, new EventRecorder(store, now), clock,
                new Suffixes(new Random(1)), pods, nodes, objects);
        loop = new ControlLoop(world, store, clock, List.of(pods, nodes, objects, new Scheduler(plane)));
    }

    SchedulerRig() {
        this(4096);
    }

    static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) YAML.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void pass(long seconds) {
        Instant from = now;
        now = now.plusSeconds(seconds);
        loop.live(from, now);
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

    void change(ObjectKey key, Consumer<ObjectNode> change) {
        ObjectNode object = store.get(key).copy();
        change.accept(object);
        store.update(key, object);
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

    @Override
    public void close() {
        loop.close();
        store.close();
    }
}
