package dev.pitwall.lab.fault;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What one fault changes in the cluster: some objects at once, others when the controllers have done their part. */
final class ClusterPart {
    private final ClusterEdits cluster;
    private final List<Edit> edits;
    private final List<Edit> later;
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private boolean late;

    ClusterPart(ClusterEdits cluster, List<Edit> edits, List<Edit> later) {
        this.cluster = cluster;
        this.edits = edits;
        this.later = later;
    }

    /** Makes its edits; one that no longer fits, since another fault came first, is left out. */
    void make() {
        make(edits);
        if (late) {
            make(later);
        }
    }

    /** Makes the edits that were to wait. */
    void makeLater() {
        late = true;
        make(later);
    }

    private void make(List<Edit> some) {
        if (cluster == ClusterEdits.NONE) {
            return;
        }
        some.stream().filter(edit -> edit.fits(cluster)).forEach(edit -> undo.push(edit.make(cluster)));
    }

    void takeBack() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }

    /** Has pods of a node made anew, so that new ones meet the new state. @param apps values of their label {@code app} */
    static void restart(ClusterEdits cluster, String node, Set<String> apps) {
        apps.stream().flatMap(app -> Stream.of("app", "app.kubernetes.io/name")
                        .flatMap(label -> cluster.pods(node, Map.of(label, app)).stream())).distinct()
                .forEach(pod -> cluster.delete(pod, ClusterEdits.Grace.SHORT));
    }

    /** True if both change the same object, so that they must be taken back in the order they were made. */
    boolean overlaps(ClusterPart other) {
        return !Collections.disjoint(refs(), other.refs());
    }

    private Set<ObjectRef> refs() {
        return Stream.concat(edits.stream(), later.stream()).map(Edit::ref).collect(Collectors.toSet());
    }
}
