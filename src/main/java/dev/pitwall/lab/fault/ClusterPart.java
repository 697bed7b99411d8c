package dev.pitwall.lab.fault;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What one fault has changed in the cluster. */
final class ClusterPart {
    private final ClusterEdits cluster;
    private final List<Edit> edits;
    private final Deque<Runnable> undo = new ArrayDeque<>();

    ClusterPart(ClusterEdits cluster, List<Edit> edits) {
        this.cluster = cluster;
        this.edits = edits;
    }

    /** Makes its edits; one that no longer fits, since another fault came first, is left out. */
    void make() {
        edits.stream().filter(edit -> edit.fits(cluster)).forEach(edit -> undo.push(edit.make(cluster)));
    }

    void takeBack() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }

    /** True if both change the same object, so that they must be taken back in the order they were made. */
    boolean overlaps(ClusterPart other) {
        return !refs().stream().filter(other.refs()::contains).toList().isEmpty();
    }

    private Set<ObjectRef> refs() {
        return edits.stream().map(Edit::ref).collect(Collectors.toSet());
    }
}
