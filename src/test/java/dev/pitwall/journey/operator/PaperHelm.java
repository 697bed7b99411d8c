package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.Tree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Releases on paper, and the charts of the practice lab's repository: their values are the makers' own. */
public final class PaperHelm implements Helm {
    public static final Path CHARTS = Path.of("resources/lab/charts");
    static final Path DISCOVERY = CHARTS.resolve("gpu-operator/common/charts/node-feature-discovery/values.yaml");
    private static final Map<String, List<String>> DEFINITIONS = Map.of("gpu-operator",
            List.of("clusterpolicies.nvidia.com", "nvidiadrivers.nvidia.com", "nodefeatures.nfd.k8s-sigs.io",
                    "nodefeaturerules.nfd.k8s-sigs.io", "nodefeaturegroups.nfd.k8s-sigs.io"), "nvidia-device-plugin",
            List.of("nodefeatures.nfd.k8s-sigs.io", "nodefeaturerules.nfd.k8s-sigs.io",
                    "nodefeaturegroups.nfd.k8s-sigs.io"));

    public final List<Release> releases = new ArrayList<>();
    public final Map<String, JsonNode> values = new HashMap<>();
    public Optional<Trouble> repository = Optional.empty();
    public int downloads;

    public PaperHelm with(String namespace, String name, String chart, String version, String status, JsonNode given) {
        releases.add(new Release(namespace, name, 1, status, chart, version, version, Instant.EPOCH));
        values.put(namespace + "/" + name, given);
        return this;
    }

    @Override
    public List<Release> releases() {
        return List.copyOf(releases);
    }

    /** Revisions before the newest ones, newest first. */
    public final List<Release> past = new ArrayList<>();

    @Override
    public List<Release> history(String namespace, String release) {
        return Stream.concat(releases.stream(), past.stream()).filter(r -> r.namespace().equals(namespace)
                && r.name().equals(release)).toList();
    }

    @Override
    public Optional<JsonNode> values(String namespace, String release, int revision) {
        return Optional.ofNullable(values.get(namespace + "/" + release));
    }

    @Override
    public List<String> versions(String repository, String chart) throws TroubleException {
        if (this.repository.isPresent()) {
            throw new TroubleException(this.repository.get());
        }
        try (Stream<Path> folders = Files.list(CHARTS.resolve(chart))) {
            return folders.map(f -> f.getFileName().toString()).filter(v -> v.matches("v?\\d.*"))
                    .sorted((a, b) -> VersionNumber.of(b).compareTo(VersionNumber.of(a))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As Helm shows it: the values of a subchart lie under its name. */
    @Override
    public ChartFile chart(String repository, String chart, String version) {
        downloads++;
        try {
            JsonNode values = withSubchart(chart, PaperCluster.yaml(Files.readString(CHARTS.resolve(chart)
                    .resolve(version).resolve("values.yaml"))));
            return new ChartFile(chart, version, version, values, DEFINITIONS.getOrDefault(chart, List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode withSubchart(String chart, JsonNode values) throws IOException {
        String key = switch (chart) {
            case "gpu-operator" -> "node-feature-discovery";
            case "nvidia-device-plugin" -> "nfd";
            default -> "";
        };
        if (key.isEmpty()) {
            return values;
        }
        ObjectNode all = values.deepCopy();
        all.set(key, Tree.over(PaperCluster.yaml(Files.readString(DISCOVERY)), all.path(key)));
        return all;
    }

    @Override
    public List<JsonNode> template(Order order) {
        return List.of();
    }

    @Override
    public void install(Order order, Duration limit, Consumer<String> lines) {
        with(order.namespace(), order.release(), order.chart(), order.version(), "deployed", order.values());
    }

    @Override
    public void upgrade(Order order, Duration limit, Consumer<String> lines) {
        releases.removeIf(r -> r.namespace().equals(order.namespace()) && r.name().equals(order.release()));
        install(order, limit, lines);
    }

    @Override
    public void uninstall(String namespace, String release, HelmChange.Past past, Duration limit,
                          Consumer<String> lines) {
        releases.removeIf(r -> r.namespace().equals(namespace) && r.name().equals(release));
    }

    @Override
    public void abandon(String namespace, String release, int revision) {
        releases.removeIf(r -> r.namespace().equals(namespace) && r.name().equals(release));
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
