package dev.pitwall.read;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The log of a Proxmox task.
 *
 * @param outcome as its last line says; empty if that line is not there
 */
public record TaskLog(Optional<Outcome> outcome, List<Line> lines, List<String> notes) implements Understood {
    public TaskLog {
        lines = List.copyOf(lines);
        notes = List.copyOf(notes);
    }

    public enum Outcome {
        OK, WARNINGS, ERROR;

        /** The stable name in JSON. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param severity {@code info}, {@code warning} or {@code error}; a failed reset that Proxmox itself goes on after
     *                 is only information (facts: qemu-server 8.2.6)
     * @param vmid     the VM a line names as the other party
     */
    public record Line(int line, String severity, OptionalInt vmid, String text) {
    }

    @Override
    public Kind kind() {
        return Kind.PROXMOX_TASK;
    }
}
