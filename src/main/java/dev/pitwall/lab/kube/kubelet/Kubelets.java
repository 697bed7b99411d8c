package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.container.ContainerShell;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.container.TokenSource;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.exec.ImageTools;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.Listening;
import dev.pitwall.lab.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The kubelets of all nodes of the lab. They look only at pods that have changed or whose time has come, so that
 * thousands that run undisturbed cost nothing. The loop's thread drives them; what they know is asked for by others
 * too, under one lock.
 */
public final class Kubelets implements Controller, AutoCloseable {
    /** So often programs on one node may answer each other at one moment. */
    private static final int ROUNDS = 20;

    private final Surroundings around;
    private final PodSync sync;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Kubelet> byNode = new LinkedHashMap<>();
    private final Map<ObjectKey, PodRecord> records = new HashMap<>();
    private final Map<String, PodRecord> byUid = new HashMap<>();
    private final Set<ObjectKey> dirty = new LinkedHashSet<>();
    private final List<StoredObject> mirrorsGone = new ArrayList<>();
    private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparing(Due::at));
    private final AtomicBoolean worldChanged = new AtomicBoolean(true);
    private final Listening listening;
    private Instant nodesDue = Instant.MIN;

    private record Due(Instant at, PodRecord record) {
    }

    /**
     * @param pods     comes before this one in the loop
     * @param programs what runs in containers; asked before the lab's own {@link GenericPrograms}
     */
    public Kubelets(World world, ClusterClock clock, Pods pods, ClusterHand hand, EventRecorder events,
                    Programs programs, RuntimeHandlers runtime) {
        Config config = new Config(hand.store());
        ImageTools tools = ImageTools.load();
        ImageCatalog images = ImageCatalog.load();
        Insides insides = new Insides(world, hand, new MountedFiles(world, config), images, tools);
        this.around = new Surroundings(world, clock, pods, hand, events, programs.or(GenericPrograms.load(insides)),
                runtime, images, new Volumes(hand.store(), config), new Environment(config, tools), insides,
                Distribution.all());
        this.sync = new PodSync(around);
        this.listening = world.onChange(() -> worldChanged.set(true));
    }

    /** The output of containers. Safe for any number of threads. */
    public LogSource logs() {
        return new KubeletLogs(this);
    }

    /** What can be run in containers, and what runs there. @param tokens of service accounts, for their mounted files */
    public ContainerShell shell(TokenSource tokens) {
        return new ContainerShells(this, around.insides(), tokens);
    }

    /** What listens in containers. Safe for any number of threads. */
    public PodBackends backends() {
        return new PodBackends(this, around.hand().store());
    }

    /** Who holds which device. Safe for any number of threads. */
    public DeviceHolders holders() {
        return new DeviceHolders(this);
    }

    /** The devices of a node; empty if there is no such node. For the loop's thread only. */
    public Optional<DeviceBook> book(String node) {
        return Optional.ofNullable(byNode.get(node)).map(Kubelet::book);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.PODS);
    }

    @Override
    public void seen(StoredObject pod) {
        dirty.add(pod.key());
    }

    @Override
    public void gone(StoredObject pod) {
        dirty.add(pod.key());
        mirrorsGone.add(pod);
    }

    @Override
    public Instant act(Instant now) {
        lock.lock();
        try {
            boolean world = worldChanged.getAndSet(false);
            if (world || !nodesDue.isAfter(now)) {
                nodes(now);
            }
            mirrors();
            List.copyOf(dirty).forEach(key -> notice(key, now));
            dirty.clear();
            if (world) {
                byNode.values().forEach(Kubelet::touch);
            }
            run(now);
            byNode.values().stream().filter(kubelet -> kubelet.settle(now)).map(kubelet -> kubelet.due(now))
                    .forEach(due -> nodesDue = Moments.earlier(nodesDue, due));
            return next(now);
        } finally {
            lock.unlock();
        }
    }

    private Instant next(Instant now) {
        boolean touched = byNode.values().stream().anyMatch(kubelet -> kubelet.works() && kubelet.isTouched());
        Instant pod = queue.isEmpty() ? Instant.MAX : queue.peek().at();
        Instant due = Moments.earlier(pod, nodesDue);
        return touched && due.isAfter(now) ? now.plusSeconds(1) : due;
    }

    private void nodes(Instant now) {
        nodesDue = Instant.MAX;
        for (Machine machine : Machine.all(around.world())) {
            Kubelet kubelet = byNode.get(machine.name());
            if (kubelet == null) {
                kubelet = new Kubelet(around, machine, byNode.size());
                byNode.put(machine.name(), kubelet);
                // Pods that were bound to it before it was there.
                around.pods().onNode(machine.name()).forEach(pod -> dirty.add(pod.key()));
            }
            turn(kubelet, kubelet.see(machine, now), now);
            if (kubelet.beat(now)) {
                kubelet.records().forEach(record -> sync.heard(record, false, now));
            }
            nodesDue = Moments.earlier(nodesDue, kubelet.due(now));
        }
    }

    private void turn(Kubelet kubelet, Kubelet.Turn turn, Instant now) {
        switch (turn) {
            case NOTHING -> {
            }
            case STARTED -> kubelet.records().forEach(record -> dirty.add(record.key()));
            case BACK -> kubelet.records().forEach(record -> {
                record.work().filter(work -> work.unheard).ifPresent(work -> sync.heard(record, true, now));
                dirty.add(record.key());
                record.work().ifPresent(work -> due(record, now));
            });
            case BOOTED -> kubelet.records().forEach(record -> {
                sync.booted(record, kubelet.machine().bootedAt(), now);
                due(record, now);
            });
        }
    }

    private void mirrors() {
        for (StoredObject last : List.copyOf(mirrorsGone)) {
            PodRecord record = byUid.get(last.uid());
            if (record != null && Mirror.is(record) && record.kubelet().works()
                    && around.hand().find(last.key()).isEmpty()) {
                sync.mirror(last);
            }
        }
        mirrorsGone.clear();
    }

    /** A pod has changed, come or gone. */
    private void notice(ObjectKey key, Instant now) {
        Optional<PodFacts> found = around.pods().find(key);
        PodRecord record = records.get(key);
        if (record != null && found.filter(pod -> pod.uid().equals(record.uid())).isEmpty()) {
            drop(record, now);
        }
        Kubelet kubelet = found.map(pod -> byNode.get(pod.node())).orElse(null);
        if (kubelet == null) {
            return;
        }
        PodFacts pod = found.get();
        PodRecord known = records.get(key);
        if (known == null) {
            known = new PodRecord(pod, kubelet);
            records.put(key, known);
            byUid.put(pod.uid(), known);
            kubelet.add(known);
        }
        known.facts(pod);
        if (pod.phase().equals("Running") && known.work().filter(work -> work.cells().noneMatch(ContainerCell::ran))
                .isPresent()) {
            // Somebody else says that it runs: it is taken as it is.
            known.forget();
        }
        boolean begins = known.work().isEmpty() && !pod.isDone() && !pod.phase().equals("Running");
        boolean goes = pod.deletion().isPresent() && known.work().flatMap(work -> work.told).isEmpty()
                || pod.deletion().isPresent() && known.work().filter(work -> !work.anyRuns()).isPresent();
        if (begins || goes) {
            due(known, now);
        }
    }

    private void drop(PodRecord record, Instant now) {
        records.remove(record.key());
        byUid.remove(record.uid());
        record.due = Instant.MAX;
        sync.gone(record, now);
        record.kubelet().remove(record);
    }

    private void due(PodRecord record, Instant at) {
        if (!at.equals(record.due)) {
            record.due = at;
            if (!at.equals(Instant.MAX)) {
                queue.add(new Due(at, record));
            }
        }
    }

    private void run(Instant now) {
        for (int round = 0; round < ROUNDS; round++) {
            byNode.values().stream().filter(kubelet -> kubelet.works() && kubelet.takeTouched())
                    .forEach(kubelet -> kubelet.worldly().forEach(record -> due(record, now)));
            if (!runDue(now)) {
                return;
            }
        }
    }

    private boolean runDue(Instant now) {
        boolean any = false;
        List<PodRecord> batch = new ArrayList<>();
        while (!queue.isEmpty() && !queue.peek().at().isAfter(now)) {
            Due due = queue.poll();
            if (due.at().equals(due.record().due)) {
                due.record().due = Instant.MAX;
                batch.add(due.record());
            }
        }
        for (PodRecord record : batch) {
            if (record.kubelet().works() && records.get(record.key()) == record) {
                any = true;
                Instant next = sync.sync(record, now);
                due(record, next.isAfter(now) ? next : now.plusMillis(1));
            }
        }
        return any;
    }

    /** Listens to the world no longer. */
    @Override
    public void close() {
        listening.close();
    }

    /** Looks at the kubelets from any thread, at the cluster's present. */
    <T> T locked(Function<Instant, T> look) {
        lock.lock();
        try {
            return look.apply(around.clock().instant());
        } finally {
            lock.unlock();
        }
    }

    /** The kubelet of a node. Only inside {@link #locked}. */
    Optional<Kubelet> kubelet(String node) {
        return Optional.ofNullable(byNode.get(node));
    }

    /** What is known of a pod. Only inside {@link #locked}. */
    Optional<PodWork> find(String uid) {
        return Optional.ofNullable(byUid.get(uid)).map(sync::work);
    }

    /** What is known of a pod by its name. Only inside {@link #locked}. */
    Optional<PodWork> find(String namespace, String name) {
        return Optional.ofNullable(records.get(new ObjectKey(Resource.PODS, namespace, name)))
                .filter(record -> record.kubelet().works()).map(sync::work);
    }
}
