package dev.pitwall.lab.world;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a node's container runtime knows the {@code nvidia} handler: the one place that changes
 * {@link LabNode#toolkitReady}. It follows from the files of the node as they were at the runtime's last start, so a
 * file that was written since does nothing yet; only where no file says it, somebody may {@linkplain #decide decide} it.
 * Call all inside {@link World#change}.
 *
 * <p>k3s and RKE2 write containerd's configuration at each start of their service, with a handler for each NVIDIA
 * runtime they find; what was patched into the generated file is gone then (facts: cluster.md 5).
 */
public final class ContainerRuntime {
    /** Where the operator's toolkit container, and where the toolkit's package puts the runtime. */
    public static final String OPERATOR_BINARY = "/usr/local/nvidia/toolkit/nvidia-container-runtime";
    public static final String PACKAGE_BINARY = "/usr/bin/nvidia-container-runtime";
    public static final String CONTAINERD_CONFIG = "/etc/containerd/config.toml";
    public static final String DROP_IN = "/etc/containerd/conf.d/99-nvidia.toml";
    private static final Pattern HANDLER = Pattern.compile(
            "runtimes\\.['\"]?nvidia['\"]?\\.options\\]\\s*(?:[^\\[]*?)BinaryName\\s*=\\s*['\"]([^'\"]+)['\"]");
    private static final Pattern DEFAULT = Pattern.compile("(?m)^default-runtime\\s*:\\s*[\"']?nvidia[\"']?\\s*$");
    private static final Pattern IMPORTS = Pattern.compile("(?m)^\\s*imports\\s*=\\s*\\[([^\\]]*)\\]");

    /** Who runs containerd, and so who writes its configuration. */
    public enum Engine {
        RKE2("/var/lib/rancher/rke2/agent/etc/containerd/", "/run/k3s/containerd/containerd.sock"),
        K3S("/var/lib/rancher/k3s/agent/etc/containerd/", "/run/k3s/containerd/containerd.sock"),
        CONTAINERD("/etc/containerd/", "/run/containerd/containerd.sock");

        private final String folder;
        private final String socket;

        Engine(String folder, String socket) {
            this.folder = folder;
            this.socket = socket;
        }

        public String config() {
            return folder + "config.toml";
        }

        /** The template that containerd 2 and later read, or the older one. */
        public String template(boolean second) {
            return folder + (second ? "config-v3.toml.tmpl" : "config.toml.tmpl");
        }

        public String socket() {
            return socket;
        }

        /** Where the service that writes the configuration has its own settings, the default runtime among them. */
        public String settings() {
            return "/etc/rancher/" + name().toLowerCase(Locale.ROOT) + "/config.yaml";
        }

        /** True where the service writes the configuration anew at each start. */
        public boolean generates() {
            return this != CONTAINERD;
        }
    }

    private ContainerRuntime() {
    }

    public static Engine engine(LabNode node) {
        return engine(node.kubelet);
    }

    /** @param kubelet its version, which names its distribution */
    public static Engine engine(String kubelet) {
        return kubelet.contains("rke2") ? Engine.RKE2 : kubelet.contains("k3s") ? Engine.K3S : Engine.CONTAINERD;
    }

    /** What the operator's toolkit container leaves on a disk, without the restart. */
    private static void install(World world, LabNode node) {
        Map<String, byte[]> files = files(world, node);
        system(world, node).modes.put(OPERATOR_BINARY, 0755);
        files.put(OPERATOR_BINARY, "\u007fELF".getBytes(StandardCharsets.ISO_8859_1));
        if (!engine(node).generates()) {
            files.put(DROP_IN, bytes(dropIn(OPERATOR_BINARY, false)));
            files.put(CONTAINERD_CONFIG, bytes(withImports(text(files, CONTAINERD_CONFIG))));
        }
    }

    /** For a scene: the node is as after {@link #configure}. */
    public static void configured(World world, LabNode node) {
        if (node.talos.isEmpty()) {
            install(world, node);
        }
        decide(node, true);
    }

    /**
     * Says whether the runtime knows the handler where that follows from no file: a fault that holds it away, an
     * extension of a Talos image. The next {@link #start} of an ordinary system reads its files again.
     */
    public static void decide(LabNode node, boolean known) {
        node.toolkitReady = known;
    }

    /** The runtime starts and reads its configuration, which k3s and RKE2 write first. */
    public static void start(World world, LabNode node) {
        if (node.talos.isPresent()) {
            // The toolkit's extension is what configures it there, and that is with the image.
            return;
        }
        Map<String, byte[]> files = files(world, node);
        Engine engine = engine(node);
        if (engine.generates()) {
            files.remove(engine.config());
            String template = text(files, engine.template(node.containerRuntime.contains("://2")));
            boolean found = files.containsKey(OPERATOR_BINARY) || files.containsKey(PACKAGE_BINARY);
            system(world, node).runtimeConfig = text(files, engine.settings());
            node.toolkitReady = handler(template).isPresent()
                    || found && (template.isEmpty() || template.contains("{{ template \"base\" . }}"));
            return;
        }
        String config = effective(files);
        system(world, node).runtimeConfig = config;
        node.toolkitReady = handler(config).filter(files::containsKey).isPresent();
    }

    /** True if settings of k3s or RKE2 make {@code nvidia} the default (facts: cluster.md 5). */
    public static boolean makesDefault(String settings) {
        return DEFAULT.matcher(settings).find();
    }

    /** containerd's configuration with what it imports, as the files are now. */
    public static String effective(Map<String, byte[]> files) {
        StringBuilder all = new StringBuilder(text(files, CONTAINERD_CONFIG));
        Matcher imports = IMPORTS.matcher(all.toString());
        if (imports.find()) {
            for (String entry : imports.group(1).split(",")) {
                String glob = entry.strip().replaceAll("^['\"]|['\"]$", "");
                Pattern pattern = Pattern.compile(Pattern.quote(glob).replace("*", "\\E[^/]*\\Q"));
                files.keySet().stream().filter(path -> pattern.matcher(path).matches())
                        .forEach(path -> all.append('\n').append(text(files, path)));
            }
        }
        return all.toString();
    }

    /** The program that a configuration's {@code nvidia} runtime names. */
    public static Optional<String> handler(String config) {
        Matcher m = HANDLER.matcher(config.replaceAll("(?m)^\\s*#.*$", ""));
        return m.find() ? Optional.of(m.group(1)) : Optional.empty();
    }

    /** The file that {@code nvidia-ctk runtime configure} writes since 1.18 (facts: cluster.md 6). */
    public static String dropIn(String binary, boolean asDefault) {
        String table = "[plugins.'io.containerd.cri.v1.runtime'.containerd";
        return "version = 3\n\n" + (asDefault ? table + "]\n  default_runtime_name = \"nvidia\"\n\n" : "")
                + table + ".runtimes.nvidia]\n  runtime_type = \"io.containerd.runc.v2\"\n\n" + table
                + ".runtimes.nvidia.options]\n  BinaryName = \"" + binary + "\"\n  SystemdCgroup = true\n";
    }

    /** A configuration that reads {@code conf.d} too. */
    public static String withImports(String config) {
        String line = "imports = [\"/etc/containerd/conf.d/*.toml\"]";
        if (config.contains("/etc/containerd/conf.d/*.toml")) {
            return config;
        }
        if (config.isBlank()) {
            return line + "\nversion = 3\n";
        }
        Matcher imports = IMPORTS.matcher(config);
        return imports.find() ? imports.replaceFirst(Matcher.quoteReplacement(line)) : line + "\n" + config;
    }

    private static Map<String, byte[]> files(World world, LabNode node) {
        return world.files(node.name).orElse(node.files);
    }

    private static LabSystem system(World world, LabNode node) {
        return world.system(node.name).orElse(node.system);
    }

    private static String text(Map<String, byte[]> files, String path) {
        return new String(files.getOrDefault(path, new byte[0]), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
