package dev.pitwall.engine.policy;

import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;

/**
 * How much a policy wants to keep a placement: victims are those with the least. Each rule is that of simulation.md, where
 * the formulas are.
 */
interface KeepValue {

    double of(Placement placement, double now);

    default void arrived(Model model, double now) {
    }

    default void used(Placement placement, double now) {
    }

    default void evicted(Placement placement, double now) {
    }
}
