package dev.pitwall.read;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The table of {@code kubectl get pods}. */
public record PodTable(List<Row> pods, List<String> notes) implements Understood {
    public PodTable {
        pods = List.copyOf(pods);
        notes = List.copyOf(notes);
    }

    /**
     * @param ready  as printed, for example {@code 0/1}
     * @param status as printed, for example {@code Init:CrashLoopBackOff}
     * @param age    as printed, for example {@code 6m47s}
     * @param node   with {@code -o wide}
     */
    public record Row(Optional<String> namespace, String name, String ready, String status, OptionalLong restarts,
                      Optional<String> age, Optional<String> node) {
    }

    @Override
    public Kind kind() {
        return Kind.POD_TABLE;
    }
}
