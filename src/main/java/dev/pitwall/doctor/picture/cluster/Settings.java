package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.read.HelmValues;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the operator is told, from its ClusterPolicy or, where there is none, from Helm values.
 *
 * @param values  by dotted path, for example {@code toolkit.enabled}
 * @param toolkit variables of the toolkit's container
 * @param by      what tells it
 */
record Settings(Map<String, String> values, Map<String, String> toolkit, Seen<?> by) {

    static Optional<Settings> of(Picture picture) {
        for (Seen<JsonNode> policy : picture.objects("ClusterPolicy")) {
            JsonNode spec = policy.what().path("spec");
            if (!spec.isEmpty()) {
                return Optional.of(new Settings(flat(spec), variables(spec.path("toolkit").path("env")), policy));
            }
        }
        return picture.outputs(HelmValues.class).stream()
                .filter(v -> v.what().chart().equals(Optional.of("gpu-operator"))).findFirst()
                .map(v -> new Settings(v.what().settings(), variables(v.what().settings()), v));
    }

    private static Map<String, String> flat(JsonNode spec) {
        Map<String, String> flat = new HashMap<>();
        spec.properties().forEach(part -> part.getValue().properties().stream().filter(e -> e.getValue().isValueNode())
                .forEach(e -> flat.put(part.getKey() + "." + e.getKey(), e.getValue().asText())));
        return flat;
    }

    private static Map<String, String> variables(JsonNode env) {
        Map<String, String> variables = new HashMap<>();
        env.forEach(e -> variables.put(e.path("name").asText(), e.path("value").asText()));
        return variables;
    }

    private static Map<String, String> variables(Map<String, String> settings) {
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; settings.containsKey("toolkit.env[" + i + "].name"); i++) {
            variables.put(settings.get("toolkit.env[" + i + "].name"),
                    settings.getOrDefault("toolkit.env[" + i + "].value", ""));
        }
        return variables;
    }

    String from() {
        return by.from();
    }

    /** @param path dotted, for example {@code toolkit.env} */
    Excerpt shown(String path) {
        return by.what() instanceof JsonNode ? by.shown("/spec/" + path.replace('.', '/')) : by.shown(path.split("\\."));
    }

    boolean isTrue(String path) {
        return "true".equals(values.get(path));
    }

    boolean isFalse(String path) {
        return "false".equals(values.get(path));
    }
}
