package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Shows a document of {@link ReadJson} to a person: plain values first, then a table for each list. */
public final class ReadTable {

    private static final int WIDEST = 60;
    private static final int MOST_ROWS = 200;
    private static final Set<String> HEAD = Set.of("kind", "file", "notes", "confidence", "also");

    /** @return lines, each ended */
    public String write(ObjectNode document) {
        StringBuilder out = new StringBuilder();
        out.append(document.path("file").asText("")).append(": ").append(document.path("kind").asText()).append('\n');
        content(out, document);
        for (JsonNode also : document.path("also")) {
            out.append("\nand ").append(also.path("kind").asText()).append('\n');
            content(out, (ObjectNode) also);
        }
        for (JsonNode note : document.path("notes")) {
            out.append("note: ").append(note.asText()).append('\n');
        }
        return out.toString();
    }

    private static void content(StringBuilder out, ObjectNode document) {
        document.properties().stream().filter(e -> !HEAD.contains(e.getKey())).forEach(e -> field(out, "  ", e));
    }

    private static void field(StringBuilder out, String indent, Map.Entry<String, JsonNode> field) {
        JsonNode value = field.getValue();
        if (value.isNull() || (value.isContainerNode() && value.isEmpty())) {
            return;
        }
        if (value.isArray() && value.get(0).isObject()) {
            out.append(indent).append(field.getKey()).append(" (").append(value.size()).append(")\n");
            table(out, indent + "  ", value);
        } else if (value.isObject()) {
            out.append(indent).append(field.getKey()).append('\n');
            value.properties().forEach(e -> field(out, indent + "  ", e));
        } else {
            out.append(indent).append(field.getKey()).append(": ").append(cell(value)).append('\n');
        }
    }

    private static void table(StringBuilder out, String indent, JsonNode rows) {
        List<String> columns = columns(rows);
        if (columns.size() > 1 || !hasInner(rows)) {
            plain(out, indent, rows, columns);
        }
        nested(out, indent, rows, columns.stream().findFirst());
    }

    private static void plain(StringBuilder out, String indent, JsonNode rows, List<String> columns) {
        List<List<String>> cells = new ArrayList<>();
        cells.add(columns);
        for (int i = 0; i < Math.min(rows.size(), MOST_ROWS); i++) {
            JsonNode row = rows.get(i);
            cells.add(columns.stream().map(c -> cell(row.path(c))).toList());
        }
        int[] widths = new int[columns.size()];
        cells.forEach(r -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], r.get(i).length());
            }
        });
        cells.forEach(r -> line(out, indent, r, widths));
        if (rows.size() > MOST_ROWS) {
            out.append(indent).append("and ").append(rows.size() - MOST_ROWS).append(" more; --json has all\n");
        }
    }

    private static void line(StringBuilder out, String indent, List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder(indent);
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }

    /** Fields that have a value in some row and fit into a cell, in the order of the document. */
    private static List<String> columns(JsonNode rows) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> filled = new LinkedHashSet<>();
        rows.forEach(row -> row.properties().forEach(e -> {
            names.add(e.getKey());
            if (fits(e.getValue())) {
                filled.add(e.getKey());
            }
        }));
        return names.stream().filter(filled::contains).toList();
    }

    private static boolean fits(JsonNode value) {
        return !value.isNull() && !value.isObject() && !(value.isArray() && (value.isEmpty() || value.get(0).isObject()));
    }

    private static void nested(StringBuilder out, String indent, JsonNode rows, Optional<String> key) {
        int number = 0;
        for (JsonNode row : rows) {
            number++;
            List<Map.Entry<String, JsonNode>> inner = inner(row);
            String name = key.filter(row::hasNonNull).map(k -> k + " " + cell(row.path(k))).orElse("number " + number);
            if (!inner.isEmpty() && number <= MOST_ROWS) {
                out.append(indent).append(name).append('\n');
                inner.forEach(e -> field(out, indent + "  ", e));
            }
        }
    }

    private static boolean hasInner(JsonNode rows) {
        for (JsonNode row : rows) {
            if (!inner(row).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Values of a row that do not fit into a cell. */
    private static List<Map.Entry<String, JsonNode>> inner(JsonNode row) {
        return row.properties().stream().filter(e -> e.getValue().isContainerNode() && !e.getValue().isEmpty()
                && !fits(e.getValue())).toList();
    }

    private static String cell(JsonNode value) {
        if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(v -> parts.add(v.asText()));
            return cut(String.join(", ", parts));
        }
        return value.isNull() || value.isMissingNode() ? "–" : cut(value.asText());
    }

    private static String cut(String text) {
        String line = text.replace('\n', ' ');
        return line.length() > WIDEST ? line.substring(0, WIDEST - 1) + "…" : line;
    }
}
