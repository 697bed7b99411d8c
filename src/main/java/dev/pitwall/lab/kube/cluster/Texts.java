package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The sentences of {@code lab/kube/texts.yaml}, with their placeholders filled. */
final class Texts {
    private final JsonNode root;

    /** @param after seconds after the container's start */
    record LogLine(long after, String text) {
    }

    private Texts(JsonNode root) {
        this.root = root;
    }

    static Texts load() {
        try (InputStream in = Texts.class.getResourceAsStream("/lab/kube/texts.yaml")) {
            return new Texts(new YAMLMapper().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException("the lab's texts cannot be read", e);
        }
    }

    String get(String name, Map<String, ?> values) {
        JsonNode text = root.path(name);
        if (!text.isTextual()) {
            throw new IllegalArgumentException("the lab has no text " + name);
        }
        return filled(text.asText(), values);
    }

    /** Lines of a container's log; none if nothing is written about it. */
    List<LogLine> log(String script, Map<String, ?> values) {
        List<LogLine> lines = new ArrayList<>();
        root.path("logs").path(script).forEach(line ->
                lines.add(new LogLine(line.path(0).asLong(), filled(line.path(1).asText(), values))));
        return lines;
    }

    private static String filled(String template, Map<String, ?> values) {
        String text = template;
        for (Map.Entry<String, ?> value : values.entrySet()) {
            text = text.replace("{" + value.getKey() + "}", String.valueOf(value.getValue()));
        }
        return text;
    }
}
