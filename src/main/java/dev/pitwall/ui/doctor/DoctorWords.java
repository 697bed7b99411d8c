package dev.pitwall.ui.doctor;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.doctor.FindingLines.Item;
import dev.pitwall.ui.doctor.FindingLines.Surety;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The page's sentences about a whole diagnosis. Pure. */
final class DoctorWords {

    private final Texts texts;

    DoctorWords(Texts texts) {
        this.texts = texts;
    }

    /** For example {@code 2 findings, 1 advice, 1 wait on site basement}. */
    String counts(Diagnosis diagnosis, Optional<String> given, String site) {
        List<String> parts = new ArrayList<>();
        if (!diagnosis.findings().isEmpty()) {
            parts.add(texts.count("doctor.count.findings", diagnosis.findings().size()));
        }
        if (!diagnosis.advice().isEmpty()) {
            parts.add(texts.count("doctor.count.advice", diagnosis.advice().size()));
        }
        if (!diagnosis.waiting().isEmpty()) {
            parts.add(texts.count("doctor.count.waits", diagnosis.waiting().size()));
        }
        String counted = parts.isEmpty() ? texts.get("doctor.count.none") : String.join(", ", parts);
        return given.map(name -> texts.get("doctor.count.given", counted, name))
                .orElseGet(() -> texts.get("doctor.count.site", counted, site));
    }

    String foot(Look.Seen seen, SiteView view) {
        return texts.get("doctor.foot", causes(seen), cards(view), Ages.took(seen.took()));
    }

    String foot(Diagnosis.Looked looked, Duration took) {
        return texts.get("doctor.foot.given", looked.causes(), read(looked), Ages.took(took));
    }

    String nothing(Look.Seen seen, SiteView view) {
        return texts.get("doctor.nothing", causes(seen), cards(view), Ages.took(seen.took()));
    }

    String nothingIn(Diagnosis.Looked looked) {
        return texts.get("doctor.nothing-in", looked.causes(), read(looked));
    }

    private static int causes(Look.Seen seen) {
        return seen.diagnosis().looked().causes();
    }

    private String cards(SiteView view) {
        return texts.count("doctor.cards", view.cards().size());
    }

    private String read(Diagnosis.Looked looked) {
        List<String> parts = new ArrayList<>();
        if (looked.lines() > 0 || looked.objects() == 0) {
            parts.add(texts.count("doctor.read.lines", (int) Math.min(Integer.MAX_VALUE, looked.lines())));
        }
        if (looked.objects() > 0) {
            parts.add(texts.count("doctor.read.objects", (int) Math.min(Integer.MAX_VALUE, looked.objects())));
        }
        return String.join(", ", parts);
    }

    /** That no cause is known for what a floor says. */
    String none(Card card, Floor floor) {
        FloorStatus status = card.floor(floor);
        return texts.get("doctor.none-for", name(card), texts.get("floor." + floor.wireName()), status.summary());
    }

    String name(Card card) {
        return card.address().map(a -> texts.get("doctor.place.card", card.host(), card.name(), a.slot()))
                .orElseGet(() -> texts.get("doctor.place.no-slot", card.host(), card.name()));
    }

    /** The finding that explains a floor of a card: the floor's own cause, else one of that floor, else the surest. */
    Optional<String> findingOf(Card card, Floor floor, List<Item> items) {
        List<Item> about = items.stream().filter(item -> concerns(item, card)).toList();
        Optional<String> own = card.floor(floor).trap();
        return about.stream().filter(i -> own.filter(FindingLines.id(i)::equals).isPresent()).findFirst()
                .or(() -> about.stream().filter(i -> floor(i).filter(floor::equals).isPresent()).findFirst())
                .or(() -> about.stream().findFirst()).map(FindingLines::id);
    }

    private static boolean concerns(Item item, Card card) {
        return switch (item) {
            case Item.Found(Finding f, Surety surety) ->
                    (surety == Surety.CERTAIN || surety == Surety.LIKELY) && isAbout(f, card);
            case Item.Waits(Diagnosis.Waiting w) -> isAbout(w.finding(), card);
            case Item.Next _, Item.Unseen _ -> false;
        };
    }

    /** A finding that names no place is about all of the site. */
    private static boolean isAbout(Finding finding, Card card) {
        return finding.nodes().isEmpty() && finding.cards().isEmpty() || FindingPlace.concerns(finding, card);
    }

    private static Optional<Floor> floor(Item item) {
        return switch (item) {
            case Item.Found f -> Optional.of(f.finding().trap().floor().floor());
            case Item.Waits w -> Optional.of(w.waiting().finding().trap().floor().floor());
            case Item.Next _, Item.Unseen _ -> Optional.empty();
        };
    }

    /** True if the fix is made of one card; a cure of the cluster is for all of them. */
    boolean isPerCard(Finding finding) {
        return finding.trap().fix().remedy().filter(r -> switch (r) {
            case Trap.Remedy.WizardStep _ -> true;
            case Trap.Remedy.Cure _ -> false;
            case Trap.Remedy.ByHand _ -> false;
        }).isPresent();
    }
}
