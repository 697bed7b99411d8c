package dev.pitwall.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * The lab a command line asks for.
 *
 * @param hosts  size of scene {@code fleet}; the other scenes have their own
 * @param faults each {@code TRAP} or {@code TRAP@CARD}
 * @param dir    where its files go
 * @param speed  lab seconds a real second
 */
public record LabRequest(String scene, OptionalInt hosts, OptionalInt cards, OptionalInt nodes, OptionalInt pods,
                         List<String> faults, Path dir, long seed, double speed) {
    public LabRequest {
        faults = List.copyOf(faults);
    }

    /** True if a size was given, which only scene {@code fleet} takes. */
    public boolean sized() {
        return hosts.isPresent() || cards.isPresent() || nodes.isPresent() || pods.isPresent();
    }
}
