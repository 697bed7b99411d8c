package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.MachineState.CardView;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The fields of {@code nvidia-smi --query-gpu}. */
final class NvidiaSmiFields {
    private static final String LOST = "[GPU is lost]";

    /** @param unit as the header prints it; empty for none */
    private record Field(String unit, boolean survivesLoss, BiFunction<MachineState, CardView, String> value) {
    }

    private static final Map<String, Field> FIELDS = fields();

    private final MachineState machine;

    NvidiaSmiFields(MachineState machine) {
        this.machine = machine;
    }

    static boolean knows(String field) {
        return FIELDS.containsKey(field);
    }

    static String header(String field, boolean units) {
        String unit = FIELDS.get(field).unit();
        return unit.isEmpty() || !units && unit.equals("none") ? field : field + " [" + unit + "]";
    }

    String value(String field, CardView card, boolean units) {
        Field f = FIELDS.get(field);
        if (card.lost() && !f.survivesLoss()) {
            return LOST;
        }
        String value = f.value().apply(machine, card);
        return units && !f.unit().isEmpty() && !value.startsWith("[") ? value + " " + f.unit() : value;
    }

    /** NVML's bus id has an eight-digit domain. */
    static String busId(CardView card) {
        return ("0000" + card.function().address()).toUpperCase(Locale.ROOT);
    }

    private static Map<String, Field> fields() {
        Map<String, Field> f = new LinkedHashMap<>();
        keep(f, "index", (m, c) -> Integer.toString(m.cards().indexOf(c)));
        keep(f, "name", (m, c) -> c.product());
        keep(f, "gpu_name", (m, c) -> c.product());
        keep(f, "uuid", (m, c) -> c.uuid());
        keep(f, "gpu_uuid", (m, c) -> c.uuid());
        keep(f, "driver_version", (m, c) -> m.driver().version());
        keep(f, "count", (m, c) -> Integer.toString(m.cards().size()));
        keep(f, "pci.bus_id", (m, c) -> busId(c));
        keep(f, "gpu_bus_id", (m, c) -> busId(c));
        keep(f, "pci.device_id", (m, c) -> "0x" + (c.function().deviceId() + "10de").toUpperCase(Locale.ROOT));
        keep(f, "timestamp", (m, c) -> DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS")
                .withZone(ZoneOffset.UTC).format(m.now()));
        keep(f, "serial", (m, c) -> "[N/A]");
        keep(f, "compute_mode", (m, c) -> "Default");
        keep(f, "mig.mode.current", (m, c) -> "[N/A]");
        measured(f, "memory.total", "MiB", c -> Long.toString(c.vramMiB()));
        measured(f, "memory.used", "MiB", c -> Long.toString(c.usedMiB()));
        measured(f, "memory.free", "MiB", c -> Long.toString(c.freeMiB()));
        measured(f, "memory.reserved", "MiB", c -> Long.toString(c.reservedMiB()));
        measured(f, "utilization.gpu", "%", c -> Long.toString(Math.round(c.utilizationPercent())));
        measured(f, "utilization.memory", "%", c -> Long.toString(Math.round(c.utilizationPercent() * 0.75)));
        measured(f, "temperature.gpu", "", c -> Long.toString(Math.round(c.temperatureC())));
        measured(f, "temperature.memory", "", c -> "N/A");
        measured(f, "power.draw", "W", c -> watts(c.powerW()));
        measured(f, "power.draw.instant", "W", c -> watts(c.powerW()));
        measured(f, "power.limit", "W", c -> watts(c.powerLimitW()));
        measured(f, "fan.speed", "%", c -> "[N/A]");
        measured(f, "pstate", "", NvidiaSmiFields::performanceState);
        measured(f, "clocks.sm", "MHz", c -> Integer.toString(c.smClockMHz()));
        measured(f, "clocks.gr", "MHz", c -> Integer.toString(c.smClockMHz()));
        measured(f, "clocks.current.sm", "MHz", c -> Integer.toString(c.smClockMHz()));
        measured(f, "clocks.mem", "MHz", c -> Integer.toString(c.memoryClockMHz()));
        measured(f, "clocks.current.memory", "MHz", c -> Integer.toString(c.memoryClockMHz()));
        return f;
    }

    private static void keep(Map<String, Field> fields, String name,
                             BiFunction<MachineState, CardView, String> value) {
        fields.put(name, new Field("", true, value));
    }

    private static void measured(Map<String, Field> fields, String name, String unit,
                                 Function<CardView, String> value) {
        fields.put(name, new Field(unit, false, (m, c) -> value.apply(c)));
    }

    static String watts(double watts) {
        return String.format(Locale.ROOT, "%.2f", watts);
    }

    static String performanceState(CardView card) {
        return card.utilizationPercent() >= 5 ? "P0" : "P8";
    }
}
