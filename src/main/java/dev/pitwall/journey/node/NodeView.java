package dev.pitwall.journey.node;

import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.ShellNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A node with its cards: what of both decides who may bring the driver.
 *
 * @param fit the drivers for all cards that the node has, and for the one that it is to have
 */
record NodeView(Situation situation, ShellNode node, DriverFit fit) {
    private static final String NOUVEAU = "nouveau";

    static NodeView of(Situation situation, ShellNode node, Generations generations) {
        Map<String, PciFunction> cards = new LinkedHashMap<>();
        Stream.concat(node.functions().stream(), situation.host().slot(situation.card().slot()).stream())
                .filter(PciFunction::isNvidiaGpu)
                .forEach(f -> cards.putIfAbsent(f.vendorDevice().orElse("") + f.name().orElse(""), f));
        return new NodeView(situation, node, DriverFit.of(cards.values(), generations));
    }

    /** NVIDIA's display functions as the node lists them. */
    List<PciFunction> cards() {
        return node.functions().stream().filter(PciFunction::isNvidiaGpu).toList();
    }

    /** True if the card is in the node, as far as its ids tell. */
    boolean hasCard() {
        return situation.host().slot(situation.card().slot()).stream().filter(PciFunction::isNvidiaGpu)
                .allMatch(card -> cards().stream().anyMatch(c -> c.vendorDevice().equals(card.vendorDevice())))
                && !cards().isEmpty();
    }

    boolean nouveauRuns() {
        return node.loaded(NOUVEAU) || cards().stream().anyMatch(c -> c.driver().filter(NOUVEAU::equals).isPresent());
    }

    /** True if nouveau has a card, or would have it as soon as the card is there. */
    boolean nouveauInTheWay() {
        return nouveauRuns() || !hasCard() && node.driver().nouveauHere() && !node.driver().nouveauKept();
    }

    boolean secureBoot() {
        return node.driver().secureBoot().orElse(false);
    }

    /** True if an operator that is installed brings the driver. */
    boolean operatorDrives() {
        return WhoBrings.policy(situation).filter(p -> p.at("/spec/driver/enabled").asBoolean(true)).isPresent();
    }
}
