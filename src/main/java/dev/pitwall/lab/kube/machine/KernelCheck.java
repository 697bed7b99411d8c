package dev.pitwall.lab.kube.machine;

import dev.pitwall.lab.world.CardGeneration;
import dev.pitwall.lab.world.NvidiaProbe;

import java.util.List;
import java.util.Optional;

/** What a kernel and the cards say to a module that the driver container wants to load. */
public final class KernelCheck {
    /** The first branch whose installer takes the open modules by default (facts: cluster.md 1.6). */
    private static final int OPEN_BY_DEFAULT = 560;
    private final NvidiaProbe probe = new NvidiaProbe();

    /** A module that is not taken: what modprobe prints, and what the kernel says. */
    public record Refusal(String modprobe, List<String> kernel) {
    }

    /** The kind that {@code auto} stands for: what the installer recommends for the card. It never tries the other. */
    public ModuleKind recommended(NodeMachine machine, int branch) {
        String open = machine.cards().stream().findFirst().flatMap(card -> probe.generation(card.product()))
                .map(CardGeneration::open).orElse("yes");
        return switch (open) {
            case "no" -> ModuleKind.PROPRIETARY;
            case "required" -> ModuleKind.OPEN;
            default -> branch >= OPEN_BY_DEFAULT ? ModuleKind.OPEN : ModuleKind.PROPRIETARY;
        };
    }

    /** Empty if the module of the driver container is taken. It is not signed by anybody the firmware knows. */
    public Optional<Refusal> refusal(NodeMachine machine, String version, ModuleKind kind) {
        if (machine.secureBoot()) {
            return Optional.of(new Refusal("modprobe: ERROR: could not insert 'nvidia': Key was rejected by service",
                    List.of("Loading of module with unavailable key is rejected")));
        }
        List<CardFacts> cards = machine.cards().stream().filter(card -> !card.lost()).toList();
        NvidiaProbe.Result result = probe.probe(cards.stream().map(card -> new NvidiaProbe.Found(card.product(),
                card.address() + ".0", card.pciId())).toList(), version, kind == ModuleKind.OPEN);
        return result.taken() ? Optional.empty() : Optional.of(new Refusal(
                "modprobe: ERROR: could not insert 'nvidia': No such device", result.lines()));
    }
}
