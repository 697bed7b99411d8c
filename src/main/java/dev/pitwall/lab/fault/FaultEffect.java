package dev.pitwall.lab.fault;

import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What a fault does.
 *
 * @param fits   whether it can be expressed with a card and what belongs to it
 * @param effect its changes to the world
 */
record FaultEffect(Predicate<FaultScope> fits, Consumer<FaultScope> effect) {

    /** Changes objects of the cluster and nothing else. */
    static FaultEffect onlyInCluster() {
        return new FaultEffect(scope -> scope.node().isPresent(), scope -> { });
    }

    static FaultEffect onProxmox(Consumer<FaultScope> effect) {
        return new FaultEffect(scope -> scope.host().proxmox, effect);
    }

    static FaultEffect onVm(Consumer<FaultScope> effect) {
        return new FaultEffect(scope -> scope.host().proxmox && scope.vm().isPresent(), effect);
    }

    static FaultEffect onNode(Consumer<FaultScope> effect) {
        return new FaultEffect(scope -> scope.node().isPresent(), effect);
    }
}
