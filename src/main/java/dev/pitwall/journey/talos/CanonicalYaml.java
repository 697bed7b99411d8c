package dev.pitwall.journey.talos;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes a tree as go-yaml v3 does with its usual settings, on which the Image Factory computes the ids of schematics:
 * four spaces a level, for items of lists too, and a line end at the end (facts: cluster.md 4.4).
 */
final class CanonicalYaml {
    private static final String INDENT = "    ";
    /** What YAML 1.1 takes for true or false; go-yaml quotes it (encode.go, isOldBool). */
    private static final Set<String> OLD_BOOLEANS = Set.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no",
            "No", "NO", "off", "Off", "OFF");
    /** What would be read as something else than a text: null, true, a number, a date, a merge. */
    private static final Pattern OTHER_TYPE = Pattern.compile("|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|<<"
            + "|[-+]?(?:\\.inf|\\.Inf|\\.INF)|\\.nan|\\.NaN|\\.NAN|[-+]?(?:\\d[\\d_]*(?:\\.[\\d_]*)?|\\.\\d[\\d_]*)(?:[eE][-+]?\\d+)?"
            + "|[-+]?0[xX][\\p{XDigit}_]+|[-+]?0[bB][01_]+|[-+]?0[oO][0-7_]+|[-+]?\\d[\\d_]*(?::[0-5]?\\d)+(?:\\.[\\d_]*)?"
            + "|\\d{4}-\\d{1,2}-\\d{1,2}(?:(?:[Tt]|[ \\t]+)\\d{1,2}:\\d\\d:\\d\\d(?:\\.\\d*)?.*)?");
    /** What a plain scalar may not begin with in a block (emitterc.go, yaml_emitter_analyze_scalar). */
    private static final Pattern SPECIAL = Pattern.compile("[#,\\[\\]{}&*!|>'\"%@`].*|[-?:](?:\\s.*)?|---.*|\\.\\.\\..*|\\s.*|.*\\s|.*: .*|.*:|.* #.*");
    private static final Pattern UNPRINTABLE = Pattern.compile(".*[\\x00-\\x1f\\x7f\\x{feff}].*", Pattern.DOTALL);

    private final StringBuilder out = new StringBuilder();

    private CanonicalYaml() {
    }

    /** @param tree an object */
    static String of(JsonNode tree) {
        CanonicalYaml yaml = new CanonicalYaml();
        yaml.fields(tree, 0);
        return yaml.out.toString();
    }

    private void fields(JsonNode object, int depth) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            out.append(INDENT.repeat(depth));
            field(field, depth);
        }
    }

    private void field(Map.Entry<String, JsonNode> field, int depth) {
        out.append(text(field.getKey(), depth)).append(':');
        JsonNode value = field.getValue();
        if (value.isContainerNode() && !value.isEmpty()) {
            out.append('\n');
            if (value.isArray()) {
                items(value, depth + 1);
            } else {
                fields(value, depth + 1);
            }
        } else {
            out.append(' ').append(scalar(value, depth)).append('\n');
        }
    }

    private void items(JsonNode list, int depth) {
        for (JsonNode item : list) {
            out.append(INDENT.repeat(depth)).append("- ");
            if (item.isObject() && !item.isEmpty()) {
                // go-yaml indents what belongs to an item by the two characters of its mark.
                StringBuilder own = new StringBuilder(of(item));
                out.append(own.toString().stripTrailing().replace("\n", "\n" + INDENT.repeat(depth) + "  ")).append('\n');
            } else {
                out.append(scalar(item, depth)).append('\n');
            }
        }
    }

    private static String scalar(JsonNode value, int depth) {
        return value.isObject() ? "{}" : value.isArray() ? "[]" : value.isTextual() ? text(value.asText(), depth)
                : value.asText();
    }

    private static String text(String text, int depth) {
        if (text.contains("\n")) {
            return block(text, depth);
        }
        if (OTHER_TYPE.matcher(text).matches() || OLD_BOOLEANS.contains(text) || UNPRINTABLE.matcher(text).matches()) {
            return '"' + escaped(text) + '"';
        }
        return SPECIAL.matcher(text).matches() ? "'" + text.replace("'", "''") + "'" : text;
    }

    private static String block(String text, int depth) {
        String mark = text.endsWith("\n\n") ? "|+" : text.endsWith("\n") ? "|" : "|-";
        String body = text.stripTrailing().replaceAll("\n(?=[^\n])", "\n" + INDENT.repeat(depth + 1));
        return mark + "\n" + INDENT.repeat(depth + 1) + body;
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> {
            switch (c) {
                case '"' -> escaped.append("\\\"");
                case '\\' -> escaped.append("\\\\");
                case '\t' -> escaped.append("\\t");
                case '\r' -> escaped.append("\\r");
                default -> escaped.append(c < ' ' || c == 0x7f ? String.format("\\x%02X", c) : String.valueOf((char) c));
            }
        });
        return escaped.toString();
    }
}
