package dev.pitwall.lab.kube.seed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.helm.Chart;
import dev.pitwall.lab.helm.Charts;
import dev.pitwall.lab.helm.Hook;
import dev.pitwall.lab.helm.ReleaseSecret;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A release that Helm had installed before the lab began: {@code releases/NAME.yaml} says which chart with which
 * values, {@code releases/NAME.manifest.yaml} and {@code releases/CHART-VERSION.hooks.yaml} are what that chart renders to
 * with them; tests hold them together.
 */
record SeedRelease(String name, String namespace, String chart, String version, ObjectNode values) {

    static SeedRelease read(String file) {
        try {
            return new YAMLMapper().readValue(Manifest.text("releases/" + file + ".yaml"), SeedRelease.class);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("release " + file + " cannot be read", e);
        }
    }

    static String manifest(String file) {
        return Manifest.text("releases/" + file + ".manifest.yaml").stripTrailing() + "\n";
    }

    /** What the chart's hooks render to; they ask for nothing that a release of a scene sets. */
    List<Hook> hooks() {
        return Hook.all(Manifest.text("releases/" + chart + "-" + version + ".hooks.yaml"));
    }

    /** All that an installation leaves: definitions, the objects of the manifest as Helm marks them, and its record. */
    List<Manifest> objects(String manifest, Instant installed) {
        Chart used = Charts.load().find(chart, version).orElseThrow(
                () -> new IllegalStateException("there is no chart " + chart + " " + version));
        List<Manifest> all = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : used.files().entrySet()) {
            if (file.getKey().startsWith("crds/") || file.getKey().contains("/crds/")) {
                all.addAll(Manifest.all(new String(file.getValue(), StandardCharsets.UTF_8)));
            }
        }
        Manifest.all(manifest).forEach(object -> {
            mark(object.object());
            all.add(object);
        });
        all.add(Manifest.of(new ReleaseSecret(name, namespace, used, values, manifest, hooks()).installed(installed)));
        return all;
    }

    private void mark(ObjectNode object) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        metadata.withObjectProperty("labels").put("app.kubernetes.io/managed-by", "Helm");
        metadata.withObjectProperty("annotations").put("meta.helm.sh/release-name", name)
                .put("meta.helm.sh/release-namespace", namespace);
    }
}
