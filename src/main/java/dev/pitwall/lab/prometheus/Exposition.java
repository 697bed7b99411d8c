package dev.pitwall.lab.prometheus;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads Prometheus' text format. */
final class Exposition {
    private static final Pattern LINE =
            Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)\\})?\\s+(\\S+)(?:\\s+-?\\d+)?");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)=\"((?:\\\\.|[^\"\\\\])*)\",?");

    private Exposition() {
    }

    /** Values by labels; a line that is not understood is left out, as a partial scrape would be. */
    static Map<Labels, Double> parse(String text) {
        Map<Labels, Double> values = new LinkedHashMap<>();
        text.lines().filter(l -> !l.startsWith("#")).map(LINE::matcher).filter(Matcher::matches).forEach(m -> {
            TreeMap<String, String> labels = new TreeMap<>();
            labels.put(Labels.NAME, m.group(1));
            if (m.group(2) != null) {
                Matcher label = LABEL.matcher(m.group(2));
                while (label.find()) {
                    labels.put(label.group(1), label.group(2).replace("\\\"", "\"").replace("\\\\", "\\"));
                }
            }
            values.put(new Labels(labels), number(m.group(3)));
        });
        return values;
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }
}
