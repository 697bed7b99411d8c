package dev.pitwall.engine.vram;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Remembers what loads took. After a measured load its figure is measured; a model that was measured with other settings has a
 * corrected estimate; else the estimate stands. Not thread-safe: one engine owns it.
 */
public final class VramBook {
    private static final int KEPT_READINGS = 5;
    /** A card's reading below this share of the least that the rules allow was taken while it was still loading. */
    private static final double CREDIBLE = 0.5;

    /** What became of a reading. */
    public enum Learned {
        KEPT,
        /** A server's own figure is below the least that the model can need: it leaves a part out. */
        TOO_LITTLE
    }

    private final List<MeasuredLoad> loads = new ArrayList<>();

    public VramBook() {
        this(List.of());
    }

    /** @param known of earlier runs, oldest first */
    public VramBook(List<MeasuredLoad> known) {
        known.forEach(this::learn);
    }

    /** Takes a reading, unless it cannot be the whole load. */
    public Learned learn(MeasuredLoad load) {
        double least = load.estimate().low() * switch (load.source()) {
            case SERVER -> 1.0;
            case CARD -> CREDIBLE;
        };
        if (load.bytes() < least) {
            return Learned.TOO_LITTLE;
        }
        loads.add(load);
        List<MeasuredLoad> same = of(load.key());
        same.stream().limit(Math.max(0, same.size() - KEPT_READINGS)).forEach(loads::remove);
        return Learned.KEPT;
    }

    /** @param estimate by the rules, for this key */
    public Vram vram(VramKey key, Amount estimate) {
        List<MeasuredLoad> same = of(key);
        if (!same.isEmpty()) {
            return new Vram.Measured(same.stream().mapToLong(MeasuredLoad::bytes).max().orElseThrow(), same.size(),
                    same.getLast().at());
        }
        return nearest(key).map(load -> corrected(estimate, load))
                .orElseGet(() -> new Vram.Estimated(estimate, Vram.Estimated.Basis.RULES));
    }

    /** All readings, oldest first, to be kept over a restart. */
    public List<MeasuredLoad> loads() {
        return List.copyOf(loads);
    }

    private List<MeasuredLoad> of(VramKey key) {
        return loads.stream().filter(l -> l.key().equals(key)).toList();
    }

    /** Of the same model on the same kind of card, the load whose expected size is nearest to the context asked for. */
    private Optional<MeasuredLoad> nearest(VramKey key) {
        return loads.stream().filter(l -> l.key().sameModelOn(key))
                .min(Comparator.comparingLong(l -> Math.abs(cells(l.key()) - cells(key))));
    }

    private static long cells(VramKey key) {
        return key.contextTokens() * key.parallel();
    }

    /**
     * The error of a measured load is that of weights, buffers and driver, which do not depend on the context: it is added, and
     * the margin halves.
     */
    private static Vram corrected(Amount estimate, MeasuredLoad load) {
        long likely = Math.max(1, estimate.likely() + load.bytes() - load.estimate().likely());
        return new Vram.Estimated(Amount.between(likely - (estimate.likely() - estimate.low()) / 2, likely,
                likely + (estimate.high() - estimate.likely()) / 2), Vram.Estimated.Basis.OTHER_LOAD);
    }
}
