package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.container.TokenSource;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.exec.ImageTools;
import dev.pitwall.lab.kube.exec.Inside;
import dev.pitwall.lab.kube.exec.InsideMachines;
import dev.pitwall.lab.kube.machine.CardInjection;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.kube.machine.Nvml;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What the processes of containers find around them. */
final class Insides {
    private static final String SMI = "nvidia-smi";
    /** Brings the driver, and so has its programs whatever the container runtime does. */
    private static final String DRIVER = "nvcr.io/nvidia/driver";
    private static final int NOT_ROOT = 65_532;

    private final World world;
    private final ClusterHand hand;
    private final MountedFiles volumes;
    private final ImageCatalog images;
    private final ImageTools tools;
    private final InsideMachines machines;
    private final ServiceLinks links;

    Insides(World world, ClusterHand hand, MountedFiles volumes, ImageCatalog images, ImageTools tools) {
        this.world = world;
        this.hand = hand;
        this.volumes = volumes;
        this.images = images;
        this.tools = tools;
        this.machines = new InsideMachines(world, tools);
        this.links = new ServiceLinks(hand.store());
    }

    InsideMachines machines() {
        return machines;
    }

    /** True for a command that the lab runs if it is there. */
    boolean knows(ImageName image, String command) {
        return !command.isEmpty() && (tools.of(image.tagged()).has(command) || isSmi(command));
    }

    private static boolean isSmi(String command) {
        return command.equals(SMI) || command.equals("/usr/bin/" + SMI);
    }

    /** True if the container has a command. */
    boolean canRun(Run run, String command) {
        return isSmi(command) ? cards(run, run.pod().object().tree()).any()
                : tools.of(image(run).tagged()).has(command) || run.written().containsKey(command);
    }

    private static ImageName image(Run run) {
        return ImageName.of(run.container().path("image").asText());
    }

    Inside of(Run run) {
        return of(run, TokenSource.NONE);
    }

    Inside of(Run run, TokenSource tokens) {
        JsonNode pod = run.pod().object().tree();
        JsonNode container = run.container();
        String hostAddress = world.read(w -> Optional.ofNullable(w.nodes.get(run.node())).map(node -> node.address)
                .orElse(""));
        List<MountedFiles.Mount> mounts = volumes.of(new MountedFiles.Owner(pod, container, run.node(),
                run.podAddress(), hostAddress, tokens, run.before()));
        Map<String, String> files = new TreeMap<>();
        mounts.forEach(mount -> files.putAll(mount.files()));
        String host = hostname(pod, run);
        files.put("/etc/resolv.conf", resolver(pod));
        return new Inside(run.node(), host, run.podAddress(), image(run).tagged(), environment(run, pod, host),
                container.path("workingDir").asText("/"), user(pod, container), files,
                mounts.stream().filter(mount -> !mount.files().containsKey(mount.path()))
                        .map(MountedFiles.Mount::path).toList(),
                readOnly(container, mounts), cards(run, pod), processes(container));
    }

    private static String hostname(JsonNode pod, Run run) {
        String own = pod.at("/spec/hostname").asText("");
        return pod.at("/spec/hostNetwork").asBoolean() ? run.node() : own.isEmpty() ? run.pod().key().name() : own;
    }

    private String resolver(JsonNode pod) {
        String namespace = pod.at("/metadata/namespace").asText();
        String server = hand.store().list(Resource.SERVICES, "kube-system").objects().stream()
                .filter(service -> service.labels().getOrDefault("k8s-app", "").equals("kube-dns")
                        || service.key().name().contains("dns"))
                .map(service -> "nameserver " + service.tree().at("/spec/clusterIP").asText() + "\n").findFirst().orElse("");
        return "search " + namespace + ".svc.cluster.local svc.cluster.local cluster.local\n" + server
                + "options ndots:5\n";
    }

    private Map<String, String> environment(Run run, JsonNode pod, String host) {
        Map<String, String> all = new LinkedHashMap<>(run.environment());
        all.putIfAbsent("HOSTNAME", host);
        links.of(pod).forEach(all::putIfAbsent);
        all.putIfAbsent("HOME", "/root");
        return all;
    }

    private long user(JsonNode pod, JsonNode container) {
        JsonNode own = container.at("/securityContext/runAsUser");
        JsonNode wanted = own.isNumber() ? own : pod.at("/spec/securityContext/runAsUser");
        boolean root = images.find(container.path("image").asText()).filter(entry -> !entry.root()).isEmpty();
        return wanted.isNumber() ? wanted.asLong() : root ? 0 : NOT_ROOT;
    }

    private static Predicate<String> readOnly(JsonNode container, List<MountedFiles.Mount> mounts) {
        boolean root = container.at("/securityContext/readOnlyRootFilesystem").asBoolean();
        List<MountedFiles.Mount> nearest = new ArrayList<>(mounts);
        nearest.sort(Comparator.comparing(mount -> -mount.path().length()));
        return path -> nearest.stream().filter(mount -> mount.holds(path)).findFirst()
                .map(mount -> !mount.writable()).orElse(root);
    }

    private Inside.Cards cards(Run run, JsonNode pod) {
        NodeMachine machine = new NodeMachine(world, run.node());
        boolean brings = image(run).repository().equals(DRIVER);
        boolean installed = brings && world.read(w -> {
            LabNode node = w.nodes.get(run.node());
            return node != null && node.driver.equals("loaded");
        });
        Set<String> ids = installed ? Set.of(CardInjection.ALL) : brings ? Set.of()
                : new CardInjection(machine, hand::find).ids(pod, run.devices(), run.environment("NVIDIA_VISIBLE_DEVICES"));
        return ids.isEmpty() ? Inside.Cards.NONE
                : new Inside.Cards(ids, Nvml.library(machine), pod.at("/spec/hostPID").asBoolean());
    }

    private static List<String> processes(JsonNode container) {
        StringBuilder words = new StringBuilder();
        container.path("command").forEach(word -> words.append(word.asText()).append(' '));
        container.path("args").forEach(word -> words.append(word.asText()).append(' '));
        String repository = ImageName.of(container.path("image").asText()).repository();
        String usual = repository.substring(repository.lastIndexOf('/') + 1);
        return List.of(words.isEmpty() ? usual : words.toString().strip());
    }
}
