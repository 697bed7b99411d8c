package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.api.LogSource;
import dev.pitwall.lab.kube.control.ClusterClock;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlLoop;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Nodes;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.operator.discovery.DiscoveryPrograms;
import dev.pitwall.lab.kube.operator.discovery.Master;
import dev.pitwall.lab.kube.operator.program.Ground;
import dev.pitwall.lab.kube.operator.program.NvidiaPrograms;
import dev.pitwall.lab.kube.operator.program.Scripts;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** The garage's machines with nothing installed, and the operator's release as Helm leaves it, on simulated time. */
final class TinyCluster implements AutoCloseable {
    static final String NAMESPACE = "gpu-operator";
    static final String NODE = "rke2-worker-dc1-gpu-a";
    static final Instant BEGIN = Instant.parse("2026-09-01T08:00:00Z");
    private static final Set<String> PLANTED = Set.of("Deployment", "DaemonSet", "ConfigMap", "ClusterPolicy");

    final World world = new World(new LabClock(() -> BEGIN), 1);
    final ClusterClock clock = new ClusterClock(world.clock());
    final ObjectStore store = new ObjectStore(clock, (resource, object) -> Map.of(), 4096);
    final ClusterHand hand = new ClusterHand(store, request -> { }, "admin");
    final Pods pods = new Pods();
    final Nodes nodes = new Nodes();
    final TinyKubelet kubelet;
    private final ControlLoop loop;
    private Instant now = BEGIN;

    private TinyCluster() {
        Ground ground = new Ground(world, hand, pods, clock, Scripts.load());
        this.kubelet = new TinyKubelet(world, hand, pods, new NvidiaPrograms(ground,
                node -> Optional.of(URI.create("http://127.0.0.1:9/" + node))).or(new DiscoveryPrograms(ground))
                .or((image, pod, container) -> image.contains("busybox") ? Optional.of(sleep()) : Optional.empty()));
        this.loop = new ControlLoop(world, store, clock, List.of(pods, nodes, new TinyWorkloads(hand, pods, nodes), kubelet,
                new Master(hand, pods), new OperatorController(hand, pods)));
    }

    /** The garage's nodes with cards and a master, with nothing of NVIDIA on them. */
    static TinyCluster garage() {
        return of("garage", "rke2", (w, node) -> bare(w, node));
    }

    /** A scene as it is. */
    static TinyCluster scene(String name, String release) {
        return of(name, release, (w, node) -> { });
    }

    private static TinyCluster of(String scene, String release, BiConsumer<World, LabNode> prepare) {
        try {
            TinyCluster cluster = new TinyCluster();
            SceneWorld.fill(cluster.world, new SceneFile().bundled(scene));
            cluster.world.change(w -> {
                boolean many = w.nodes.size() > 10;
                w.nodes.values().removeIf(node -> many && node.cards.isEmpty() && !node.name.endsWith("master-1"));
                w.nodes.values().forEach(node -> prepare.accept(w, node));
            });
            cluster.world.nodes.values().forEach(cluster::plant);
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

    private static Program sleep() {
        return new Program() {
            @Override
            public Doing look(Run run, Instant now) {
                return Doing.ready();
            }

            @Override
            public List<LogSource.Line> log(Run run, Instant until) {
                return List.of();
            }
        };
    }

    private void plant(LabNode machine) {
        ObjectNode node = Json.object();
        ObjectNode labels = node.putObject("metadata").putObject("labels");
        machine.labels.forEach(labels::put);
        if (machine.role.equals("master")) {
            labels.put("node-role.kubernetes.io/control-plane", "true");
        }
        ArrayNode taints = node.putObject("spec").putArray("taints");
        machine.taints.forEach(text -> {
            String[] parts = text.split("[=:]");
            taints.addObject().put("key", parts[0]).put("value", parts.length == 3 ? parts[1] : "")
                    .put("effect", parts[parts.length - 1]);
        });
        hand.create(NodeFacts.key(machine.name), node);
    }

    private void release(String name) throws Exception {
        try (InputStream in = TinyCluster.class.getResourceAsStream("/lab/kube/seeds/releases/" + name + ".manifest.yaml");
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

    void live(Duration time) {
        loop.live(now, now.plus(time));
        now = now.plus(time);
    }

    Instant now() {
        return now;
    }

    Map<String, String> labels(String node) {
        return hand.find(NodeFacts.key(node)).orElseThrow().labels();
    }

    JsonNode status(String kind, String name) {
        return hand.find(kind.equals("ClusterPolicy") ? OperatorController.policy(name)
                : kind.equals("Node") ? NodeFacts.key(name) : key("apps/v1", kind, NAMESPACE, name)).orElseThrow().tree()
                .path("status");
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
        loop.close();
        store.close();
    }
}
