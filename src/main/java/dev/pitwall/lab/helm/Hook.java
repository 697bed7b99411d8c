package dev.pitwall.lab.helm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.store.Json;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/**
 * A hook of a release. Helm keeps it in the release's record, not in its manifest, and makes its object at the events
 * that the object's annotations name. [helm.sh: Chart Hooks]
 *
 * @param path     of the template, beginning with the chart's name
 * @param manifest the object as YAML
 */
public record Hook(String path, String manifest) {
    private static final String ANNOTATION = "helm.sh/hook";
    private static final String SOURCE = "---\n# Source: ";

    /** Reads the hooks of a text, each of which begins with {@code ---} and a comment that names its source. */
    public static List<Hook> all(String text) {
        return Arrays.stream(text.split(SOURCE)).filter(part -> !part.isBlank()).map(part -> {
            int end = part.indexOf('\n');
            return new Hook(part.substring(0, end), part.substring(end + 1).stripTrailing());
        }).toList();
    }

    /** Its entry in a release's record, before it has ever run. */
    ObjectNode entry() {
        JsonNode object = object();
        JsonNode annotations = object.at("/metadata/annotations");
        ObjectNode entry = Json.object().put("name", object.at("/metadata/name").asText())
                .put("kind", object.path("kind").asText()).put("path", path).put("manifest", manifest);
        words(annotations.path(ANNOTATION)).forEach(entry.putArray("events")::add);
        entry.putObject("last_run").put("started_at", "").put("completed_at", "").put("phase", "");
        int weight = annotations.path(ANNOTATION + "-weight").asInt();
        if (weight != 0) {
            entry.put("weight", weight);
        }
        words(annotations.path(ANNOTATION + "-delete-policy")).forEach(entry.putArray("delete_policies")::add);
        return entry;
    }

    private JsonNode object() {
        try {
            return new YAMLMapper().readTree(manifest);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a hook of " + path + " cannot be read", e);
        }
    }

    private static List<String> words(JsonNode list) {
        return Arrays.stream(list.asText().split(",")).map(String::strip).filter(word -> !word.isEmpty()).toList();
    }
}
