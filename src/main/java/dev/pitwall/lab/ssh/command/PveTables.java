package dev.pitwall.lab.ssh.command;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Answers of the Proxmox API as its programs print them. */
final class PveTables {
    private PveTables() {
    }

    static void vms(PrintStream out, JsonNode list) {
        out.println("      VMID NAME                 STATUS     MEM(MB)    BOOTDISK(GB) PID       ");
        sorted(list, "vmid").forEach(vm -> out.printf(Locale.ROOT, "%10d %-20s %-10s %-10d %12.2f %-10d%n",
                vm.path("vmid").asInt(), vm.path("name").asText(), vm.path("status").asText(),
                vm.path("maxmem").asLong() >> 20, vm.path("maxdisk").asDouble() / (1L << 30), vm.path("pid").asInt()));
    }

    private static List<JsonNode> sorted(JsonNode list, String key) {
        List<JsonNode> all = new ArrayList<>();
        list.forEach(all::add);
        all.sort(Comparator.comparingInt(n -> n.path(key).asInt()));
        return all;
    }

    static void snapshots(PrintStream out, JsonNode list) {
        int depth = 0;
        for (JsonNode snapshot : list) {
            out.printf("%s`-> %-27s %s%n", " ".repeat(depth++), snapshot.path("name").asText(),
                    snapshot.path("description").asText().strip());
        }
    }

    static void storages(PrintStream out, JsonNode list) {
        out.println("Name             Type     Status           Total            Used       Available        %");
        list.forEach(s -> out.printf(Locale.ROOT, "%-16s %-8s %-9s %12d %15d %15d %7.2f%%%n",
                s.path("storage").asText(),
                s.path("type").asText(), s.path("active").asInt() == 1 ? "active" : "inactive",
                s.path("total").asLong() >> 10, s.path("used").asLong() >> 10, s.path("avail").asLong() >> 10,
                s.path("total").asDouble() == 0 ? 0 : 100 * s.path("used").asDouble() / s.path("total").asDouble()));
    }

    /** A list of objects, an object, or a single value. */
    static void boxed(PrintStream out, JsonNode data) {
        if (data.isNull() || data.isMissingNode()) {
            return;
        }
        if (data.isValueNode()) {
            out.println(data.asText());
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        if (data.isObject()) {
            rows.add(List.of("key", "value"));
            data.properties().forEach(p -> rows.add(List.of(p.getKey(), text(p.getValue()))));
        } else {
            Set<String> columns = new LinkedHashSet<>();
            data.forEach(row -> row.fieldNames().forEachRemaining(columns::add));
            rows.add(List.copyOf(columns));
            data.forEach(row -> rows.add(columns.stream().map(c -> text(row.path(c))).toList()));
        }
        print(out, rows);
    }

    private static String text(JsonNode value) {
        return value.isContainerNode() ? value.toString() : value.asText();
    }

    private static void print(PrintStream out, List<List<String>> rows) {
        int columns = rows.getFirst().size();
        if (columns == 0) {
            return;
        }
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        out.println(rule(widths, "\u250c", "\u252c", "\u2510", "\u2500"));
        for (int r = 0; r < rows.size(); r++) {
            StringBuilder line = new StringBuilder("\u2502");
            for (int i = 0; i < columns; i++) {
                line.append(' ').append(String.format("%-" + Math.max(1, widths[i]) + "s", rows.get(r).get(i)))
                        .append(" \u2502");
            }
            out.println(line);
            if (r == 0) {
                out.println(rule(widths, "\u255e", "\u256a", "\u2561", "\u2550"));
            } else if (r < rows.size() - 1) {
                out.println(rule(widths, "\u251c", "\u253c", "\u2524", "\u2500"));
            }
        }
        out.println(rule(widths, "\u2514", "\u2534", "\u2518", "\u2500"));
    }

    private static String rule(int[] widths, String left, String middle, String right, String fill) {
        List<String> parts = new ArrayList<>();
        for (int width : widths) {
            parts.add(fill.repeat(Math.max(1, width) + 2));
        }
        return left + String.join(middle, parts) + right;
    }
}
