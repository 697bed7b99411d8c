package dev.pitwall.lab.kube.seed;

import dev.pitwall.lab.kube.store.Timestamp;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is filled into manifests: {@code ${taint}} the value of most nodes' taint {@code nvidia.com/gpu},
 * {@code ${kubernetes}} the version of most kubelets without a distribution's suffix, {@code ${distribution}},
 * {@code ${ago:P3D}} a moment before the cluster's first, values of the plan, and what {@link #with} adds.
 */
final class SeedValues {
    private static final Pattern HOLE = Pattern.compile("\\$\\{([^}]+)}");
    private static final String USUAL_TAINT = "present";
    private static final String GPU_TAINT = "nvidia.com/gpu=";

    private final Map<String, String> values;
    private final Instant begin;

    private SeedValues(Map<String, String> values, Instant begin) {
        this.values = Map.copyOf(values);
        this.begin = begin;
    }

    static SeedValues of(World world, Map<String, String> plan, Instant begin) {
        Map<String, String> values = new HashMap<>(plan);
        world.read(w -> {
            values.put("distribution", w.kubernetes.distribution().word());
            values.put("kubernetes", most(w, node -> node.kubelet.replaceFirst("\\+.*", ""), ""));
            values.put("taint", most(w, SeedValues::taint, USUAL_TAINT));
            return values;
        });
        return new SeedValues(values, begin);
    }

    private static String taint(LabNode node) {
        return node.taints.stream().filter(taint -> taint.startsWith(GPU_TAINT))
                .map(taint -> taint.substring(GPU_TAINT.length()).replaceFirst(":.*", "")).findFirst().orElse("");
    }

    private static String most(World world, Function<LabNode, String> what, String otherwise) {
        return world.nodes.values().stream().map(what).filter(value -> !value.isEmpty())
                .collect(Collectors.groupingBy(value -> value, TreeMap::new, Collectors.counting())).entrySet().stream()
                .max(Map.Entry.comparingByValue()).map(Map.Entry::getKey).orElse(otherwise);
    }

    SeedValues with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(values);
        all.putAll(more);
        return new SeedValues(all, begin);
    }

    /** {@code server}, {@code serverNamespace}, {@code serverNode} and {@code serverVersion}. Under the world's lock. */
    static Map<String, String> of(LabModelServer server) {
        return Map.of("server", server.name, "serverNamespace", server.namespace, "serverNode", server.node,
                "serverVersion", server.version);
    }

    /** @throws IllegalArgumentException if a value is missing */
    String fill(String text) {
        return HOLE.matcher(text).replaceAll(hole -> Matcher.quoteReplacement(value(hole.group(1))));
    }

    private String value(String name) {
        if (name.startsWith("ago:")) {
            return Timestamp.of(begin.minus(Duration.parse(name.substring("ago:".length()))));
        }
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a manifest asks for ${" + name + "}, which nothing fills");
        }
        return value;
    }
}
