package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.container.LogSource.Line;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the programs write, and how long their steps take: {@code lab/kube/operator/logs.yaml}. */
public final class Scripts {
    private static final DateTimeFormatter KLOG = DateTimeFormatter.ofPattern("MMdd HH:mm:ss.000000")
            .withZone(ZoneOffset.UTC);
    private final JsonNode root;

    private Scripts(JsonNode root) {
        this.root = root;
    }

    public static Scripts load() {
        return new Scripts(DataFile.tree("kube/operator/logs.yaml"));
    }

    /** Seconds that a step takes or after which it happens. */
    int seconds(String step) {
        JsonNode value = root.path("seconds").path(step);
        if (!value.isInt()) {
            throw new IllegalArgumentException("logs.yaml has no seconds for " + step);
        }
        return value.asInt();
    }

    /** Mebibytes that a program needs. */
    long mebibytes(String what) {
        return root.path("mebibytes").path(what).asLong();
    }

    /** A sentence with its blanks filled. */
    String text(String name, Map<String, String> values) {
        JsonNode text = root.path("texts").path(name);
        if (!text.isTextual()) {
            throw new IllegalArgumentException("logs.yaml has no text " + name);
        }
        return filled(text.asText(), values);
    }

    /** Lines of a script from a start up to a moment. */
    List<Line> lines(String script, Instant start, Instant until, Map<String, String> values) {
        List<Line> lines = new ArrayList<>();
        for (JsonNode line : root.path("logs").path(script)) {
            Instant at = start.plusSeconds(line.path(0).asLong());
            if (!at.isAfter(until)) {
                lines.add(new Line(at, filled(line.path(1).asText(), values)));
            }
        }
        return lines;
    }

    /** The time as klog writes it. */
    static String klog(Instant at) {
        return KLOG.format(at);
    }

    private static String filled(String template, Map<String, String> values) {
        String text = template;
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("{" + value.getKey() + "}", value.getValue());
        }
        return text;
    }
}
