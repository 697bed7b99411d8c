package dev.pitwall.doctor.picture.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.journey.node.Generation;
import dev.pitwall.journey.node.Generations;
import dev.pitwall.read.PciListing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Whether the driver's branch and type of modules fit the generation of the cards that are named (facts: cluster.md 6). Cards
 * are taken from lspci, from the ids in the driver's lines and from names; branches from versions of the driver.
 */
public final class CardGeneration implements Check {
    private static final List<String> VERSIONS = List.of("driver-module-version version", "driver-library-version version",
            "driver-installing version", "release-refuses-card driver", "talos-extension driver",
            "driver-version-named version");
    private static final SignRef OPEN = SignRef.of("module-open");
    private final Generations generations = new Generations();
    private final CardModels models = new CardModels(generations);

    private record Named(String card, Generation generation, Sign.About about, Optional<Cited> line) {
    }

    @Override
    public void look(Picture picture, SignBook book) {
        Set<Integer> branches = branches(book);
        List<Named> cards = cards(picture, book);
        boolean someTooOld = cards.stream().anyMatch(c -> tooOld(c.generation(), branches));
        for (Named card : cards) {
            needs(card, book);
            fits(card, branches, someTooOld, book);
        }
    }

    private List<Named> cards(Picture picture, SignBook book) {
        List<Named> cards = new ArrayList<>();
        for (Sign sign : book.find(SignRef.of("nvrm-card"))) {
            String id = sign.values().getOrDefault("device", "").toLowerCase(Locale.ROOT);
            generations.of(withId(id)).ifPresent(g -> cards.add(new Named("10de:" + id, g, sign.about(), sign.line())));
        }
        for (Sign sign : book.find(SignRef.of("card-named"))) {
            String model = sign.values().getOrDefault("model", "");
            models.of(model).ifPresent(g -> cards.add(new Named(model, g, sign.about(), sign.line())));
        }
        for (Seen<PciListing> listing : picture.outputs(PciListing.class)) {
            listing.what().devices().stream().filter(HostCards::isCard).forEach(f -> generations.of(f).ifPresent(g ->
                    cards.add(new Named(f.name().orElse(f.address().toString()), g, listing.about(), Optional.empty()))));
        }
        return cards;
    }

    private static PciFunction withId(String id) {
        return new PciFunction(new PciAddress(0, 0, 0, 0), Optional.empty(), Optional.empty(),
                Optional.of(PciFunction.NVIDIA), Optional.of(id), Optional.empty(), Optional.empty(), Optional.empty(),
                List.of(), OptionalInt.empty(), Optional.empty());
    }

    private static Set<Integer> branches(SignBook book) {
        Set<Integer> branches = new TreeSet<>();
        for (String source : VERSIONS) {
            String[] words = source.split(" ");
            book.find(SignRef.of(words[0])).stream().map(s -> s.values().getOrDefault(words[1], ""))
                    .filter(v -> v.matches("\\d{3}(?:\\..*)?")).map(v -> Integer.valueOf(v.substring(0, 3)))
                    .forEach(branches::add);
        }
        return branches;
    }

    private static boolean tooOld(Generation generation, Set<Integer> branches) {
        return branches.stream().anyMatch(b -> b > generation.lastBranch().orElse(Integer.MAX_VALUE));
    }

    private static void needs(Named card, SignBook book) {
        if (card.generation().open() && !card.generation().proprietary()) {
            note(card, "needs-open-by-generation", "only open modules drive " + card.generation().name(), book);
        }
    }

    private static void fits(Named card, Set<Integer> branches, boolean someTooOld, SignBook book) {
        Generation generation = card.generation();
        if (tooOld(generation, branches) || !generation.open() && book.has(OPEN)) {
            note(card, "too-old-for-branch", "the last branch for " + generation.name() + " is "
                    + generation.lastBranch().orElse(0) + ", with proprietary modules", book);
        } else if (branches.stream().anyMatch(b -> b < generation.firstBranch().orElse(0))) {
            note(card, "too-new-for-branch", generation.name() + " needs branch " + generation.firstBranch().orElse(0)
                    + " or newer", book);
        } else if (!branches.isEmpty() && !someTooOld) {
            note(card, "branch-knows-generation", "branch " + branches.iterator().next() + " has "
                    + generation.name(), book);
        }
    }

    /** Where a driver of another branch or the same is named. */
    private static Stream<Excerpt> versions(SignBook book) {
        return VERSIONS.stream().map(source -> source.split(" ")[0]).flatMap(id -> book.find(SignRef.of(id)).stream())
                .flatMap(sign -> sign.line().stream()).map(Excerpt::of).limit(1);
    }

    private static void note(Named card, String sign, String says, SignBook book) {
        Map<String, String> values = Map.of("model", card.card(), "says", says,
                "branch", String.valueOf(card.generation().lastBranch().orElse(0)));
        book.add(new Sign(sign, card.about(), values, card.line()).comparing(
                Stream.concat(card.line().map(Excerpt::of).stream(), versions(book)).toList()));
    }
}
