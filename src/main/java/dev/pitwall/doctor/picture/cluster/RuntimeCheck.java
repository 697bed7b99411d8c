package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.ContainerdConfig;
import dev.pitwall.read.NodeFacts;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The container engine of each node against what the toolkit is told of it. */
final class RuntimeCheck implements Check {
    private static final Pattern CONTAINERD = Pattern.compile("containerd://v?(\\d+)\\.(\\d+).*");
    private static final Pattern DISTRIBUTION = Pattern.compile("\\+(k3s|rke2|k0s)");
    private static final Pattern HOME = Pattern.compile("rancher.(k3s|rke2)|k0s|microk8s");
    private static final String KUBELET = "/status/nodeInfo/kubeletVersion";
    private static final String ENGINE = "/status/nodeInfo/containerRuntimeVersion";
    private static final String SEARCHED = "/usr/local/nvidia";
    private final UnaryOperator<String> component;

    RuntimeCheck(UnaryOperator<String> component) {
        this.component = component;
    }

    @Override
    public void look(Picture picture, SignBook book) {
        List<Seen<NodeFacts>> nodes = Nodes.of(picture);
        Settings.of(picture).ifPresent(settings -> nodes.forEach(node -> {
            tooOld(node, settings, book);
            socket(node, settings, book);
            folder(node, settings, book);
            restart(node, settings, book);
            inPlace(node, settings, picture, book);
        }));
        picture.outputs(ContainerdConfig.class).forEach(config -> config(config, nodes, handlers(picture), book));
        generated(book);
        Settings.of(picture).filter(settings -> !settings.isFalse("toolkit.enabled")).ifPresent(settings ->
                nodes.forEach(node -> well(node, picture, book)));
        withoutCard(picture, nodes, book);
    }

    /** containerd reads CDI specifications from 1.7 on (facts: cluster.md 1.9). */
    private static void tooOld(Seen<NodeFacts> node, Settings settings, SignBook book) {
        String runtime = node.what().info().containerRuntime().orElse("");
        Matcher version = CONTAINERD.matcher(runtime);
        if (version.matches() && settings.isTrue("cdi.enabled") && Nodes.hasCard(node.what())
                && Integer.parseInt(version.group(1)) == 1 && Integer.parseInt(version.group(2)) < 7) {
            book.add(Shown.sign("cdi-engine-too-old", Nodes.about(node), node.from(), Nodes.called(node.what()) + " has "
                    + runtime + ", and devices are given by CDI", Map.of("version", runtime),
                    node.shown(ENGINE), settings.shown("cdi.enabled")));
        }
    }

    private static void socket(Seen<NodeFacts> node, Settings settings, SignBook book) {
        Matcher distribution = DISTRIBUTION.matcher(node.what().info().kubeletVersion().orElse(""));
        boolean counts = node.what().capacity().map(c -> c.keySet().stream().anyMatch(Nodes::isGpu)).orElse(true);
        boolean needed = !settings.isFalse("toolkit.enabled") && !settings.isTrue("cdi.nriPluginEnabled");
        if (distribution.find() && needed && !counts && Nodes.hasCard(node.what())
                && !settings.toolkit().containsKey("CONTAINERD_SOCKET")) {
            book.add(Shown.sign("toolkit-socket-unset", Nodes.about(node), settings.from(), Nodes.called(node.what())
                            + " runs " + distribution.group(1) + ", and the toolkit is not told where its socket is",
                    Map.of("socket", "/run/containerd/containerd.sock", "distro", distribution.group(1)),
                    node.shown(KUBELET), settings.shown("toolkit.env")));
        }
    }

    /** k3s and RKE2 look for the runtime on the PATH and in /usr/local/nvidia/toolkit (facts: cluster.md 5). */
    private static void folder(Seen<NodeFacts> node, Settings settings, SignBook book) {
        Matcher distribution = DISTRIBUTION.matcher(node.what().info().kubeletVersion().orElse(""));
        String folder = settings.values().getOrDefault("toolkit.installDir", SEARCHED);
        if (distribution.find() && !distribution.group(1).equals("k0s") && !folder.equals(SEARCHED)
                && Nodes.hasCard(node.what()) && !settings.isFalse("toolkit.enabled")) {
            book.add(Shown.sign("toolkit-dir-unsearched", Nodes.about(node), settings.from(), "the toolkit is installed in "
                    + folder + ", where " + distribution.group(1) + " does not look when it writes its configuration",
                    node.shown(KUBELET), settings.shown("toolkit.installDir")));
        }
    }

    /** The toolkit restarts the engine when it has written the runtime, unless it is told not to. */
    private static void restart(Seen<NodeFacts> node, Settings settings, SignBook book) {
        if (settings.toolkit().getOrDefault("CONTAINERD_RESTART_MODE", "").equalsIgnoreCase("none")
                && Nodes.hasCard(node.what()) && !settings.isFalse("toolkit.enabled")) {
            book.add(Shown.sign("engine-restart-off", Nodes.about(node), settings.from(),
                    "the toolkit is told not to restart containerd (CONTAINERD_RESTART_MODE=none)", settings.shown("toolkit.env")));
        }
    }

    /**
     * Before the toolkit has done its part nothing of it can be missed, and without a plugin no card is given out. A node that
     * has lost the labels of its card has lost these pods with them.
     */
    private void inPlace(Seen<NodeFacts> node, Settings settings, Picture picture, SignBook book) {
        if (picture.objects("Pod").isEmpty()) {
            return;
        }
        if (!settings.isFalse("toolkit.enabled") && !ready(picture, node, "toolkit")) {
            book.add(Shown.sign("toolkit-not-ready", Nodes.about(node), node.from(), "no toolkit pod is ready on "
                    + Nodes.called(node.what())));
        }
        if (!ready(picture, node, "device-plugin")) {
            book.add(Shown.sign("plugin-not-ready", Nodes.about(node), node.from(), "no pod of the device plugin is ready on "
                    + Nodes.called(node.what())));
        }
    }

    /** A toolkit that is ready has been let do all it has to, if the engine's configuration shows it where that is seen. */
    private void well(Seen<NodeFacts> node, Picture picture, SignBook book) {
        boolean missed = book.find(SignRef.of("generated-without-nvidia")).stream()
                .anyMatch(sign -> node.what().name().equals(Optional.of(sign.about().node())));
        if (!missed && ready(picture, node, "toolkit")) {
            book.add(Shown.sign("toolkit-well", Nodes.about(node), node.from(), "the toolkit is ready on "
                    + Nodes.called(node.what()) + ", and the runtime is where it belongs"));
        }
    }

    private boolean ready(Picture picture, Seen<NodeFacts> node, String what) {
        return picture.objects("Pod").stream().map(Seen::what)
                .filter(pod -> Optional.of(pod.at("/spec/nodeName").asText("")).equals(node.what().name()))
                .filter(pod -> component.apply(pod.at("/metadata/name").asText("")).equals(what))
                .anyMatch(pod -> pod.at("/status/conditions").valueStream().anyMatch(c ->
                        c.path("type").asText().equals("Ready") && c.path("status").asText().equals("True")));
    }

    /** What pods may ask for by a RuntimeClass, and the engine has to have. */
    private static List<Excerpt> handlers(Picture picture) {
        return picture.objects("RuntimeClass").stream().filter(c -> c.what().path("handler").asText().equals("nvidia"))
                .map(c -> c.shown("/handler")).toList();
    }

    private static void config(Seen<ContainerdConfig> config, List<Seen<NodeFacts>> nodes, List<Excerpt> handlers,
                               SignBook book) {
        boolean nvidia = config.what().runtimes().stream().anyMatch(r -> r.name().contains("nvidia"));
        About about = config.about();
        Optional<String> home = nodes.stream().map(n -> DISTRIBUTION.matcher(n.what().info().kubeletVersion().orElse("")))
                .filter(Matcher::find).map(m -> m.group(1)).findFirst();
        if (nvidia && home.isPresent() && config.from().contains("etc") && config.from().contains("containerd")
                && !HOME.matcher(config.from()).find()) {
            book.add(Shown.sign("containerd-config-foreign", about, config.from(), "the runtime nvidia is in a file that "
                    + home.get() + " does not read", Map.of("distro", home.get()), config.shown("runtimes.nvidia")));
        }
        if (!nvidia && HOME.matcher(config.from()).find() && !config.what().runtimes().isEmpty()) {
            book.add(Shown.sign("generated-without-nvidia", about, config.from(),
                    "the configuration that containerd runs with has no runtime nvidia").comparing(
                            Stream.concat(handlers.stream(), Stream.of(config.shown("runtimes"))).toList()));
        }
        OptionalInt version = config.what().version();
        boolean plain = config.what().runtimes().stream().anyMatch(r -> r.name().contains("nvidia") && r.binary().isEmpty());
        if (plain && version.isPresent()) {
            book.add(Shown.sign("containerd-config-mixed", about, config.from(), "the runtime nvidia names no program, so"
                    + " containerd takes runc for it", config.shown("runtimes.nvidia")));
        }
    }

    /** A file whose head says that k3s or RKE2 wrote it, and that names no runtime nvidia anywhere. */
    private static void generated(SignBook book) {
        Set<String> named = documents(book, "nvidia-runtime-in-config");
        book.find(SignRef.of("config-generated")).stream().filter(s -> s.line().isPresent())
                .filter(s -> !named.contains(s.line().get().from()))
                .forEach(s -> book.add(Shown.sign("generated-without-nvidia", s.about(), s.line().get().from(),
                        "the configuration that was written anew has no runtime nvidia", s.values(),
                        Excerpt.of(s.line().get()))));
    }

    private static Set<String> documents(SignBook book, String sign) {
        return book.find(SignRef.of(sign)).stream().flatMap(s -> s.line().stream()).map(Cited::from)
                .collect(Collectors.toSet());
    }

    /** A plugin that runs everywhere finds nothing on nodes without a card, and says so. */
    private void withoutCard(Picture picture, List<Seen<NodeFacts>> nodes, SignBook book) {
        for (Seen<JsonNode> pod : picture.objects("Pod")) {
            String on = pod.what().path("spec").path("nodeName").asText("");
            boolean plugin = component.apply(pod.what().path("metadata").path("name").asText("")).equals("device-plugin");
            nodes.stream().filter(n -> plugin && n.what().name().equals(Optional.of(on)))
                    .filter(n -> Nodes.surelyWithoutCard(n.what())).findFirst()
                    .ifPresent(n -> book.add(Shown.sign("plugin-on-cpu-node", Pods.about(pod.what()), n.from(),
                            Nodes.called(n.what()) + " has no card, and the device plugin runs there",
                            pod.shown("/spec/nodeName"), n.shown("/status/capacity"))));
        }
    }
}
