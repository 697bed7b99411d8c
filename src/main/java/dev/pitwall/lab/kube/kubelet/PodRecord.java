package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.ObjectKey;
import java.time.Instant;
import java.util.Optional;

/**
 * A pod on a node, as small as can be: what its kubelet has to do for it is in {@link PodWork}, and there is none for a
 * pod that was there already and runs undisturbed. Touched only under the lock of {@link Kubelets}.
 */
final class PodRecord {
    private final ObjectKey key;
    private final String uid;
    private final Kubelet kubelet;
    private volatile PodFacts facts;
    private Optional<PodWork> work = Optional.empty();
    /** When it is looked at again; {@link Instant#MAX} for never. */
    Instant due = Instant.MAX;

    PodRecord(PodFacts facts, Kubelet kubelet) {
        this.key = facts.key();
        this.uid = facts.uid();
        this.facts = facts;
        this.kubelet = kubelet;
    }

    ObjectKey key() {
        return key;
    }

    String uid() {
        return uid;
    }

    Kubelet kubelet() {
        return kubelet;
    }

    PodFacts facts() {
        return facts;
    }

    void facts(PodFacts now) {
        facts = now;
    }

    Optional<PodWork> work() {
        return work;
    }

    void work(PodWork begun) {
        work = Optional.of(begun);
    }

    /** What was known of it no longer holds. */
    void forget() {
        work = Optional.empty();
        due = Instant.MAX;
    }

    /** {@code namespace/name}. */
    String place() {
        return key.namespace() + "/" + key.name();
    }

    /** As back-off messages name it. */
    String longName() {
        return key.name() + "_" + key.namespace() + "(" + uid + ")";
    }
}
