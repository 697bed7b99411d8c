package dev.pitwall.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** A provider with what is on it now. Only the {@link Board} changes it. */
public final class Provider {
    private final int index;
    private final ProviderSpec spec;
    private final List<Placement> placements = new ArrayList<>();
    private final Deque<Loading> loads = new ArrayDeque<>();
    private double usedMiB;
    private double foreignMiB;
    private Hold hold = Hold.NONE;

    /** Whether the engine may touch the card. */
    public enum Hold { NONE, HELD }

    Provider(int index, ProviderSpec spec) {
        this.index = index;
        this.spec = spec;
    }

    public int index() {
        return index;
    }

    public ProviderSpec spec() {
        return spec;
    }

    /** Loading and ready placements in the order they were decided. */
    public List<Placement> placements() {
        return Collections.unmodifiableList(placements);
    }

    /**
     * MiB that nothing has and nothing is promised. What an unloaded placement had counts from the decision on, though it
     * comes back later: loads are one after the other, and the first of them waits for it.
     */
    public double freeMiB() {
        return spec.capacityMiB() - foreignMiB - usedMiB;
    }

    /** MiB the model takes here. */
    public double needMiB(Model model) {
        return spec.needMiB(model.spec());
    }

    /** MiB that could be had for a load now; none on a card that is held. */
    double atOnceMiB() {
        if (held()) {
            return Double.NEGATIVE_INFINITY;
        }
        double mib = freeMiB();
        for (Placement p : placements) {
            mib += p.evictable() ? p.needMiB() : 0;
        }
        return mib;
    }

    /** MiB that could be free if all went that may go. */
    public double mostMiB() {
        return spec.capacityMiB() - foreignMiB - placements.stream().filter(Placement::pinned)
                .mapToDouble(Placement::needMiB).sum();
    }

    /** MiB of the card that others have, besides the reserve. */
    public double foreignMiB() {
        return foreignMiB;
    }

    public boolean held() {
        return hold == Hold.HELD;
    }

    /** Loads that are under way or wait their turn. */
    public int loads() {
        return loads.size();
    }

    void hold(Hold newHold) {
        hold = newHold;
    }

    void foreign(double mib) {
        foreignMiB = mib;
    }

    void take(Placement placement) {
        placements.add(placement);
        usedMiB += placement.needMiB();
    }

    /** Off the list; its memory is still its own. */
    void leave(Placement placement) {
        placements.remove(placement);
    }

    void giveBack(double mib) {
        usedMiB -= mib;
    }

    Deque<Loading> loading() {
        return loads;
    }

    @Override
    public String toString() {
        return spec.id();
    }
}
