package dev.pitwall.journey.node;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A table of {@code journey/} with commas between its fields and their names in the first line. */
public final class Table {
    private Table() {
    }

    /** @return a map by column for each row */
    public static List<Map<String, String>> read(String name) {
        try (InputStream in = Table.class.getResourceAsStream("/journey/" + name)) {
            if (in == null) {
                throw new FileNotFoundException(name);
            }
            return rows(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException("journey/" + name + " cannot be read", e);
        }
    }

    private static List<Map<String, String>> rows(List<String> lines) {
        List<String> columns = fields(lines.getFirst());
        return lines.stream().skip(1).filter(l -> !l.isBlank()).map(line -> {
            List<String> fields = fields(line);
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                row.put(columns.get(i), i < fields.size() ? fields.get(i) : "");
            }
            return row;
        }).toList();
    }

    /** A field with commas stands between double quotes. */
    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (char c : line.toCharArray()) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
