package dev.pitwall.ui.garage;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.site.Connection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the failing source because of which a floor is unknown. */
final class Outage {

    private Outage() {
    }

    /** The failing connection this floor hangs on; where several fail, the one that fits best. */
    static Optional<Connection> of(Card card, FloorStatus floor, List<Connection> connections) {
        Set<Connection.Kind> kinds = kinds(floor.floor());
        return connections.stream()
                .filter(c -> c.state() == Connection.State.FAILING)
                .filter(c -> names(c, card, floor) || kinds.contains(c.kind()) && !manyOf(c.kind()))
                .min(Comparator.comparing(c -> names(c, card, floor) ? 0 : 1));
    }

    private static boolean names(Connection c, Card card, FloorStatus floor) {
        return floor.readings().stream().anyMatch(r -> r.source().system().equals(c.name()))
                || kinds(floor.floor()).contains(c.kind()) && owns(c, card);
    }

    private static boolean owns(Connection c, Card card) {
        return c.name().equals(card.host())
                || card.node().filter(c.name()::equals).isPresent()
                || card.server().filter(c.name()::equals).isPresent();
    }

    /** True for sources of which there is one a machine: another machine's says nothing about this card. */
    private static boolean manyOf(Connection.Kind kind) {
        return kind == Connection.Kind.SHELL || kind == Connection.Kind.MODELS;
    }

    private static Set<Connection.Kind> kinds(Floor floor) {
        return switch (floor) {
            case FIRMWARE, VFIO, VM -> Set.of(Connection.Kind.PROXMOX, Connection.Kind.SHELL);
            case DRIVER, RUNTIME -> Set.of(Connection.Kind.SHELL, Connection.Kind.CLUSTER);
            case DISCOVERY, PLUGIN, PROOF -> Set.of(Connection.Kind.CLUSTER);
            case TELEMETRY -> Set.of(Connection.Kind.PROMETHEUS, Connection.Kind.CLUSTER);
            case SERVER -> Set.of(Connection.Kind.MODELS, Connection.Kind.CLUSTER);
        };
    }
}
