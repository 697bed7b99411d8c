package dev.pitwall.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A load that was decided: it begins when those before it on the provider are done and its victims' memory is back. */
final class Loading {
    private final Placement placement;
    private final Set<Placement> awaited;
    private boolean begun;

    Loading(Placement placement, List<Placement> victims) {
        this.placement = placement;
        this.awaited = new HashSet<>(victims);
    }

    Placement placement() {
        return placement;
    }

    boolean awaits(Placement victim) {
        return awaited.contains(victim);
    }

    void cameBack(Placement victim) {
        awaited.remove(victim);
    }

    boolean mayBegin() {
        return awaited.isEmpty() && !begun;
    }

    void begin() {
        begun = true;
    }
}
