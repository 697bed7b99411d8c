package dev.pitwall.engine.vram;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/** What has to be said of an estimate, each thing once and in the order in which it was found. */
final class Remarks {
    private final SequencedSet<String> remarks = new LinkedHashSet<>();

    void add(String remark) {
        remarks.add(remark);
    }

    List<String> list() {
        return List.copyOf(remarks);
    }
}
