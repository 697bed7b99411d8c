package dev.pitwall.doctor.live;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.Situation.Subject;
import dev.pitwall.journey.Watcher;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the steps of the wizard say of a card, as signs: {@code step-says} with {@code step} and {@code state}, so that the
 * Doctor and the wizard never tell two stories of one host.
 */
final class StepPart implements LiveEvidence.Part {
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

    private Sign sign(CardPlan.Planned step) {
        return new Sign("step-says", about.apply(step.floor()), Map.of("step", step.id(), "state", step.answer().state().wireName(),
                "says", step.text().title() + ": " + step.answer().why()), Optional.empty());
    }
}
