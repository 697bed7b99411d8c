package dev.pitwall.lab.kube.control.upkeep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.ServedKinds;
import dev.pitwall.lab.kube.admit.AdmissionChain;
import dev.pitwall.lab.kube.api.Gate;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlLoop;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.Kinds;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.Suffixes;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/** An empty cluster on simulated time with some controllers, and nothing that runs pods. */
public final class UpkeepRig implements AutoCloseable {
    private Instant now = Instant.parse("2026-11-30T12:00:00Z");
    public final World world = new World(new LabClock(() -> now), 1);
    public final ResourceCatalog catalog = ResourceCatalog.load();
    public final ClusterClock clock = new ClusterClock(world.clock());
    public final ObjectStore store = new ObjectStore(clock, catalog, 4096);
    public final ClusterHand hand = new ClusterHand(store,
            new Gate(catalog, store, new AdmissionChain(store, List.of()), clock).inside(), "admin");
    public final Kinds kinds = new ServedKinds(catalog);
    private final ControlLoop loop;

    /** What controllers are made of. */
    public record Parts(ControlPlane plane, Kinds kinds, World world) {
    }

    /** @param controllers what comes after those that know pods, nodes and objects */
    public UpkeepRig(Function<Parts, List<Controller>> controllers) {
        Pods pods = new Pods();
        Nodes nodes = new Nodes();
        KnownObjects objects = new KnownObjects(ControlPlane.KNOWN);
        ControlPlane plane = new ControlPlane(hand, new EventRecorder(store, now), clock,
                new Suffixes(new Random(1)), pods, nodes, objects);
        List<Controller> all = new ArrayList<>(List.of(pods, nodes, objects));
        all.addAll(controllers.apply(new Parts(plane, kinds, world)));
        this.loop = new ControlLoop(world, store, clock, all);
        for (String namespace : List.of("default", "kube-system")) {
            put("v1", "Namespace", "", namespace, "{spec: {finalizers: [kubernetes]}, status: {phase: Active}}");
            put("v1", "ServiceAccount", namespace, "default", "{}");
        }
    }

    public void pass(long seconds) {
        Instant from = now;
        now = now.plusSeconds(seconds);
        loop.live(from, now);
    }

    public void pass(Duration time) {
        pass(time.toSeconds());
    }

    public Instant now() {
        return now;
    }

    public ObjectKey key(String apiVersion, String kind, String namespace, String name) {
        return new ObjectKey(kinds.findByApiVersion(apiVersion, kind).orElseThrow(), namespace, name);
    }

    /** Creates an object past admission. @param yaml its body, in YAML's flow style */
    public StoredObject put(String apiVersion, String kind, String namespace, String name, String yaml) {
        return store.create(key(apiVersion, kind, namespace, name), tree(yaml));
    }

    public static ObjectNode tree(String yaml) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An owner reference to an object, for a body of {@link #put}. */
    public static String owner(String apiVersion, String kind, StoredObject owner) {
        return "{apiVersion: " + apiVersion + ", kind: " + kind + ", name: " + owner.key().name() + ", uid: "
                + owner.uid() + ", controller: true, blockOwnerDeletion: true}";
    }

    public void change(ObjectKey key, Consumer<ObjectNode> change) {
        ObjectNode body = store.get(key).copy();
        change.accept(body);
        store.update(key, body);
    }

    public JsonNode get(ObjectKey key) {
        return store.get(key).tree();
    }

    public boolean has(ObjectKey key) {
        return store.find(key).isPresent();
    }

    public List<StoredObject> all(Resource resource, String namespace) {
        return store.list(resource, namespace).objects();
    }

    /** {@code Reason: message} of the events about objects of a name, in any namespace. */
    public List<String> events(String about) {
        return all(Resource.EVENTS, "").stream().map(StoredObject::tree)
                .filter(event -> event.at("/involvedObject/name").asText().equals(about))
                .map(event -> event.path("reason").asText() + ": " + event.path("message").asText()).toList();
    }

    /** A condition as {@code Status/Reason/message}. */
    public static String condition(JsonNode object, String type) {
        for (JsonNode each : object.at("/status/conditions")) {
            if (each.path("type").asText().equals(type)) {
                return each.path("status").asText() + "/" + each.path("reason").asText() + "/"
                        + each.path("message").asText();
            }
        }
        return "";
    }

    @Override
    public void close() {
        loop.close();
        store.close();
    }
}
