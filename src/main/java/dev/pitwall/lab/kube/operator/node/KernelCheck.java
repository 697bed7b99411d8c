package dev.pitwall.lab.kube.operator.node;

import dev.pitwall.lab.world.CardGeneration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a kernel and the cards say to a module that the driver container wants to load. */
public final class KernelCheck {
    /** The first branch whose installer takes the open modules by default (facts: cluster.md 1.6). */
    private static final int OPEN_BY_DEFAULT = 560;
    private final List<CardGeneration> generations = CardGeneration.all();

    /** A module that is not taken: what modprobe prints, and what the kernel says. */
    public record Refusal(String modprobe, List<String> kernel) {
    }

    /** The kind that {@code auto} stands for: what the installer recommends for the card. It never tries the other. */
    public ModuleKind recommended(NodeMachine machine, int branch) {
        String open = machine.cards().stream().findFirst().flatMap(card -> generation(card.product()))
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
        List<List<String>> against = cards.stream().map(card -> against(card, version, kind)).toList();
        if (against.stream().anyMatch(List::isEmpty)) {
            return Optional.empty();
        }
        List<String> kernel = new ArrayList<>(against.stream().flatMap(List::stream).toList());
        kernel.add(cards.isEmpty() ? "NVRM: No NVIDIA GPU found."
                : "NVRM: None of the NVIDIA devices were initialized.");
        return Optional.of(new Refusal("modprobe: ERROR: could not insert 'nvidia': No such device", kernel));
    }

    /** @return the branch of a release, 0 if it has none */
    public static int branch(String version) {
        String number = version.replaceFirst("\\..*", "");
        return number.matches("\\d{1,5}") ? Integer.parseInt(number) : 0;
    }

    private Optional<CardGeneration> generation(String product) {
        return generations.stream().filter(g -> g.includes(product)).findFirst();
    }

    private List<String> against(CardFacts card, String version, ModuleKind kind) {
        return generation(card.product()).map(generation -> words(card, generation, version,
                generation.fit(branch(version), kind == ModuleKind.OPEN))).orElse(List.of());
    }

    private static List<String> words(CardFacts card, CardGeneration generation, String version,
                                      CardGeneration.Fit fit) {
        String gpu = "NVRM: The NVIDIA GPU " + card.address() + ".0 (PCI ID: " + card.pciId() + ")";
        return switch (fit) {
            case GOOD -> List.of();
            case NEEDS_OPEN -> List.of(gpu,
                    "NVRM: installed in this system requires use of the NVIDIA open kernel modules.",
                    "NVRM: GPU " + card.address() + ".0: RmInitAdapter failed! (0x22:0x56:884)");
            case NEEDS_PROPRIETARY -> List.of(gpu + " installed in this system is not supported by open nvidia.ko "
                    + "because it does not include the required GPU System Processor (GSP).");
            case NEEDS_OLDER -> List.of("NVRM: The " + card.product() + " GPU installed in this system is supported "
                    + "through the NVIDIA " + generation.lastBranch() + ".xx Legacy drivers. The " + version
                    + " NVIDIA driver will ignore this GPU.");
            case NEEDS_NEWER -> List.of(gpu + " installed in this system is not supported by the " + version
                    + " NVIDIA driver release.");
        };
    }
}
