package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.LabTexts;
import dev.pitwall.lab.ssh.MachineState;
import dev.pitwall.lab.ssh.MachineState.CardView;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table, {@code -q} and {@code -q -x} of nvidia-smi, filled from templates in {@code resources/lab/ssh}. */
final class NvidiaSmiText {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String LOST = "GPU is lost";
    private static final int TABLE_NAME = 25;

    private final MachineState m;
    private final LabTexts texts;

    NvidiaSmiText(MachineState machine, LabTexts texts) {
        this.m = machine;
        this.texts = texts;
    }

    String xml(List<CardView> cards) {
        StringBuilder out = new StringBuilder();
        out.append("<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_").append(dtd())
                .append(".dtd\">\n<nvidia_smi_log>\n\t<timestamp>").append(TIME.format(m.now()))
                .append("</timestamp>\n\t<driver_version>").append(m.driver().version())
                .append("</driver_version>\n\t<cuda_version>").append(cuda()).append("</cuda_version>\n")
                .append("\t<attached_gpus>").append(cards.size()).append("</attached_gpus>\n");
        for (CardView card : cards) {
            out.append(filled("nvidia-smi-gpu.xml", card)
                    .replace("${processes}", xmlProcesses(card)));
        }
        return out.append("\n</nvidia_smi_log>\n").toString();
    }

    String query(List<CardView> cards) {
        StringBuilder out = new StringBuilder("\n==============NVSMI LOG==============\n\n");
        line(out, "Timestamp", TIME.format(m.now()));
        line(out, "Driver Version", m.driver().version());
        line(out, "CUDA Version", cuda());
        out.append('\n');
        line(out, "Attached GPUs", Integer.toString(cards.size()));
        cards.forEach(card -> out.append(filled("nvidia-smi-gpu.txt", card)
                .replace("${processes}", textProcesses(card))).append('\n'));
        return out.toString();
    }

    private static void line(StringBuilder out, String name, String value) {
        out.append(String.format("%-42s: %s%n", name, value));
    }

    /** The layout of the 550 branch and later. */
    String table(List<CardView> cards) {
        StringBuilder out = new StringBuilder(TIME.format(m.now())).append('\n');
        String bar = "+" + "-".repeat(41) + "+" + "-".repeat(24) + "+" + "-".repeat(22) + "+\n";
        out.append('+').append("-".repeat(89)).append("+\n")
                .append(String.format("| NVIDIA-SMI %-22s Driver Version: %-14s CUDA Version: %-8s |%n",
                        m.driver().version(), m.driver().version(), cuda()))
                .append('|').append(bar, 1, bar.length() - 2).append("|\n")
                .append("| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n")
                .append("| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n")
                .append("|                                         |                        |               MIG M. |\n")
                .append("|=========================================+========================+======================|\n");
        for (CardView c : cards) {
            String name = c.product().length() > TABLE_NAME ? c.product().substring(0, TABLE_NAME - 3) + "..."
                    : c.product();
            out.append(String.format(Locale.ROOT, "| %3d  %-31sOff |   %16s Off |                  N/A |%n",
                    m.cards().indexOf(c), name, NvidiaSmiFields.busId(c)));
            out.append(String.format(Locale.ROOT, "| N/A%5dC    %-2s%16s / %5s |%8dMiB / %6dMiB |%7d%%      "
                            + "Default |%n", Math.round(c.temperatureC()), NvidiaSmiFields.performanceState(c),
                    Math.round(c.powerW()) + "W", Math.round(c.powerLimitW()) + "W", c.usedMiB(), c.vramMiB(),
                    Math.round(c.utilizationPercent())));
            out.append("|                                         |                        |                  N/A |\n");
            out.append(bar);
        }
        return out.append('\n').append(processTable(cards)).toString();
    }

    private String processTable(List<CardView> cards) {
        StringBuilder out = new StringBuilder(texts.file("nvidia-smi-processes.txt"));
        boolean any = false;
        for (CardView c : cards) {
            for (CardView.Process p : c.processes()) {
                any = true;
                out.append(String.format("|  %3d   N/A  N/A %15d      C   %-36s%7dMiB |%n", m.cards().indexOf(c),
                        p.pid(),
                        p.name(), p.usedMiB()));
            }
        }
        if (!any) {
            out.append(String.format("|  %-87s|%n", "No running processes found"));
        }
        return out.append('+').append("-".repeat(89)).append("+\n").toString();
    }

    private String filled(String template, CardView card) {
        String text = texts.file(template);
        for (Map.Entry<String, String> e : values(card).entrySet()) {
            text = text.replace("${" + e.getKey() + "}", e.getValue());
        }
        return text;
    }

    private Map<String, String> values(CardView c) {
        Map<String, String> v = new LinkedHashMap<>();
        String[] address = c.function().address().split("[:.]");
        v.put("bus_id", NvidiaSmiFields.busId(c));
        v.put("bus", address[1].toUpperCase(Locale.ROOT));
        v.put("device", address[2].toUpperCase(Locale.ROOT));
        v.put("index", Integer.toString(m.cards().indexOf(c)));
        v.put("product", c.product());
        v.put("architecture", architecture(c));
        v.put("uuid", c.uuid());
        v.put("driver", m.driver().version());
        v.put("device_id", (c.function().deviceId() + "10de").toUpperCase(Locale.ROOT));
        v.put("subsystem", (c.function().subsystemDevice() + c.function().subsystemVendor()).toUpperCase(Locale.ROOT));
        v.put("subclass", c.function().classCode().startsWith("0302") ? "2" : "0");
        v.put("virtualization", m.kind() == MachineState.Kind.GUEST ? "Pass-Through" : "None");
        v.put("pstate", c.lost() ? LOST : NvidiaSmiFields.performanceState(c));
        v.put("idle", c.utilizationPercent() < 1 ? "Active" : "Not Active");
        measured(v, c);
        return v;
    }

    private static void measured(Map<String, String> v, CardView c) {
        put(v, c, "total", c.vramMiB() + " MiB");
        put(v, c, "reserved", c.reservedMiB() + " MiB");
        put(v, c, "used", c.usedMiB() + " MiB");
        put(v, c, "free", c.freeMiB() + " MiB");
        put(v, c, "gpu_util", Math.round(c.utilizationPercent()) + " %");
        put(v, c, "memory_util", Math.round(c.utilizationPercent() * 0.75) + " %");
        put(v, c, "temperature", Math.round(c.temperatureC()) + " C");
        put(v, c, "power", NvidiaSmiFields.watts(c.powerW()) + " W");
        put(v, c, "power_limit", NvidiaSmiFields.watts(c.powerLimitW()) + " W");
        put(v, c, "sm_clock", c.smClockMHz() + " MHz");
        put(v, c, "mem_clock", c.memoryClockMHz() + " MHz");
    }

    private static void put(Map<String, String> values, CardView card, String name, String value) {
        values.put(name, card.lost() ? LOST : value);
    }

    private String architecture(CardView card) {
        return texts.list("architectures").stream().map(l -> l.split("\\|"))
                .filter(l -> card.product().matches(".*" + l[0] + ".*")).map(l -> l[1]).findFirst().orElse("N/A");
    }

    private static String xmlProcesses(CardView card) {
        StringBuilder out = new StringBuilder();
        card.processes().forEach(p -> out.append("\t\t\t<process_info>\n\t\t\t\t<pid>").append(p.pid())
                .append("</pid>\n\t\t\t\t<type>C</type>\n\t\t\t\t<process_name>").append(p.name())
                .append("</process_name>\n\t\t\t\t<used_memory>").append(p.usedMiB())
                .append(" MiB</used_memory>\n\t\t\t</process_info>\n"));
        return out.toString();
    }

    private static String textProcesses(CardView card) {
        if (card.processes().isEmpty()) {
            return "    Processes                             : None\n";
        }
        StringBuilder out = new StringBuilder("    Processes\n");
        card.processes().forEach(p -> out.append(String.format("        GPU instance ID                   : N/A%n"
                + "        Process ID                        : %d%n            Type                          : C%n"
                + "            Name                          : %s%n            Used GPU Memory               : %d MiB%n",
                p.pid(), p.name(), p.usedMiB())));
        return out.toString();
    }

    private String dtd() {
        return branch() >= 580 ? "v13" : "v12";
    }

    private String cuda() {
        return texts.list("cuda-by-branch").stream().map(l -> l.split("\\|"))
                .filter(l -> branch() >= Integer.parseInt(l[0])).map(l -> l[1]).findFirst().orElse("12.2");
    }

    private int branch() {
        String major = m.driver().version().split("\\.")[0];
        return major.matches("\\d+") ? Integer.parseInt(major) : 0;
    }
}
