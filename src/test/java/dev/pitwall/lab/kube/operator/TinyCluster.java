package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.ServedKinds;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Simulation;
import dev.pitwall.lab.kube.control.upkeep.GarbageCollector;
import dev.pitwall.lab.kube.control.workload.DaemonSets;
import dev.pitwall.lab.kube.control.workload.Deployments;
import dev.pitwall.lab.kube.control.workload.ReplicaSets;
import dev.pitwall.lab.kube.kubelet.Kubelets;
import dev.pitwall.lab.kube.kubelet.RuntimeHandlers;
import dev.pitwall.lab.kube.operator.discovery.DiscoveryPrograms;
import dev.pitwall.lab.kube.operator.discovery.Master;
import dev.pitwall.lab.kube.operator.program.Ground;
import dev.pitwall.lab.kube.operator.program.NvidiaPrograms;
import dev.pitwall.lab.kube.operator.program.Scripts;
import dev.pitwall.lab.kube.schedule.Scheduler;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;

import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The garage's machines with nothing installed, and the operator's release as Helm leaves it, on simulated time. */
final class TinyCluster extends Simulation {
    static final String NAMESPACE = "gpu-operator";
    static final String NODE = "rke2-worker-dc1-gpu-a";
    static final Instant BEGIN = Instant.parse("2026-09-01T08:00:00Z");
    private static final Set<String> PLANTED = Set.of("Deployment", "DaemonSet", "ConfigMap", "ClusterPolicy");

    private final Kubelets kubelets;

    private TinyCluster(ResourceCatalog catalog, Function<Supplier<Instant>, LabClock> time) {
        super(BEGIN, catalog, 4096, time);
        Ground ground = new Ground(world, hand, pods, clock, Scripts.load());
        this.kubelets = new Kubelets(world, clock, pods, hand, events,
                new NvidiaPrograms(ground, node -> Optional.of(URI.create("http://127.0.0.1:9/" + node)))
                        .or(new DiscoveryPrograms(ground)), RuntimeHandlers.of(world));
        act(new Deployments(plane), new ReplicaSets(plane), new DaemonSets(plane), new Scheduler(plane),
                new GarbageCollector(plane, new ServedKinds(catalog)), kubelets, new Master(hand, pods),
                new OperatorController(hand, pods));
    }

    /** The garage's nodes with cards and a master, with nothing of NVIDIA on them. */
    static TinyCluster garage() {
        return of(now -> new LabClock(now::get), "garage", "rke2", (w, node) -> bare(w, node));
    }

    /** A scene as it is. */
    static TinyCluster scene(String name, String release) {
        return of(now -> new LabClock(now::get), name, release, (w, node) -> { });
    }

    /** The garage as it is, on a clock that runs by itself. @param speed lab seconds a real one */
    static TinyCluster running(double speed) {
        LabClock clock = new LabClock(InstantSource.system());
        clock.speed(speed);
        TinyCluster cluster = of(now -> clock, "garage", "rke2", (w, node) -> { });
        cluster.loop().start();
        return cluster;
    }

    private static TinyCluster of(Function<Supplier<Instant>, LabClock> time, String scene, String release,
                                  BiConsumer<World, LabNode> prepare) {
        try {
            TinyCluster cluster = new TinyCluster(ResourceCatalog.load(), time);
            SceneWorld.fill(cluster.world, new SceneFile().bundled(scene));
            cluster.world.change(w -> {
                boolean many = w.nodes.size() > 10;
                w.nodes.values().removeIf(node -> many && node.cards.isEmpty() && !node.name.endsWith("master-1"));
                w.nodes.values().forEach(node -> prepare.accept(w, node));
            });
            cluster.release(release);
            return cluster;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void bare(World world, LabNode node) {
        node.bootedAt = BEGIN.minus(Duration.ofDays(1));
        node.files.clear();
        node.toolkitReady = false;
        GuestDriver.unload(world, node, BEGIN);
    }

    private void release(String name) throws Exception {
        try (InputStream in = TinyCluster.class.getResourceAsStream("/lab/kube/seeds/releases/" + name
                + ".manifest.yaml");
             var documents = new YAMLMapper().readerFor(JsonNode.class).<JsonNode>readValues(in)) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                if (document instanceof ObjectNode object && PLANTED.contains(object.path("kind").asText())) {
                    hand.create(key(object.path("apiVersion").asText(), object.path("kind").asText(),
                            object.at("/metadata/namespace").asText(""), object.at("/metadata/name").asText()), object);
                }
            }
        }
    }

    static ObjectKey key(String apiVersion, String kind, String namespace, String name) {
        int slash = apiVersion.indexOf('/');
        String lower = kind.toLowerCase(Locale.ROOT);
        String plural = lower.endsWith("y") ? lower.substring(0, lower.length() - 1) + "ies" : lower + "s";
        return new ObjectKey(new Resource(slash < 0 ? "" : apiVersion.substring(0, slash), plural), namespace, name);
    }

    /** What is to be seen of a container. @param states its state's reason, and its last one's */
    record Seen(List<String> states, int exitCode, List<String> lines) {
    }

    /** A container of a pod; empty if its pod says nothing of it. */
    Optional<Seen> seen(PodFacts pod, String container) {
        ObjectNode tree = store.get(pod.key()).copy();
        for (String list : List.of("/status/initContainerStatuses", "/status/containerStatuses")) {
            for (JsonNode status : tree.at(list)) {
                if (status.path("name").asText().equals(container)) {
                    return Optional.of(seen(tree, status, container));
                }
            }
        }
        return Optional.empty();
    }

    private Seen seen(ObjectNode pod, JsonNode status, String container) {
        JsonNode ended = status.at("/state/terminated").isObject() ? status.at("/state/terminated")
                : status.at("/lastState/terminated");
        List<String> lines = new ArrayList<>();
        for (LogSource.Run run : LogSource.Run.values()) {
            kubelets.logs().lines(pod, container, run).forEach(line -> lines.add(line.text()));
        }
        return new Seen(List.of(status.at("/state/waiting/reason").asText(""), ended.path("reason").asText(""),
                status.at("/state/running").isObject() ? "Running" : ""), ended.path("exitCode").asInt(0), lines);
    }

    /** Messages of events about a pod. */
    List<String> events(PodFacts pod) {
        return store.list(Resource.EVENTS, pod.key().namespace()).objects().stream().map(StoredObject::tree)
                .filter(event -> event.at("/involvedObject/uid").asText().equals(pod.uid()))
                .map(event -> event.path("message").asText()).toList();
    }

    Map<String, String> labels(String node) {
        return hand.find(NodeFacts.key(node)).orElseThrow().labels();
    }

    JsonNode status(String kind, String name) {
        return hand.find(kind.equals("ClusterPolicy") ? OperatorController.policy(name)
                : kind.equals("Node") ? NodeFacts.key(name) : key("apps/v1", kind, NAMESPACE, name)).orElseThrow()
                .tree().path("status");
    }

    long cards(String node) {
        return status("Node", node).at("/allocatable/nvidia.com~1gpu").asLong();
    }

    String policyState() {
        JsonNode status = status("ClusterPolicy", "cluster-policy");
        return status.path("state").asText() + " " + status.at("/conditions/0/reason").asText();
    }

    List<PodFacts> pods(String app, String node) {
        return pods.onNode(node).stream().filter(pod -> app.equals(app(pod))).toList();
    }

    static String app(PodFacts pod) {
        return pod.labels().getOrDefault("app", pod.labels().getOrDefault("app.kubernetes.io/name", ""));
    }

    Optional<StoredObject> find(ObjectKey key) {
        return hand.find(key);
    }

    @Override
    public void close() {
        super.close();
        kubelets.close();
    }
}
