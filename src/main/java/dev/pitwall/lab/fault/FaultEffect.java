package dev.pitwall.lab.fault;

import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What a fault does to the world where that has to be computed; what can be written down is in {@code lab/faults.yaml}.
 *
 * @param fits   whether it can be expressed with a card and what belongs to it, beyond what the fault needs
 * @param effect its changes to the world
 */
record FaultEffect(Predicate<FaultScope> fits, Consumer<FaultScope> effect) {

    static FaultEffect of(Consumer<FaultScope> effect) {
        return new FaultEffect(scope -> true, effect);
    }

    static FaultEffect none() {
        return of(scope -> { });
    }
}
