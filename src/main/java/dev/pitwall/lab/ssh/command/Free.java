package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.shell.Call;
import dev.pitwall.lab.ssh.shell.Command;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** {@code free}, computed from {@code /proc/meminfo} as procps 4 does; in KiB without an option. */
final class Free implements Command {
    private static final String[] UNITS = {"Ki", "Mi", "Gi", "Ti"};

    @Override
    public int run(Call call) {
        Map<String, Long> kib;
        try {
            kib = memory(new String(call.files().read("/proc/meminfo"), StandardCharsets.US_ASCII));
        } catch (FileTrouble e) {
            return call.fail(1, "Unable to open /proc/meminfo");
        }
        long total = kib.get("MemTotal");
        long free = kib.get("MemFree");
        long available = kib.get("MemAvailable");
        long swap = kib.get("SwapTotal");
        call.out().println("               total        used        free      shared  buff/cache   available");
        call.out().printf(Locale.ROOT, "Mem:     %11s %11s %11s %11s %11s %11s%n", size(call, total),
                size(call, total - available), size(call, free), size(call, 0), size(call, available - free),
                size(call, available));
        call.out().printf(Locale.ROOT, "Swap:    %11s %11s %11s%n", size(call, swap),
                size(call, swap - kib.get("SwapFree")), size(call, kib.get("SwapFree")));
        return Call.OK;
    }

    private static Map<String, Long> memory(String text) {
        Map<String, Long> kib = new HashMap<>();
        text.lines().map(line -> line.split("[:\\s]+")).forEach(words -> kib.put(words[0], Long.parseLong(words[1])));
        return kib;
    }

    private static String size(Call call, long kib) {
        if (call.has('h')) {
            return human(kib);
        }
        int shift = call.has('g') ? 20 : call.has('m') ? 10 : 0;
        return Long.toString(call.has('b') ? kib << 10 : kib >> shift);
    }

    /** At most three digits and a unit; one digit after the point below ten. */
    private static String human(long kib) {
        if (kib == 0) {
            return "0B";
        }
        double value = kib;
        int unit = 0;
        while (value >= 1000 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, value < 10 && unit > 0 ? "%.1f%s" : "%.0f%s", value, UNITS[unit]);
    }
}
