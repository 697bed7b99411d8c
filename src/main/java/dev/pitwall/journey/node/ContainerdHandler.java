package dev.pitwall.journey.node;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.survey.ShellNode;
import dev.pitwall.journey.survey.ShellNode.Engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The handler {@code nvidia} in a node's containerd, each in its own way: an ordinary containerd reads a file beside its
 * configuration; k3s and RKE2 find the runtime by themselves when their service starts; MicroK8s makes its configuration
 * of a template (facts: cluster.md 5, 6).
 */
final class ContainerdHandler {
    private static final String DROP_IN = "/etc/containerd/conf.d/99-nvidia.toml";
    private static final String IMPORT = "/etc/containerd/conf.d/*.toml";
    private static final String BINARY = "/usr/bin/nvidia-container-runtime";
    private static final String BASE = "{{ template \"base\" . }}";
    private static final Pattern HANDLER = Pattern.compile("runtimes\\.['\"]?nvidia['\"]?\\.options\\]");
    private static final Pattern IMPORTS = Pattern.compile("(?m)^\\s*imports\\s*=\\s*\\[([^\\]]*)\\]");
    private static final Pattern VERSION = Pattern.compile("(?m)^\\s*version\\s*=\\s*(\\d)");

    private final ShellNode node;
    private final Engine engine;
    private final NodeTimes times;
    private final Sentences texts;

    ContainerdHandler(ShellNode node, Engine engine, NodeTimes times, Sentences texts) {
        this.node = node;
        this.engine = engine;
        this.times = times;
        this.texts = texts;
    }

    /** Files beside the configuration that matter; they are read with the node. */
    static List<String> files() {
        return List.of(DROP_IN);
    }

    /** True if containerd's configuration names the handler. */
    boolean there() {
        return switch (engine) {
            case CONTAINERD -> HANDLER.matcher(config()).find() || imports(config()) && HANDLER.matcher(text(DROP_IN)).find();
            case RKE2, K3S, MICROK8S -> HANDLER.matcher(config()).find();
        };
    }

    private String config() {
        return text(engine.config());
    }

    private String text(String path) {
        return uncommented(node.file(path).text());
    }

    private static String uncommented(String text) {
        return text.replaceAll("(?m)^\\s*#.*$", "");
    }

    private static boolean imports(String config) {
        Matcher m = IMPORTS.matcher(config);
        return m.find() && m.group(1).contains(IMPORT);
    }

    /**
     * A template that a person wrote and that keeps k3s or RKE2 from adding the handler they find: it neither includes
     * their own template nor has the handler itself.
     */
    Optional<String> hindrance() {
        if (!engine.generates()) {
            return Optional.empty();
        }
        return engine.templates().stream().filter(path -> !node.file(path).absent())
                .filter(path -> !node.file(path).text().contains(BASE) && !HANDLER.matcher(text(path)).find()).findFirst();
    }

    /** A template that names a handler by itself: it stays as it is whatever becomes of the runtime that it names. */
    Optional<String> ownTemplate() {
        return engine.templates().stream().filter(path -> engine.generates() && HANDLER.matcher(text(path)).find()).findFirst();
    }

    /** What makes containerd know the handler, the restart of its service last. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>(switch (engine) {
            case RKE2, K3S -> List.<Change>of();
            case CONTAINERD -> plain();
            case MICROK8S -> template();
        });
        changes.add(times.command(node.machine(), "restart", List.of("systemctl", "restart", node.runtime().unit()),
                texts.say(engine.generates() ? "runtime.finds" : "runtime.reads"), Risk.RESTARTS_PODS));
        return changes;
    }

    private List<Change> plain() {
        List<Change> changes = new ArrayList<>();
        Content config = node.file(engine.config());
        write(DROP_IN, "version = " + version(config.text()) + "\n\n" + block(version(config.text()))).ifPresent(changes::add);
        write(engine.config(), importing(config.text())).ifPresent(changes::add);
        return changes;
    }

    private List<Change> template() {
        String path = engine.templates().getFirst();
        String text = node.file(path).text();
        return HANDLER.matcher(uncommented(text)).find() ? List.of()
                : write(path, text + "\n" + block(version(text))).<List<Change>>map(List::of).orElse(List.of());
    }

    private Optional<FileChange> write(String path, String text) {
        Content before = node.file(path);
        Content after = Content.of(text);
        return before.equals(after) ? Optional.empty() : Optional.of(new FileChange(node.machine(), path, before, after,
                before.absent() ? texts.count("file.new", (int) text.lines().count())
                        : texts.count("file.added", (int) (text.lines().count() - before.text().lines().count()))));
    }

    /** A file without a version is of version 1 to containerd; one that is not there is of its newest. */
    private static String version(String config) {
        Matcher m = VERSION.matcher(config);
        return m.find() ? m.group(1) : config.isBlank() ? "3" : "1";
    }

    /** As {@code nvidia-ctk runtime configure} writes it: the plugin has had another name since version 3. */
    private static String block(String version) {
        String table = version.equals("3") ? "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.nvidia"
                : version.equals("2") ? "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.nvidia"
                : "[plugins.cri.containerd.runtimes.nvidia";
        return table + "]\n  runtime_type = \"io.containerd.runc.v2\"\n\n" + table + ".options]\n  BinaryName = \"" + BINARY
                + "\"\n  SystemdCgroup = true\n";
    }

    private static String importing(String config) {
        if (imports(uncommented(config))) {
            return config;
        }
        if (config.isBlank()) {
            return "imports = [\"" + IMPORT + "\"]\nversion = 3\n";
        }
        Matcher m = IMPORTS.matcher(config);
        if (m.find()) {
            String list = m.group(1).strip();
            return config.substring(0, m.start(1)) + (list.isEmpty() ? "" : list.replaceFirst(",$", "") + ", ")
                    + "\"" + IMPORT + "\"" + config.substring(m.end(1));
        }
        return "imports = [\"" + IMPORT + "\"]\n" + config;
    }
}
