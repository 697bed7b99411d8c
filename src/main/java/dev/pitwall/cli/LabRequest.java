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

    /** The same without one of the faults. */
    LabRequest without(String fault) {
        return new LabRequest(scene, hosts, cards, nodes, pods, faults.stream().filter(f -> !f.equals(fault)).toList(),
                dir, seed, speed);
    }

    /** True if a size was given, which only scene {@code fleet} takes. */
    public boolean sized() {
        return hosts.isPresent() || cards.isPresent() || nodes.isPresent() || pods.isPresent();
    }
}
