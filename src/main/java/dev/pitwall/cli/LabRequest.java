package dev.pitwall.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * The lab a command line asks for.
 *
 * @param bare   without drivers, operator and model servers, and with no card in the VM of a node
 * @param hosts  size of scene {@code fleet}; the other scenes have their own
 * @param faults each {@code TRAP} or {@code TRAP@CARD}
 * @param dir    where its files go
 * @param speed  lab seconds a real second
 */
public record LabRequest(String scene, boolean bare, OptionalInt hosts, OptionalInt cards, OptionalInt nodes, OptionalInt pods,
                         List<String> faults, Path dir, long seed, double speed) {
    public LabRequest {
        faults = List.copyOf(faults);
    }

    /** The same without one of the faults. */
    LabRequest without(String fault) {
        return new LabRequest(scene, bare, hosts, cards, nodes, pods, faults.stream().filter(f -> !f.equals(fault)).toList(),
                dir, seed, speed);
    }

    /** True if a size was given, which only scene {@code fleet} takes. */
    public boolean sized() {
        return hosts.isPresent() || cards.isPresent() || nodes.isPresent() || pods.isPresent();
    }
}
