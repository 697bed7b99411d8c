package dev.pitwall.read;

import dev.pitwall.card.PciAddress;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads kernel lines of {@code dmesg}, {@code journalctl -k} or {@code talosctl dmesg}. It reports what the lines
 * prove; what is absent proves nothing, since most pastes are filtered or cut.
 */
public final class KernelLogReader {

    private static final Pattern STAMP = Pattern.compile("^(?:<\\d+>)?\\[ *\\d+\\.\\d+\\](?:\\[[^\\]]*\\])? ?");
    private static final Pattern WALL_STAMP = Pattern.compile("^\\[\\w{3} \\w{3} +\\d+ \\d\\d:\\d\\d:\\d\\d \\d{4}\\] ?");
    private static final Pattern JOURNAL = Pattern.compile(
            "^(?:\\w{3} +\\d{1,2} \\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT\\S+) \\S+ [\\w.@/-]+(?:\\[\\d+\\])?: ");
    private static final Pattern SHORT_JOURNAL = Pattern.compile("^(?:kernel|QEMU|systemd-udevd|systemd-modules-load|qm)(?:\\[\\d+\\])?: ");
    private static final Pattern TALOS = Pattern.compile("^(?:kern|user|daemon): *\\w+: \\[\\d{4}-[^\\]]+\\]: ");
    private static final Pattern BAR = Pattern.compile(
            "(?:^|\\s)(?:pci|vfio-pci|nvidia|pcieport)?\\s*([0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]): "
                    + "((?:VF )?BAR \\d+|ROM|reg 0x[0-9a-f]+):? ?\\[(mem|io) +0x([0-9a-fA-F]{1,16})-0x([0-9a-fA-F]{1,16})([^\\]]*)\\](:.*)?$");

    private final KernelLines lines = new KernelLines();

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        double stamped = text.share(t -> !message(t).equals(t.strip()));
        double known = text.share(t -> lines.knows(message(t)));
        return Math.min(0.95, Math.max(stamped * 0.8, known > 0 ? 0.3 + 0.6 * Math.max(known, stamped) : 0));
    }

    /** Reads as far as it goes; never throws. */
    public KernelLog read(Text text) {
        Notes notes = new Notes();
        List<KernelLog.Bar> bars = new ArrayList<>();
        List<KernelLog.Event> events = new ArrayList<>();
        for (Text.Line line : text.filled(notes::add)) {
            if (line.open()) {
                notes.openEnd(line);
            }
            String message = message(line.text());
            if (!line.open()) {
                bar(line.number(), message).ifPresent(bars::add);
            }
            lines.event(line, message).ifPresent(events::add);
        }
        return new KernelLog(iommu(events), bars, events, notes.list());
    }

    /** The line without its stamp, host and program. */
    private static String message(String line) {
        String text = line.strip();
        for (Pattern prefix : List.of(TALOS, JOURNAL, SHORT_JOURNAL, STAMP, WALL_STAMP)) {
            text = prefix.matcher(text).replaceFirst("");
        }
        return text;
    }

    private static Optional<KernelLog.Bar> bar(int line, String message) {
        Matcher m = BAR.matcher(message);
        // "contains BAR 0 for 1 VFs" repeats the line before it.
        if (!m.find() || m.group(7) != null) {
            return Optional.empty();
        }
        long start = Long.parseUnsignedLong(m.group(4), 16);
        long end = Long.parseUnsignedLong(m.group(5), 16);
        String flags = m.group(6);
        return PciAddress.parse(m.group(1)).map(a -> new KernelLog.Bar(line, a, m.group(2), m.group(3), start,
                end - start + 1, flags.contains("64bit"), flags.contains("pref")));
    }

    private static KernelLog.Iommu iommu(List<KernelLog.Event> events) {
        return new KernelLog.Iommu(state(events), vendor(events), flag(events, "interrupt-remapping"),
                flag(events, "acs-override"));
    }

    private static KernelLog.IommuState state(List<KernelLog.Event> events) {
        if (has(events, "iommu-active")) {
            return KernelLog.IommuState.ACTIVE;
        }
        if (has(events, "iommu-disabled")) {
            return KernelLog.IommuState.OFF;
        }
        return has(events, "iommu-option-read") && !has(events, "iommu-unit")
                ? KernelLog.IommuState.OPTION_ONLY : KernelLog.IommuState.UNKNOWN;
    }

    private static Optional<String> vendor(List<KernelLog.Event> events) {
        return events.stream().filter(e -> e.what().startsWith("iommu-") || e.what().equals("interrupt-remapping"))
                .map(KernelLog.Event::text)
                .filter(t -> t.contains("DMAR") || t.contains("AMD-Vi") || t.contains("amd_iommu"))
                .map(t -> t.contains("DMAR") ? "intel" : "amd").findFirst();
    }

    private static Optional<Boolean> flag(List<KernelLog.Event> events, String what) {
        boolean amd = what.equals("interrupt-remapping")
                && events.stream().anyMatch(e -> e.text().contains("AMD-Vi: Interrupt remapping enabled"));
        return amd || has(events, what) ? Optional.of(true) : Optional.empty();
    }

    private static boolean has(List<KernelLog.Event> events, String what) {
        return events.stream().anyMatch(e -> e.what().equals(what));
    }
}
