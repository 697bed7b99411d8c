package dev.pitwall.lab.world;

import dev.pitwall.lab.data.DataFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which cards NVIDIA's kernel module takes and what it says of the others, whoever brought it: a package, the driver
 * container or an extension. The sentences are those of {@code lab/nvidia-probe.yaml}.
 */
public final class NvidiaProbe {
    private final List<CardGeneration> generations = CardGeneration.all();
    private final Words words = words();

    /**
     * A card as the module finds it.
     *
     * @param address of its display function in this machine, {@code 0000:01:00.0}
     * @param pciId   {@code 10de:25b0}
     */
    public record Found(String product, String address, String pciId) {
    }

    /**
     * What came of it.
     *
     * @param taken at least one card is driven
     * @param lines of the kernel log, about the cards that are not
     */
    public record Result(boolean taken, List<String> lines) {
    }

    private record Words(Map<CardGeneration.Fit, List<String>> refusals, String noCard, String noneTaken) {
    }

    /**
     * @param version of the module, for example {@code 580.178.04}
     * @param open    it is the open kernel module
     */
    public Result probe(List<Found> cards, String version, boolean open) {
        List<String> lines = new ArrayList<>();
        boolean taken = false;
        boolean counted = false;
        for (Found card : cards) {
            CardGeneration.Fit fit = generation(card.product()).map(g -> g.fit(branch(version), open))
                    .orElse(CardGeneration.Fit.GOOD);
            lines.addAll(against(card, version, fit));
            taken |= fit == CardGeneration.Fit.GOOD;
            counted |= fit != CardGeneration.Fit.NEEDS_OLDER;
        }
        if (!taken) {
            // A card of the legacy drivers is passed over before the module counts what it found.
            lines.add(counted ? words.noneTaken() : words.noCard());
        }
        return new Result(taken, lines);
    }

    /** The generation of a card by its name; empty for a card that the lab does not know, which any module takes. */
    public Optional<CardGeneration> generation(String product) {
        return generations.stream().filter(g -> g.includes(product)).findFirst();
    }

    /** @return the branch of a release, 0 if it has none */
    public static int branch(String version) {
        String number = version.replaceFirst("\\..*", "");
        return number.matches("\\d{1,5}") ? Integer.parseInt(number) : 0;
    }

    private List<String> against(Found card, String version, CardGeneration.Fit fit) {
        String last = generation(card.product()).map(g -> Integer.toString(g.lastBranch())).orElse("");
        return words.refusals().getOrDefault(fit, List.of()).stream()
                .map(line -> line.replace("${address}", card.address()).replace("${pciId}", card.pciId())
                        .replace("${product}", card.product()).replace("${version}", version)
                        .replace("${lastBranch}", last)).toList();
    }

    private static Words words() {
        return DataFile.read("nvidia-probe.yaml", Words.class);
    }
}
