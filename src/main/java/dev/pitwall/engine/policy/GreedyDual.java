package dev.pitwall.engine.policy;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Placement;

/** {@code gdsf} and {@code landlord}: worth by reload time and size, on a clock per provider that rises with what goes. */
final class GreedyDual implements KeepValue {

    /** Whether uses since the load count. */
    enum Uses { COUNT, IGNORED }

    private final double[] clock;
    private final Uses uses;

    GreedyDual(Fleet fleet, Uses uses) {
        this.clock = new double[fleet.providers().size()];
        this.uses = uses;
    }

    @Override
    public double of(Placement placement, double now) {
        return placement.value();
    }

    @Override
    public void used(Placement placement, double now) {
        double worth = placement.loadSeconds() / placement.needMiB();
        placement.note(clock[placement.provider().index()] + switch (uses) {
            case COUNT -> placement.starts() * worth;
            case IGNORED -> worth;
        });
    }

    @Override
    public void evicted(Placement placement, double now) {
        int provider = placement.provider().index();
        clock[provider] = Math.max(clock[provider], placement.value());
    }
}
