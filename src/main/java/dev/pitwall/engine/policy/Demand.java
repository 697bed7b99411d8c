package dev.pitwall.engine.policy;

import dev.pitwall.engine.Fleet;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;

/** {@code kubemoot}: what was asked for lately. Each request adds 1, which halves in ten minutes; ties go by the last use. */
final class Demand implements KeepValue {
    private static final double HALF_LIFE_SECONDS = 600;
    private static final double TIE = 1e-9;

    private final double[] demand;
    private final double[] at;

    Demand(Fleet fleet) {
        demand = new double[fleet.models().size()];
        at = new double[fleet.models().size()];
    }

    @Override
    public double of(Placement placement, double now) {
        return demand(placement.model(), now) + placement.lastUse() * TIE;
    }

    @Override
    public void arrived(Model model, double now) {
        demand[model.index()] = demand(model, now) + 1;
        at[model.index()] = now;
    }

    private double demand(Model model, double now) {
        return demand[model.index()] * Math.pow(2, (at[model.index()] - now) / HALF_LIFE_SECONDS);
    }
}
