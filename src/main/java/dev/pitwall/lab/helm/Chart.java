package dev.pitwall.lab.helm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.SortedMap;

/**
 * A chart: its files by path inside the chart's folder.
 *
 * @param created when this version came out
 */
public record Chart(String name, String version, Instant created, SortedMap<String, byte[]> files) {

    /** What {@code Chart.yaml} says. */
    public ObjectNode metadata() {
        return yaml("Chart.yaml");
    }

    /** The defaults in {@code values.yaml}, without those of subcharts. */
    public ObjectNode values() {
        return yaml("values.yaml");
    }

    /** The defaults with those of subcharts, each under its name, the chart's own on top. */
    public ObjectNode allValues() {
        ObjectNode values = values();
        for (JsonNode dependency : metadata().path("dependencies")) {
            String subchart = dependency.path("name").asText();
            ObjectNode all = yaml("charts/" + subchart + "/values.yaml");
            lay(values.path(subchart), all);
            all.withObjectProperty("global");
            values.set(subchart, all);
        }
        return values;
    }

    private static void lay(JsonNode upper, ObjectNode lower) {
        upper.properties().forEach(value -> {
            if (value.getValue().isObject() && lower.path(value.getKey()) instanceof ObjectNode table) {
                lay(value.getValue(), table);
            } else {
                lower.set(value.getKey(), value.getValue());
            }
        });
    }

    /** For example {@code gpu-operator-v26.3.3.tgz}. */
    public String archiveName() {
        return name + "-" + version + ".tgz";
    }

    private ObjectNode yaml(String file) {
        try {
            JsonNode read = new YAMLMapper().readTree(new String(files.get(file), StandardCharsets.UTF_8));
            return (ObjectNode) read;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(file + " of chart " + name + " " + version + " cannot be read", e);
        }
    }
}
