package dev.pitwall.lab.talos;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Writes YAML as go-yaml v3 does, which the Image Factory hashes: four spaces for each level, lists included, texts as
 * plain as they may be (facts: cluster.md 4.4).
 */
final class GoYaml {
    private static final int STEP = 4;
    /** What would be read back as something else than a text, the booleans of YAML 1.1 included. */
    private static final Pattern NO_TEXT = Pattern.compile(
            "(?i:y|n|yes|no|on|off|true|false|null)|~|<<|=|[-+]?(0x[0-9a-fA-F_]+|0o?[0-7_]+|0b[01_]+|[0-9][0-9_]*)"
            + "|[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"
            + "|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?");
    private static final Pattern FIRST_IS_SIGN = Pattern.compile("[,\\[\\]{}#&*!|>'\"%@`].*|[-?:]( .*)?");
    private static final Pattern SIGN_INSIDE = Pattern.compile(".*(: | #).*|.*:");

    private GoYaml() {
    }

    /** @param content texts, numbers, booleans, lists and maps; a map keeps its order */
    static String write(Map<String, ?> content) {
        StringBuilder out = new StringBuilder();
        map(out, content, 0);
        return out.toString();
    }

    private static void map(StringBuilder out, Map<?, ?> map, int indent) {
        boolean first = true;
        for (var entry : map.entrySet()) {
            // The first key of a list's entry stands on the line of its dash.
            if (!first || out.isEmpty() || out.charAt(out.length() - 1) == '\n') {
                out.repeat(' ', indent);
            }
            first = false;
            out.append(scalar(String.valueOf(entry.getKey()), indent)).append(':');
            value(out, entry.getValue(), indent);
        }
    }

    private static void value(StringBuilder out, Object value, int indent) {
        switch (value) {
            case Map<?, ?> map when map.isEmpty() -> out.append(" {}\n");
            case Map<?, ?> map -> {
                out.append('\n');
                map(out, map, indent + STEP);
            }
            case List<?> list when list.isEmpty() -> out.append(" []\n");
            case List<?> list -> {
                out.append('\n');
                list(out, list, indent + STEP);
            }
            case String text -> out.append(' ').append(scalar(text, indent + STEP)).append('\n');
            default -> out.append(' ').append(value).append('\n');
        }
    }

    private static void list(StringBuilder out, List<?> list, int indent) {
        for (Object entry : list) {
            out.repeat(' ', indent).append('-');
            switch (entry) {
                case Map<?, ?> map when !map.isEmpty() -> {
                    out.append(' ');
                    map(out, map, indent + 2);
                }
                default -> value(out, entry, indent);
            }
        }
    }

    private static String scalar(String text, int indent) {
        if (text.contains("\n")) {
            return block(text, indent);
        }
        if (text.isEmpty() || NO_TEXT.matcher(text).matches() || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t").replace("\r", "\\r") + '"';
        }
        boolean quoted = FIRST_IS_SIGN.matcher(text).matches() || SIGN_INSIDE.matcher(text).matches()
                || text.startsWith(" ") || text.endsWith(" ") || text.startsWith("---") || text.startsWith("...");
        return quoted ? '\'' + text.replace("'", "''") + '\'' : text;
    }

    private static String block(String text, int indent) {
        String end = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
        StringBuilder out = new StringBuilder("|").append(text.startsWith(" ") ? String.valueOf(STEP) : "").append(end);
        for (String line : text.replaceFirst("\n$", "").split("\n", -1)) {
            out.append('\n');
            if (!line.isEmpty()) {
                out.repeat(' ', indent).append(line);
            }
        }
        return out.toString();
    }
}
