package dev.pitwall.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code proxmox-boot-tool status}. */
public final class BootToolReader {

    private static final Pattern BOOTED = Pattern.compile("System currently booted with (uefi|legacy bios)\\b.*");
    private static final Pattern PARTITION = Pattern.compile(
            "([0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}) is configured with: (\\w+)(?:,\\s*\\w+)?(?: \\(versions: ([^)]*)\\)?)?.*");
    private static final Pattern UNMANAGED = Pattern.compile("E: \\S*/proxmox-boot-uuids does not exist\\..*");
    private static final Pattern WARNING = Pattern.compile("(?:WARN|E): .*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        return text.hits(t -> BOOTED.matcher(t.strip()).matches() || PARTITION.matcher(t.strip()).matches()
                || UNMANAGED.matcher(t.strip()).matches()) > 0 ? 0.95 : 0;
    }

    /** Reads as far as it goes; never throws. */
    public BootTool read(Text text) {
        Notes notes = new Notes();
        Optional<String> booted = Optional.empty();
        Optional<Boolean> managed = Optional.empty();
        List<BootTool.Partition> partitions = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (Text.Line line : text.filled(notes::add)) {
            String t = line.trimmed();
            Matcher b = BOOTED.matcher(t);
            Matcher p = PARTITION.matcher(t);
            if (b.matches()) {
                booted = Optional.of(b.group(1));
            } else if (p.matches()) {
                partition(line, p, notes).ifPresent(partitions::add);
                managed = Optional.of(true);
            } else if (UNMANAGED.matcher(t).matches()) {
                managed = Optional.of(false);
            } else if (line.open()) {
                notes.openEnd(line);
            } else if (WARNING.matcher(t).matches()) {
                warnings.add(t);
            }
        }
        return new BootTool(booted, partitions, managed, warnings, notes.list());
    }

    private static Optional<BootTool.Partition> partition(Text.Line line, Matcher m, Notes notes) {
        boolean closed = !line.open() || line.trimmed().endsWith(")");
        if (!closed && m.group(3) == null) {
            notes.openEnd(line);
            return Optional.empty();
        }
        List<String> kernels = m.group(3) == null ? List.of()
                : new ArrayList<>(Arrays.stream(m.group(3).split(",\\s*")).filter(k -> !k.isBlank()).toList());
        if (!closed && !kernels.isEmpty()) {
            notes.openEnd(line);
            kernels.removeLast();
        }
        return Optional.of(new BootTool.Partition(m.group(1), m.group(2), kernels));
    }
}
