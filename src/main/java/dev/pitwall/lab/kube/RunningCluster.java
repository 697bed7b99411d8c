package dev.pitwall.lab.kube;

import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.kube.admit.AdmissionChain;
import dev.pitwall.lab.kube.admit.PodSecurityDefaults;
import dev.pitwall.lab.kube.agent.Agents;
import dev.pitwall.lab.kube.api.ApiServer;
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
import dev.pitwall.lab.kube.control.network.ApiServerEndpoints;
import dev.pitwall.lab.kube.control.network.ServiceEndpoints;
import dev.pitwall.lab.kube.control.node.NodeTaints;
import dev.pitwall.lab.kube.control.node.SilentNodes;
import dev.pitwall.lab.kube.control.node.TaintEvictions;
import dev.pitwall.lab.kube.control.policy.Budgets;
import dev.pitwall.lab.kube.control.policy.Quotas;
import dev.pitwall.lab.kube.control.storage.Storage;
import dev.pitwall.lab.kube.control.upkeep.GarbageCollector;
import dev.pitwall.lab.kube.control.upkeep.Namespaces;
import dev.pitwall.lab.kube.control.upkeep.PodCollector;
import dev.pitwall.lab.kube.control.upkeep.ServiceAccounts;
import dev.pitwall.lab.kube.control.workload.CronJobs;
import dev.pitwall.lab.kube.control.workload.DaemonSets;
import dev.pitwall.lab.kube.control.workload.Deployments;
import dev.pitwall.lab.kube.control.workload.Jobs;
import dev.pitwall.lab.kube.control.workload.ReplicaSets;
import dev.pitwall.lab.kube.control.workload.StatefulSets;
import dev.pitwall.lab.kube.fault.StartFaults;
import dev.pitwall.lab.kube.fault.StoreEdits;
import dev.pitwall.lab.kube.kubelet.DeviceHolders;
import dev.pitwall.lab.kube.kubelet.Kubelets;
import dev.pitwall.lab.kube.kubelet.RuntimeHandlers;
import dev.pitwall.lab.kube.operator.OperatorController;
import dev.pitwall.lab.kube.operator.discovery.DiscoveryPrograms;
import dev.pitwall.lab.kube.operator.discovery.Master;
import dev.pitwall.lab.kube.operator.program.Ground;
import dev.pitwall.lab.kube.operator.program.NvidiaPrograms;
import dev.pitwall.lab.kube.operator.program.Scripts;
import dev.pitwall.lab.kube.schedule.Scheduler;
import dev.pitwall.lab.kube.seed.FleetPods;
import dev.pitwall.lab.kube.seed.Seeds;
import dev.pitwall.lab.kube.seed.StaticPods;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A cluster at work: the store, what objects go through on their way into it, and everybody who acts on them. Its past is
 * lived through when it is made, so that at the lab's present everything has come about by itself.
 */
final class RunningCluster implements AutoCloseable {
    private static final String ADMIN = "system:admin";
    /** {@code --terminated-pod-gc-threshold} of kube-controller-manager. */
    private static final int MOST_ENDED_PODS = 12_500;

    private final World world;
    private final ObjectStore store;
    private final ClusterClock clock;
    private final Gate gate;
    private final Agents agents;
    private final Kubelets kubelets;
    private final ControlLoop loop;

    /**
     * @param authority certificate of who signed the API server's, as PEM
     * @param window    changes remembered for each resource
     * @throws TroubleException if a fault to begin with cannot be expressed
     */
    RunningCluster(World world, ResourceCatalog catalog, ProcessSockets sockets, String authority, int window,
                   Faults faults) throws TroubleException {
        Instant present = world.clock().instant();
        Instant begin = Seeds.begin(world);
        this.world = world;
        this.clock = new ClusterClock(world.clock());
        // What is no fault of the scene is refused before anything is made.
        StartFaults starts = new StartFaults(world, faults.board(), clock, faults.starts(), present);
        this.store = new ObjectStore(clock, catalog, window);
        this.agents = new Agents(world, store, clock, present,
                new Agents.Sockets(sockets::model, sockets::prometheus));
        this.gate = new Gate(catalog, store, new AdmissionChain(store, List.of(agents.admission()),
                PodSecurityDefaults.of(world.read(w -> w.kubernetes.distribution().word()))), clock);
        ClusterHand hand = new ClusterHand(store, gate.inside(), ADMIN);
        EventRecorder events = new EventRecorder(store, present);
        Pods pods = new Pods();
        Nodes nodes = new Nodes();
        KnownObjects objects = new KnownObjects(ControlPlane.KNOWN);
        ControlPlane plane = new ControlPlane(hand, events, clock,
                new Suffixes(new Random(world.<Long>read(w -> w.random().nextLong()))), pods, nodes, objects);
        Ground ground = new Ground(world, hand, pods, clock, Scripts.load());
        this.kubelets = new Kubelets(world, clock, pods, hand, events, agents.programs(hand)
                .or(new NvidiaPrograms(ground, sockets::exporter)).or(new DiscoveryPrograms(ground)),
                RuntimeHandlers.of(world));
        faults.board().cluster(new StoreEdits(hand, catalog), clock);
        List<Controller> controllers = new ArrayList<>(List.of(pods, nodes, objects, starts, new Seeds(world, hand, begin),
                new StaticPods(world, hand)));
        controllers.addAll(controlPlane(world, plane, new ServedKinds(catalog), authority));
        controllers.addAll(List.of(kubelets, new Master(hand, pods), new OperatorController(hand, pods)));
        controllers.addAll(agents.controllers(hand, pods, events));
        controllers.add(new FleetPods(world, store, clock, present));
        this.loop = new ControlLoop(world, store, clock, controllers);
        loop.live(begin, present);
        if (starts.trouble().isPresent()) {
            close();
            throw starts.trouble().get();
        }
    }

    /** @param starts faults to begin with, each {@code TRAP} or {@code TRAP@CARD} */
    record Faults(FaultBoard board, List<String> starts) {
    }

    /** Lives on without waiting up to the lab's present. Only before {@link #start}. */
    void live(Instant from) {
        loop.live(from, world.clock().instant());
    }

    /** Of kube-controller-manager and kube-scheduler, in the order in which one's work is the next one's. */
    private static List<Controller> controlPlane(World world, ControlPlane plane, Kinds kinds, String authority) {
        return List.of(new ServiceAccounts(plane, authority), new Namespaces(plane, kinds),
                new SilentNodes(plane, world), new NodeTaints(plane), new TaintEvictions(plane),
                new CronJobs(plane), new Jobs(plane), new Deployments(plane), new ReplicaSets(plane),
                new StatefulSets(plane), new DaemonSets(plane), new Storage(plane), new Scheduler(plane),
                new ServiceEndpoints(plane), new ApiServerEndpoints(plane), new GarbageCollector(plane, kinds),
                new PodCollector(plane, MOST_ENDED_PODS), new Quotas(plane), new Budgets(plane));
    }

    /** From now on it goes with the lab's time, until {@link #close}. */
    void start() {
        loop.start();
    }

    ObjectStore store() {
        return store;
    }

    ClusterClock clock() {
        return clock;
    }

    Gate gate() {
        return gate;
    }

    ApiServer.Containers containers() {
        return new ApiServer.Containers(kubelets.logs(), kubelets.shell(gate.accounts()), kubelets.backends());
    }

    DeviceHolders holders() {
        return kubelets.holders();
    }

    /** Kubernetes version of the cluster, as {@code /version} gives it; that of its first node. */
    String version() {
        return world.read(w -> w.nodes.values().stream().map(node -> node.kubelet).filter(v -> !v.isEmpty())
                .findFirst().orElse("v1.33.5"));
    }

    @Override
    public void close() {
        loop.close();
        kubelets.close();
        agents.close();
        store.close();
    }
}
