package dev.pitwall.doctor.live;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.Watcher;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What the steps of the wizard say of a card, as signs: {@code step-says} with {@code step} and {@code state}, so that the
 * Doctor and the wizard never tell two stories of one host.
 */
final class StepPart implements LiveEvidence.Part {
    private static final int AROUND = 2;

    private final Journey journey;
    private final Subject card;
    private final Function<Floor, About> about;

    /** @param about what a step of a floor is about */
    StepPart(Journey journey, Subject card, Function<Floor, About> about) {
        this.journey = journey;
        this.card = card;
        this.about = about;
    }

    /** @return empty for a card of which only the cluster knows: no step can look at its host */
    static Optional<Subject> subject(Card card) {
        return card.address().map(slot -> new Subject(card.id(), card.name(), card.host(), slot.slot()));
    }

    @Override
    public void gather(Gathered found) throws InterruptedException {
        found.trying(() -> {
            CardPlan plan = journey.look(card, Choices.NONE, Watcher.NONE);
            found.add(new Document("the steps of " + card.id(), Hint.UNKNOWN, about.apply(Floor.VM),
                    new Document.Told(plan.steps().stream().map(this::sign).toList())));
        });
    }

    private static boolean speaks(Found found) {
        return found.mark() == Found.Mark.ATTENTION || found.mark() == Found.Mark.BAD;
    }

    /** The lines that decide, with those around them; where it printed nothing, what was read. */
    private static Excerpt shown(Found found) {
        String from = found.source().detail() + " on " + found.source().system();
        List<String> lines = found.raw().lines().toList();
        return found.deciding().isEmpty() || lines.isEmpty()
                ? new Excerpt(from, List.of(new Excerpt.Line(0, found.name() + ": " + found.value(), Excerpt.Weight.COUNTS)))
                : new Excerpt(from, IntStream.rangeClosed(1, lines.size())
                .filter(i -> found.deciding().stream().anyMatch(d -> Math.abs(d - i) <= AROUND))
                .mapToObj(i -> new Excerpt.Line(i, lines.get(i - 1),
                        found.deciding().contains(i) ? Excerpt.Weight.COUNTS : Excerpt.Weight.AROUND)).toList());
    }

    private Sign sign(CardPlan.Planned step) {
        return new Sign("step-says", about.apply(step.floor()), Map.of("step", step.id(), "state", step.answer().state().wireName(),
                "says", step.text().title() + ": " + step.answer().why()), Optional.empty())
                .comparing(step.answer().found().stream().filter(StepPart::speaks).map(StepPart::shown).toList());
    }
}
