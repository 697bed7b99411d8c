package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.HelmRelease;
import dev.pitwall.read.HelmValues;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** The operator's chart against images, definitions and values that are there. */
final class ChartCheck implements Check {
    private static final Pattern VERSION = Pattern.compile("gpu-operator-v?(\\d+)\\.(\\d+)\\.(\\d+).*");
    private static final Pattern OLD_IMAGE = Pattern.compile(".*gpu-operator-validator[:@].*");
    private static final Pattern MEBIBYTES = Pattern.compile("(\\d+)Mi");
    /** Parts of the values that stand in ClusterPolicy under the same names. */
    private static final Set<String> SAME = Set.of("cdi", "toolkit", "driver", "devicePlugin", "dcgm", "dcgmExporter", "gfd",
            "mig", "migManager", "validator", "hostPaths", "vfioManager", "kataManager", "ccManager");
    private static final int EXPORTER_NEEDS_MIB = 400;
    private static final String DEFINED = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/";

    @Override
    public void look(Picture picture, SignBook book) {
        picture.objects("DaemonSet").stream()
                .filter(set -> set.what().path("metadata").path("name").asText().equals("nvidia-operator-validator"))
                .forEach(set -> chart(set.what(), picture).ifPresent(chart -> validator(set, chart, book)));
        picture.objects("ClusterPolicy").forEach(policy -> exporter(policy, book));
        picture.objects("CustomResourceDefinition").stream()
                .filter(d -> d.what().path("metadata").path("name").asText().equals("clusterpolicies.nvidia.com"))
                .forEach(definition -> fields(definition, picture, book));
    }

    /** The chart's version as year and month: 2510 for 25.10. */
    private static Optional<Integer> chart(JsonNode set, Picture picture) {
        Matcher label = VERSION.matcher(set.path("metadata").path("labels").path("helm.sh/chart").asText(""));
        Matcher release = VERSION.matcher(picture.outputs(HelmRelease.class).stream().map(Seen::what)
                .filter(r -> r.chart().equals(Optional.of("gpu-operator")))
                .map(r -> "gpu-operator-" + r.chartVersion().orElse("")).findFirst().orElse(""));
        return label.matches() ? Optional.of(number(label)) : release.matches() ? Optional.of(number(release)) : Optional.empty();
    }

    private static int number(Matcher version) {
        return Integer.parseInt(version.group(1)) * 100 + Integer.parseInt(version.group(2));
    }

    /** From chart 25.10 on the validator is in the operator's own image (facts: cluster.md 1.1). */
    private static void validator(Seen<JsonNode> set, int chart, SignBook book) {
        StreamSupport.stream(set.what().path("spec").path("template").path("spec").path("initContainers").spliterator(), false)
                .map(c -> c.path("image").asText("")).filter(image -> !image.isEmpty()).findFirst()
                .filter(image -> image.contains("/") && OLD_IMAGE.matcher(image).matches() != chart < 2510)
                .ifPresent(image -> book.add(Shown.sign("validator-image-skew", set.about().of("validator"), set.from(),
                        "the validator's image is " + image + ", which is not that of chart " + chart / 100 + "." + chart % 100,
                        set.shown("/metadata/labels/helm.sh~1chart", "/spec/template/spec/initContainers/0/image"))));
    }

    private static void exporter(Seen<JsonNode> policy, SignBook book) {
        String memory = policy.what().path("spec").path("dcgmExporter").path("resources").path("limits").path("memory").asText("");
        Matcher mebibytes = MEBIBYTES.matcher(memory);
        if (mebibytes.matches() && Integer.parseInt(mebibytes.group(1)) < EXPORTER_NEEDS_MIB) {
            book.add(Shown.sign("exporter-memory-low", About.NOTHING.of("dcgm-exporter"), policy.from(),
                    "the DCGM exporter may take " + memory + " and needs 400Mi to 500Mi", Map.of("memory", memory),
                    policy.shown("/spec/dcgmExporter/resources/limits/memory")));
        }
    }

    private static void fields(Seen<JsonNode> definition, Picture picture, SignBook book) {
        JsonNode spec = definition.what().path("spec").path("versions").path(0).path("schema").path("openAPIV3Schema")
                .path("properties").path("spec").path("properties");
        if (spec.isEmpty()) {
            return;
        }
        List<Seen<Map<String, String>>> given = new ArrayList<>();
        picture.outputs(HelmValues.class).stream().filter(v -> v.what().chart().equals(Optional.of("gpu-operator")))
                .forEach(v -> given.add(v.as(v.what().settings())));
        picture.outputs(HelmRelease.class).stream().filter(r -> r.what().chart().equals(Optional.of("gpu-operator")))
                .forEach(r -> given.add(r.as(r.what().settings())));
        Map<String, Seen<?>> unknown = new TreeMap<>();
        given.forEach(settings -> settings.what().keySet().forEach(path -> {
            String[] words = path.split("[.\\[]");
            if (words.length >= 2 && SAME.contains(words[0]) && !spec.path(words[0]).path("properties").has(words[1])
                    && !spec.path(words[0]).path("properties").isEmpty()) {
                unknown.putIfAbsent(words[0] + "." + words[1], settings);
            }
        }));
        unknown.keySet().removeIf(path -> path.endsWith(".env") || path.equals("devicePlugin.config"));
        unknown.forEach((path, settings) -> book.add(Shown.sign("crd-lacks-field", About.NOTHING.of("operator"), definition.from(),
                        "the values set " + path + ", which the cluster's definition of ClusterPolicy does not know",
                        Map.of("field", path), settings.shown(path.split("\\.")), definition.shown(DEFINED
                                + path.replace(".", "/properties/")))));
    }
}
