package dev.pitwall.lab.kube.cluster;

import dev.pitwall.lab.kube.api.LogSource;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.World;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the objects of a cluster in the store as the world, its faults and the time have them. One thread looks often,
 * but never spends more than a twentieth of its time on it, so a large cluster is looked at less often.
 */
public final class ClusterState implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterState.class);
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final int SHARE_OF_TIME = 20;
    private static final int FLEET_PAUSE_MILLIS = 50;

    private final World world;
    private final ObjectStore store;
    private final ResourceCatalog catalog;
    private final ClusterData data = ClusterData.load();
    private final Texts texts = Texts.load();
    private final Incarnations incarnations = new Incarnations();
    private final Projector projector;
    private final WorldEffects effects;
    private final FleetPods fleet;
    private final boolean scaled;
    private final Semaphore wake = new Semaphore(0);
    private Thread keeper = Thread.currentThread();
    private Thread churn = Thread.currentThread();
    private volatile boolean closed;

    public ClusterState(World world, ObjectStore store, ResourceCatalog catalog) {
        this.world = world;
        this.store = store;
        this.catalog = catalog;
        this.projector = new Projector(store, incarnations);
        this.effects = new WorldEffects(world, data);
        this.scaled = world.read(w -> w.pods > 0);
        this.fleet = new FleetPods(store, data, ClusterView.of(world), world.read(w -> w.pods),
                world.read(w -> w.podChangesPerSecond));
    }

    /** Traps that a cluster of the lab can express. */
    public static List<String> traps() {
        return Trap.names();
    }

    /** What containers write. */
    public LogSource logs() {
        return new StateLogs(world, data, texts);
    }

    /** Kubernetes version of the cluster, as {@code /version} gives it. */
    public String version() {
        return world.read(w -> w.nodes.values().stream().map(node -> node.kubelet).filter(v -> !v.isEmpty())
                .findFirst().orElse("v1.33.5"));
    }

    /** Fills the store; it is complete when this returns, and kept so until {@link #close}. */
    public void start() {
        pass();
        fleet.start(world.clock().instant());
        world.onChange(() -> {
            if (!closed && wake.availablePermits() == 0) {
                wake.release();
            }
        });
        keeper = Thread.ofVirtual().name("lab-cluster-state").start(this::keep);
        churn = Thread.ofVirtual().name("lab-cluster-pods").start(this::churn);
    }

    /** Brings the store into line with the world now. */
    void pass() {
        for (int i = 0; i < 3; i++) {
            boolean changed = effects.apply(ClusterView.of(world));
            ClusterView view = ClusterView.of(world);
            boolean again = projector.apply(desired(view), view.now());
            if (!changed && !again) {
                return;
            }
        }
    }

    Desired desired(ClusterView view) {
        Desired desired = new Desired(incarnations);
        if (view.nodes().isEmpty()) {
            return desired;
        }
        new BaseObjects(desired, data, view, catalog).addAll();
        if (scaled) {
            FleetPods.namespaces().forEach(name -> desired.add(Resource.core("namespaces"), "", name,
                    Instant.EPOCH).putObject("status").put("phase", "Active"));
        }
        new NodeObjects(desired, data, view).addAll();
        WorkloadObjects workloads = new WorkloadObjects(desired, data, view);
        workloads.addAll();
        new OperatorObjects(desired, data, view, texts).addAll();
        new ServerObjects(desired, data, view, texts).addAll();
        workloads.addChurn();
        return desired;
    }

    private void keep() {
        try {
            while (!closed) {
                long began = System.nanoTime();
                try {
                    pass();
                } catch (RuntimeException e) {
                    LOG.error("the lab's cluster could not be brought into line with the world", e);
                }
                long spent = System.nanoTime() - began;
                wake.drainPermits();
                Thread.sleep(Duration.ofNanos(Math.max(PAUSE.toNanos(), spent * SHARE_OF_TIME)).dividedBy(2));
                wake.tryAcquire(Math.max(PAUSE.toNanos(), spent * SHARE_OF_TIME) / 2, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void churn() {
        try {
            Instant last = world.clock().instant();
            while (!closed) {
                Thread.sleep(FLEET_PAUSE_MILLIS);
                Instant now = world.clock().instant();
                fleet.pass(Duration.between(last, now).toNanos() / 1e9, now);
                last = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        wake.release();
        for (Thread thread : List.of(keeper, churn)) {
            if (thread != Thread.currentThread()) {
                thread.interrupt();
                try {
                    thread.join(Duration.ofSeconds(5));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
