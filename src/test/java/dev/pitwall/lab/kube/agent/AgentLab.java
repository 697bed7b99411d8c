package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlLoop;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.scene.SceneException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A store, a loop and a hand, in which agents live through moments that a test chooses. */
public final class AgentLab {
    public static final Instant NOW = Instant.parse("2026-08-22T08:00:00Z");

    public final World world;
    public final ClusterClock clock;
    public final ObjectStore store;
    public final Pods pods = new Pods();
    public final EventRecorder events;
    private final List<Admission> admissions = new ArrayList<>();
    private final List<Controller> controllers = new ArrayList<>(List.of(pods));
    public final ClusterHand hand;
    private ControlLoop loop;
    private Instant moment = NOW;

    public AgentLab(String scene) throws SceneException {
        this.world = new World(new LabClock(InstantSource.fixed(NOW)), 1);
        SceneWorld.fill(world, new SceneFile().bundled(scene));
        this.clock = new ClusterClock(world.clock());
        this.store = new ObjectStore(clock, (resource, object) -> Map.of(), 4096);
        this.events = new EventRecorder(store, NOW);
        this.hand = new ClusterHand(store, request -> admissions.forEach(one -> one.admit(request)), "admin");
    }

    public AgentLab with(Controller controller) {
        controllers.add(controller);
        return this;
    }

    public AgentLab with(Admission admission) {
        admissions.add(admission);
        return this;
    }

    /** From now on counts how often controllers are called. */
    public void counting(AtomicInteger acts) {
        controllers.replaceAll(controller -> new Controller() {
            @Override
            public Set<Resource> watches() {
                return controller.watches();
            }

            @Override
            public void observe(Change change) {
                controller.observe(change);
            }

            @Override
            public Instant act(Instant now) {
                acts.incrementAndGet();
                return controller.act(now);
            }
        });
    }

    /** Lives from where it was up to a moment. */
    public void until(Instant to) {
        if (loop == null) {
            loop = new ControlLoop(world, store, clock, controllers);
        }
        loop.live(moment, to);
        moment = to;
    }

    public void live(int seconds) {
        until(moment.plusSeconds(seconds));
    }

    /** Lives through a stretch that begins at a moment. */
    public void from(Instant from, Instant to) {
        moment = from;
        until(to);
    }

    public void create(Resource resource, String namespace, String name, String yaml) {
        hand.create(new ObjectKey(resource, namespace, name), yaml(yaml));
    }

    /** A pod that runs and is ready. */
    public void readyPod(String namespace, String name, String labels) {
        create(Resource.PODS, namespace, name, "{metadata: {labels: " + labels + "}, spec: {nodeName: n}, status: {phase: Running,"
                + " conditions: [{type: Ready, status: 'True'}]}}");
    }

    public ObjectNode get(Resource resource, String namespace, String name) {
        return store.get(new ObjectKey(resource, namespace, name)).copy();
    }

    public static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
