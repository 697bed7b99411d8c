package dev.pitwall.journey;

import dev.pitwall.card.Floor;

import java.util.EnumSet;
import java.util.Set;

/**
 * What can be read for a look beside the card's host and its datacenter, in the order in which one rests on the other. A look
 * reads what its steps need and nothing above.
 */
public enum Survey {
    /** The nodes of the cluster that live on the host, with their pods. */
    HOST_NODES,
    /** The VM that is to have the card. */
    VM,
    /** The cluster with Helm's releases and the charts that may be installed. */
    CLUSTER,
    /** The operating system of the node. */
    NODE,
    /** What was tried with the card, and what model servers on it answer. */
    PROOFS,
    /** Everything of the site, for a step whose end only all of it tells. */
    SITE;

    /** What every step of a floor rests on. */
    public static Set<Survey> of(Floor floor) {
        return switch (floor) {
            case FIRMWARE, VFIO -> EnumSet.noneOf(Survey.class);
            case VM -> EnumSet.of(VM);
            case DRIVER, RUNTIME, DISCOVERY -> EnumSet.of(VM, CLUSTER, NODE);
            case PLUGIN, TELEMETRY -> EnumSet.of(VM, CLUSTER);
            case PROOF, SERVER -> EnumSet.of(VM, CLUSTER, PROOFS);
        };
    }
}
