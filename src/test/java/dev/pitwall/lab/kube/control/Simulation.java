package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.store.FieldIndex;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** A store and what controllers share, on simulated time; a test or its rig says which controllers act. */
public class Simulation implements AutoCloseable {
    private static final int WINDOW = 4096;

    private Instant now;
    private Optional<ControlLoop> loop = Optional.empty();
    private final List<Controller> controllers = new ArrayList<>();
    public final World world;
    public final ClusterClock clock;
    public final ObjectStore store;
    public final ClusterHand hand;
    public final EventRecorder events;
    public final Pods pods = new Pods();
    public final Nodes nodes = new Nodes();
    public final KnownObjects objects = new KnownObjects(ControlPlane.KNOWN);
    public final ControlPlane plane;
    /** Asked of each object that is to be created or changed through the hand. */
    public Admission admission = request -> { };

    /** With the fields that the API server's catalogue knows. */
    public Simulation(Instant begin) {
        this(begin, ResourceCatalog.load(), WINDOW);
    }

    /** @param window changes the store keeps for watchers */
    public Simulation(Instant begin, FieldIndex fields, int window) {
        this(begin, fields, window, now -> new LabClock(now::get));
    }

    /** @param time makes the lab's clock, as a rule from the simulated time */
    protected Simulation(Instant begin, FieldIndex fields, int window, Function<Supplier<Instant>, LabClock> time) {
        this.now = begin;
        this.world = new World(time.apply(() -> now), 1);
        this.clock = new ClusterClock(world.clock());
        this.store = new ObjectStore(clock, fields, window);
        this.hand = new ClusterHand(store, request -> admission.admit(request), "admin");
        this.events = new EventRecorder(store, begin);
        this.plane = new ControlPlane(hand, events, clock, new Suffixes(new Random(1)), pods, nodes, objects);
        controllers.addAll(List.of(pods, nodes, objects));
    }

    /** Puts controllers behind those that are there; before time passes. */
    public final void act(Controller... more) {
        controllers.addAll(List.of(more));
    }

    /** Made when it is first asked for. */
    protected final ControlLoop loop() {
        ControlLoop there = loop.orElseGet(() -> new ControlLoop(world, store, clock, controllers));
        loop = Optional.of(there);
        return there;
    }

    public final void pass(long seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    public final void pass(Duration time) {
        Instant from = now;
        now = now.plus(time);
        loop().live(from, now);
    }

    /** Time passes in which nobody has come to act: the controllers see only its end. */
    public final void skip(long seconds) {
        now = now.plusSeconds(seconds);
        loop().live(now, now);
    }

    public final Instant now() {
        return now;
    }

    /** Changes an object past admission. */
    public final void change(ObjectKey key, Consumer<ObjectNode> change) {
        ObjectNode object = store.get(key).copy();
        change.accept(object);
        store.update(key, object);
    }

    public static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        loop.ifPresent(ControlLoop::close);
        store.close();
    }
}
