package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Reads containerd's {@code config.toml} in its three shapes: {@code [plugins.cri]} (version 1),
 * {@code [plugins."io.containerd.grpc.v1.cri"]} (2) and {@code [plugins."io.containerd.cri.v1.runtime"]} (3).
 */
public final class ContainerdReader {

    private static final Pattern OWN = Pattern.compile(
            "\\s*(?:\\[\\s*plugins\\b.*|\\[(?:grpc|cgroup|debug|ttrpc|metrics|stream_processors\\b.*|proxy_plugins|timeouts)]\\s*|"
                    + "(?:disabled_plugins|required_plugins|imports|oom_score|default_runtime_name|enable_cdi|cdi_spec_dirs)\\s*=.*|"
                    + "version\\s*=\\s*[123]\\s*)");
    private static final Pattern TOML = Pattern.compile("\\s*(?:#.*|\\[\\[?[^\\]]+]]?\\s*|[\\w.\"-]+\\s*=.*|[\\])}],?\\s*|\"[^\"]*\",?\\s*)");
    private static final List<String> CRI = List.of("io.containerd.cri.v1.runtime", "io.containerd.grpc.v1.cri", "cri");

    private final Documents documents = new Documents();

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        long own = text.hits(t -> OWN.matcher(t).matches());
        return own == 0 ? 0 : Math.min(0.97, 0.3 + 0.1 * own + 0.4 * text.share(t -> TOML.matcher(t).matches()));
    }

    /** Reads as far as it goes; never throws. */
    public ContainerdConfig read(Text text) {
        Notes notes = new Notes();
        Tree tree = documents.toml(text);
        tree.cut().ifPresent(notes::add);
        JsonNode root = tree.roots().isEmpty() ? com.fasterxml.jackson.databind.node.MissingNode.getInstance()
                : tree.roots().getFirst();
        return read(root, notes);
    }

    private static ContainerdConfig read(JsonNode root, Notes notes) {
        JsonNode plugins = root.path("plugins");
        JsonNode cri = CRI.stream().map(plugins::path).filter(JsonNode::isObject).findFirst()
                .orElse(com.fasterxml.jackson.databind.node.MissingNode.getInstance());
        JsonNode containerd = cri.path("containerd");
        List<ContainerdConfig.Runtime> runtimes = containerd.path("runtimes").properties().stream()
                .filter(e -> e.getValue().isObject()).map(ContainerdReader::runtime).toList();
        return new ContainerdConfig(version(root, cri, notes), Json.texts(root, "imports"),
                root.path("disabled_plugins").isArray() ? Optional.of(Json.texts(root, "disabled_plugins"))
                        : Optional.empty(), Json.text(root, "root"), Json.text(root, "state"),
                Json.text(root.path("grpc"), "address"), Json.text(containerd, "default_runtime_name"), runtimes,
                Json.flag(cri, "enable_cdi"), Json.texts(cri, "cdi_spec_dirs"), notes.list());
    }

    private static OptionalInt version(JsonNode root, JsonNode cri, Notes notes) {
        OptionalInt version = Json.integer(root, "version");
        boolean old = cri.isObject() && root.path("plugins").has("cri");
        if (version.isPresent() && version.getAsInt() >= 2 && old) {
            notes.add("the file says version " + version.getAsInt()
                    + " but uses [plugins.cri] of version 1, which containerd then ignores");
        }
        return version;
    }

    private static ContainerdConfig.Runtime runtime(Map.Entry<String, JsonNode> entry) {
        JsonNode options = entry.getValue().path("options");
        Optional<String> binary = Json.text(options, "BinaryName").or(() -> Json.text(options, "Runtime"));
        return new ContainerdConfig.Runtime(entry.getKey(), Json.text(entry.getValue(), "runtime_type"), binary,
                Json.flag(options, "SystemdCgroup"));
    }
}
