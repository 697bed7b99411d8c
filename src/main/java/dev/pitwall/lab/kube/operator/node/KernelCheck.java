package dev.pitwall.lab.kube.operator.node;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a kernel and a card say to a module that is to be loaded. */
public final class KernelCheck {
    private final List<Generation> generations;

    /**
     * @param products   a regular expression that its product names contain
     * @param open       {@code no}, {@code yes} or {@code required}: the open kernel modules
     * @param lastBranch the last driver branch that drives it; 0 means it is still supported
     */
    private record Generation(String name, String products, String open, int firstBranch, int lastBranch) {
        boolean includes(String product) {
            return Pattern.compile(products).matcher(product).find();
        }
    }

    private KernelCheck(List<Generation> generations) {
        this.generations = generations;
    }

    public static KernelCheck load() {
        try (InputStream in = KernelCheck.class.getResourceAsStream("/lab/kube/operator/generations.yaml")) {
            return new KernelCheck(new YAMLMapper().readValue(in, new TypeReference<>() { }));
        } catch (IOException e) {
            throw new UncheckedIOException("lab/kube/operator/generations.yaml cannot be read", e);
        }
    }

    /** A module that is not taken: what modprobe prints, and what the kernel says. */
    public record Refusal(String modprobe, List<String> kernel) {
    }

    /**
     * The kind that {@code auto} stands for: what the installer recommends for the card, or by the branch where it has
     * no opinion. (facts: cluster.md 1.6)
     */
    public ModuleKind recommended(NodeMachine machine, int branch) {
        return machine.cards().stream().findFirst().flatMap(card -> generation(card.product()))
                .map(generation -> generation.open().equals("no") ? ModuleKind.PROPRIETARY
                        : generation.open().equals("required") || branch >= 560 ? ModuleKind.OPEN
                        : ModuleKind.PROPRIETARY)
                .orElse(branch >= 560 ? ModuleKind.OPEN : ModuleKind.PROPRIETARY);
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

    private Optional<Generation> generation(String product) {
        return generations.stream().filter(g -> g.includes(product)).findFirst();
    }

    private List<String> against(CardFacts card, String version, ModuleKind kind) {
        int branch = branch(version);
        String gpu = "NVRM: The NVIDIA GPU " + card.address() + ".0 (PCI ID: " + card.pciId() + ")";
        return generation(card.product()).map(generation -> {
            if (generation.lastBranch() > 0 && branch > generation.lastBranch()) {
                return List.of("NVRM: The " + card.product() + " GPU installed in this system is supported through the "
                        + "NVIDIA " + generation.lastBranch() + ".xx Legacy drivers. The " + version
                        + " NVIDIA driver will ignore this GPU.");
            }
            if (branch < generation.firstBranch()) {
                return List.of(gpu + " installed in this system is not supported by the " + version
                        + " NVIDIA driver release.");
            }
            if (generation.open().equals("required") && kind == ModuleKind.PROPRIETARY) {
                return List.of(gpu, "NVRM: installed in this system requires use of the NVIDIA open kernel modules.",
                        "NVRM: GPU " + card.address() + ".0: RmInitAdapter failed! (0x22:0x56:884)");
            }
            if (generation.open().equals("no") && kind == ModuleKind.OPEN) {
                return List.of(gpu + " installed in this system is not supported by open nvidia.ko because it does not "
                        + "include the required GPU System Processor (GSP).");
            }
            return List.<String>of();
        }).orElse(List.of());
    }
}
