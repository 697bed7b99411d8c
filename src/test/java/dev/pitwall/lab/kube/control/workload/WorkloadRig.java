package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlLoop;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.Suffixes;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A store, the workload controllers and {@link TinyKubelets}, on simulated time. */
final class WorkloadRig implements AutoCloseable {
    static final String NAMESPACE = "default";
    static final Instant BEGIN = Instant.parse("2026-09-01T08:00:00Z");

    private Instant now = BEGIN;
    private final ClusterClock clock;
    final ObjectStore store;
    final ClusterHand hand;
    final Pods pods = new Pods();
    final TinyKubelets kubelets;
    private final ControlLoop loop;
    /** Asked of each object that is to be created or changed; it throws what admission would. */
    Admission admission = request -> { };

    /** @param watcher called after each round of the controllers, to look at what is between */
    WorkloadRig(Consumer<WorkloadRig> watcher) {
        World world = new World(new LabClock(() -> now), 1);
        this.clock = new ClusterClock(world.clock());
        this.store = new ObjectStore(clock, ResourceCatalog.load(), 4096);
        this.hand = new ClusterHand(store, request -> admission.admit(request), "admin");
        Nodes nodes = new Nodes();
        KnownObjects objects = new KnownObjects(ControlPlane.KNOWN);
        ControlPlane plane = new ControlPlane(hand, new EventRecorder(store, BEGIN), clock,
                new Suffixes(new Random(1)), pods, nodes, objects);
        this.kubelets = new TinyKubelets(hand, pods, nodes);
        Controller look = new Look(() -> watcher.accept(this));
        this.loop = new ControlLoop(world, store, clock, List.of(pods, nodes, objects,
                new Deployments(plane.as("deployment-controller")), new ReplicaSets(plane.as("replicaset-controller")),
                new DaemonSets(plane.as("daemon-set-controller")), kubelets, look));
    }

    static WorkloadRig plain() {
        return new WorkloadRig(rig -> { });
    }

    private record Look(Runnable look) implements Controller {
        @Override
        public Set<Resource> watches() {
            return Set.of(Resource.PODS);
        }

        @Override
        public void observe(Change change) {
        }

        @Override
        public Instant act(Instant now) {
            look.run();
            return Instant.MAX;
        }
    }

    void pass(long seconds) {
        Instant from = now;
        now = now.plusSeconds(seconds);
        loop.live(from, now);
    }

    Instant now() {
        return now;
    }

    StoredObject create(Resource resource, String yaml) {
        ObjectNode object = yaml(yaml);
        String namespace = resource.equals(Resource.NODES) ? "" : NAMESPACE;
        return hand.create(new ObjectKey(resource, namespace, object.at("/metadata/name").asText()), object);
    }

    static ObjectNode yaml(String yaml) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A node that is ready. @param labels as {@code key: value, …} */
    void node(String name, String labels) {
        create(Resource.NODES, "{metadata: {name: " + name + ", labels: {" + labels + "}}, spec: {}, "
                + "status: {conditions: [{type: Ready, status: 'True'}], allocatable: {pods: '110'}}}");
    }

    void change(Resource resource, String name, Consumer<ObjectNode> change) {
        hand.change(key(resource, name), change);
    }

    /** Sets the first container's image. */
    void image(Resource resource, String name, String image) {
        change(resource, name, tree -> ((ObjectNode) tree.at("/spec/template/spec/containers/0")).put("image", image));
    }

    void spec(Resource resource, String name, Consumer<ObjectNode> change) {
        change(resource, name, tree -> change.accept((ObjectNode) tree.path("spec")));
    }

    static ObjectKey key(Resource resource, String name) {
        return new ObjectKey(resource, resource.equals(Resource.NODES) ? "" : NAMESPACE, name);
    }

    ObjectNode get(Resource resource, String name) {
        return store.get(key(resource, name)).copy();
    }

    KnownObjects.Item item(Resource resource, String name) {
        return new KnownObjects.Item(store.get(key(resource, name)));
    }

    JsonNode status(Resource resource, String name) {
        return get(resource, name).path("status");
    }

    /** {@code status reason message} of a condition. */
    String condition(Resource resource, String name, String type) {
        for (JsonNode condition : status(resource, name).path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText() + " " + condition.path("reason").asText() + " "
                        + condition.path("message").asText();
            }
        }
        return "none";
    }

    List<ObjectNode> all(Resource resource) {
        return store.list(resource, "").objects().stream().map(StoredObject::copy).toList();
    }

    /** ReplicaSets, those of the lowest revision first. */
    List<ObjectNode> sets() {
        return all(Resource.REPLICA_SETS).stream().sorted(Comparator.comparingInt(set -> Integer.parseInt(
                note(set, RevisionNotes.REVISION)))).toList();
    }

    static String note(JsonNode object, String annotation) {
        return object.at("/metadata/annotations").path(annotation).asText("0");
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    /** Pods as they are in the store, by name. */
    List<PodFacts> pods() {
        return store.list(Resource.PODS, "").objects().stream().map(PodFacts::of).toList();
    }

    List<PodFacts> active() {
        return pods().stream().filter(PodFacts::isActive).toList();
    }

    /** How many pods have what value. */
    <T> Map<T, Long> count(Function<PodFacts, T> value) {
        return pods().stream().collect(Collectors.groupingBy(value, Collectors.counting()));
    }

    static String image(PodFacts pod) {
        return pod.object().tree().at("/spec/containers/0/image").asText();
    }

    /** Texts of events about an object, as {@code reason: message}, in their order. */
    List<String> events(String kind, String name) {
        return all(Resource.EVENTS).stream()
                .filter(event -> event.at("/involvedObject/kind").asText().equals(kind)
                        && event.at("/involvedObject/name").asText().equals(name))
                .sorted(Comparator.comparing(event -> Long.parseLong(name(event).substring(
                        name(event).lastIndexOf('.') + 1), 16)))
                .map(event -> event.path("reason").asText() + ": " + event.path("message").asText()).toList();
    }

    @Override
    public void close() {
        loop.close();
        store.close();
    }
}
