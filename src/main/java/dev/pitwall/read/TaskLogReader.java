package dev.pitwall.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the log of a Proxmox task, as {@code qm start} prints it and the web interface shows it. */
public final class TaskLogReader {

    private static final Pattern OUTCOME = Pattern.compile("\\s*TASK (OK|ERROR|WARNINGS)\\b.*");
    private static final Pattern TYPICAL = Pattern.compile(
            "\\s*(?:TASK (?:OK|ERROR|WARNINGS)|ERROR: (?:PCI device|Backup of VM)|error writing '1' to '/sys/bus/pci|"
                    + "failed to reset PCI device|INFO: (?:starting new backup job|Starting Backup of VM)|"
                    + "kvm: -device vfio-pci|start failed: |cannot prepare PCI pass-through).*");
    private static final Pattern BENIGN = Pattern.compile(
            ".*(?:Inappropriate ioctl for device|but trying to continue as not all devices need a reset).*");
    private static final Pattern ERROR = Pattern.compile("\\s*(?:TASK ERROR|ERROR|kvm|start failed|cannot prepare|error).*");
    private static final Pattern OTHER_VM = Pattern.compile("by VMID '(\\d{1,9})'");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        long typical = text.hits(t -> TYPICAL.matcher(t).matches());
        return typical == 0 ? 0 : 0.5 + 0.4 * text.share(t -> TYPICAL.matcher(t).matches());
    }

    /** Reads as far as it goes; never throws. */
    public TaskLog read(Text text) {
        Notes notes = new Notes();
        Optional<TaskLog.Outcome> outcome = Optional.empty();
        List<TaskLog.Line> lines = new ArrayList<>();
        for (Text.Line line : text.filled(notes::add)) {
            if (line.open()) {
                notes.openEnd(line);
                continue;
            }
            Matcher m = OUTCOME.matcher(line.text());
            if (m.matches()) {
                outcome = Optional.of(TaskLog.Outcome.valueOf(m.group(1)));
            }
            lines.add(new TaskLog.Line(line.number(), severity(line.text()), otherVm(line.text()), line.trimmed()));
        }
        return new TaskLog(outcome, lines, notes.list());
    }

    private static String severity(String text) {
        if (BENIGN.matcher(text).matches()) {
            return "info";
        }
        if (ERROR.matcher(text).matches()) {
            return "error";
        }
        return text.strip().startsWith("WARN") ? "warning" : "info";
    }

    private static OptionalInt otherVm(String text) {
        Matcher m = OTHER_VM.matcher(text);
        return m.find() ? Numbers.integer(m.group(1)) : OptionalInt.empty();
    }
}
