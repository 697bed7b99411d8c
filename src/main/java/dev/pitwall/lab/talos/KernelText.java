package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabTalos;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A Talos node's kernel log. Talos's own controllers write into it; {@code talosctl dmesg} shows each line with its
 * facility and priority.
 */
final class KernelText {
    /** About when Talos comes to the machine configuration, after the kernel's start. */
    private static final long CONFIG_SECONDS = 9;

    private KernelText() {
    }

    private static void add(LabTalos talos, String facility, String priority, String text) {
        talos.kernelLog.add(facility + "|" + priority + "|" + text);
    }

    static void controllerFailed(LabTalos talos, String controller, String error) {
        add(talos, "user", "warning", "[talos] controller failed {\"component\": \"controller-runtime\", \"controller\": \""
                + controller + "\", \"error\": \"" + error.replace("\\", "\\\\").replace("\"", "\\\"")
                .replace("\n", "\\n") + "\"}");
    }

    static void talos(LabTalos talos, String text) {
        add(talos, "user", "warning", "[talos] " + text);
    }

    static void moduleComes(LabTalos talos, TalosData.Extension driver) {
        add(talos, "kern", "notice", "nvidia: loading out-of-tree module taints kernel.");
        if (driver.driver().equals("proprietary")) {
            add(talos, "kern", "warning", "nvidia: module license 'NVIDIA' taints kernel.");
        }
    }

    /** A line that a module of the kernel writes. */
    static void kernel(LabTalos talos, String line) {
        add(talos, "kern", "warning", line);
    }

    static void moduleStands(LabTalos talos, TalosData.Extension driver) {
        add(talos, "kern", "warning", "NVRM: loading NVIDIA UNIX " + (driver.driver().equals("open") ? "Open " : "x86_64 ")
                + "Kernel Module" + (driver.driver().equals("open") ? " for x86_64" : "") + "  "
                + driver.driverVersion());
    }

    /** Each line as {@code talosctl dmesg} prints it, oldest first. */
    static List<String> lines(LabNode node, LabTalos talos) {
        List<String> lines = new ArrayList<>();
        Instant boot = node.bootedAt;
        lines.add(line("kern", "notice", boot, "Linux version " + node.kernel
                + " (@buildkitsandbox) #1 SMP PREEMPT_DYNAMIC"));
        lines.add(line("user", "warning", boot.plusSeconds(2), "[talos] Talos " + talos.version));
        for (int i = 0; i < talos.kernelLog.size(); i++) {
            String[] parts = talos.kernelLog.get(i).split("\\|", 3);
            lines.add(line(parts[0], parts[1], boot.plusSeconds(CONFIG_SECONDS).plusMillis(i * 37L), parts[2]));
        }
        return lines;
    }

    private static String line(String facility, String priority, Instant at, String text) {
        return String.format("%s: %7s: [%s]: %s", facility, priority, at, text);
    }
}
