package dev.pitwall.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code nvidia-smi --query-gpu=… --format=csv}, with its head line and with or without units. */
public final class SmiCsvReader {

    private static final Set<String> FIELDS = Set.of("index", "name", "gpu_name", "uuid", "gpu_uuid", "pci.bus_id",
            "gpu_bus_id", "driver_version", "memory.total", "memory.used", "memory.reserved", "memory.free",
            "utilization.gpu", "utilization.memory", "temperature.gpu", "power.draw", "power.draw.instant",
            "power.draw.average", "count", "timestamp", "pstate", "compute_cap", "serial", "minor_number",
            "persistence_mode", "mig.mode.current", "gpu_serial", "power.limit", "fan.speed", "vbios_version");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        return head(text).isPresent() ? 0.97 : 0;
    }

    /** Reads as far as it goes; never throws. */
    public GpuListing read(Text text) {
        Notes notes = new Notes();
        List<GpuDraft> drafts = new ArrayList<>();
        Optional<Text.Line> head = head(text);
        List<String> fields = head.map(h -> fields(h.text())).orElse(List.of());
        for (Text.Line line : text.filled(notes::add)) {
            if (head.isPresent() && line.number() > head.get().number()) {
                draft(fields, cells(line.text(), head.get().text()), line, notes).ifPresent(drafts::add);
            }
        }
        return new GpuListing(GpuListing.Layout.CSV, drafts.stream().map(d -> d.build(Optional.empty())).toList(),
                Optional.empty(), Optional.empty(), Optional.empty(), notes.list());
    }

    /** The head line: at least two fields, all but a few of them known. */
    private static Optional<Text.Line> head(Text text) {
        return text.first(5).stream().filter(l -> !l.open() && l.text().length() < 4000)
                .filter(l -> {
                    List<String> fields = fields(l.text());
                    long known = fields.stream().filter(FIELDS::contains).count();
                    return known >= 2 && known * 2 >= fields.size();
                }).findFirst();
    }

    private static List<String> fields(String line) {
        return Arrays.stream(line.split(",")).map(f -> f.replaceFirst("\\s*\\[.*]\\s*$", "").strip()).toList();
    }

    /** nvidia-smi parts its columns by a comma and a blank, so that a comma in a number is no column's end. */
    private static String[] cells(String line, String head) {
        return line.split(head.replace(", ", "").contains(",") ? "," : ",\\s+", -1);
    }

    /** Empty for a line whose columns cannot be told: a value in the wrong place is worse than none. */
    private static Optional<GpuDraft> draft(List<String> fields, String[] cells, Text.Line line, Notes notes) {
        if (cells.length > fields.size() || (cells.length < fields.size() && !line.open())) {
            notes.add("line " + line.number() + " has " + cells.length + (cells.length == 1 ? " column" : " columns")
                    + ", the header " + fields.size() + "; it was left out");
            return Optional.empty();
        }
        int usable = line.open() ? cells.length - 1 : cells.length;
        if (line.open()) {
            notes.openEnd(line);
        }
        GpuDraft draft = new GpuDraft();
        for (int i = 0; i < Math.min(usable, fields.size()); i++) {
            take(draft, fields.get(i), cells[i].strip());
        }
        return Optional.of(draft);
    }

    private static void take(GpuDraft draft, String field, String value) {
        draft.see(value);
        switch (field) {
            case "index" -> draft.index(value);
            case "minor_number" -> draft.minor(value);
            case "name", "gpu_name" -> draft.name(value);
            case "uuid", "gpu_uuid" -> draft.uuid(value);
            case "pci.bus_id", "gpu_bus_id" -> draft.busId(value);
            case "driver_version" -> draft.driver(value);
            case "memory.total" -> draft.totalMiB(value);
            case "memory.used" -> draft.usedMiB(value);
            case "memory.reserved" -> draft.reservedMiB(value);
            case "utilization.gpu" -> draft.utilization(value);
            case "temperature.gpu" -> draft.temperature(value);
            case "power.draw.instant" -> draft.instantPower(value);
            case "power.draw" -> draft.power(value);
            case "power.draw.average" -> draft.averagePower(value);
            default -> { }
        }
    }
}
