package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.admit.Admission;
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
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/** A store, some controllers and a stand-in for kubelets, on simulated time. */
final class WorkloadLab implements AutoCloseable {
    static final Instant BEGIN = Instant.parse("2026-09-01T08:00:00Z");
    static final String NAMESPACE = "default";

    private final World world;
    private final List<Admission> admissions = new ArrayList<>();
    private final ControlLoop loop;
    private Instant now = BEGIN;
    final ObjectStore store;
    final ClusterHand hand;
    final Pods pods = new Pods();
    final PodRunner runner;

    /** @param controllers what is tested, in their order */
    WorkloadLab(Function<ControlPlane, List<Controller>> controllers) {
        this.world = new World(new LabClock(() -> now), 1);
        ClusterClock clock = new ClusterClock(world.clock());
        this.store = new ObjectStore(clock, (resource, object) -> Map.of(), 4096);
        this.hand = new ClusterHand(store, request -> admissions.forEach(one -> one.admit(request)), "admin");
        Nodes nodes = new Nodes();
        KnownObjects objects = new KnownObjects(ControlPlane.KNOWN);
        ControlPlane plane = new ControlPlane(hand, new EventRecorder(store, BEGIN), clock, new Suffixes(new Random(1)),
                pods, nodes, objects);
        this.runner = new PodRunner(hand, pods);
        List<Controller> all = new ArrayList<>(List.of(pods, nodes, objects));
        all.addAll(controllers.apply(plane));
        all.add(runner);
        this.loop = new ControlLoop(world, store, clock, all);
    }

    void admit(Admission admission) {
        admissions.add(admission);
    }

    /** Lives on for a while. */
    void live(long seconds) {
        Instant from = now;
        now = now.plusSeconds(seconds);
        loop.live(from, now);
    }

    Instant now() {
        return now;
    }

    static ObjectKey key(Resource resource, String name) {
        return new ObjectKey(resource, NAMESPACE, name);
    }

    StoredObject create(Resource resource, String name, String yaml) {
        return store.create(key(resource, name), yaml(yaml));
    }

    void change(Resource resource, String name, Consumer<ObjectNode> change) {
        hand.change(key(resource, name), change);
    }

    JsonNode get(Resource resource, String name) {
        return store.get(key(resource, name)).tree();
    }

    boolean has(Resource resource, String name) {
        return store.find(key(resource, name)).isPresent();
    }

    List<String> names(Resource resource) {
        return store.list(resource, NAMESPACE).objects().stream().map(object -> object.key().name()).toList();
    }

    /** Pods by their age and name. */
    List<PodFacts> podsOf(StoredObject owner) {
        return store.list(Resource.PODS, NAMESPACE).objects().stream().map(PodFacts::of)
                .filter(pod -> pod.ownerUid().equals(owner.uid()))
                .sorted(Comparator.comparing(PodFacts::created).thenComparing(pod -> pod.key().name())).toList();
    }

    List<JsonNode> podTrees(StoredObject owner) {
        return podsOf(owner).stream().<JsonNode>map(pod -> pod.object().tree()).toList();
    }

    /** Reasons of the events about an object, in the order they were first told. */
    List<String> reasons(StoredObject about) {
        return events(about).stream().map(event -> event.path("reason").asText()).toList();
    }

    List<String> messages(StoredObject about) {
        return events(about).stream().map(event -> event.path("message").asText()).toList();
    }

    private List<ObjectNode> events(StoredObject about) {
        return store.list(Resource.EVENTS, "").objects().stream()
                .sorted(Comparator.comparing(object -> object.key().name())).map(StoredObject::copy)
                .filter(event -> event.at("/involvedObject/uid").asText().equals(about.uid()))
                .sorted(Comparator.comparing(event -> event.path("firstTimestamp").asText())).toList();
    }

    static List<String> conditions(JsonNode object) {
        List<String> said = new ArrayList<>();
        object.at("/status/conditions").forEach(condition -> said.add(condition.path("type").asText() + "="
                + condition.path("status").asText() + " " + condition.path("reason").asText()));
        return said;
    }

    static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        loop.close();
        store.close();
    }
}
