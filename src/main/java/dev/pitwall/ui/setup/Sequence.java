package dev.pitwall.ui.setup;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.ui.run.SiteWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A step made on one card, then the same step on others, one after the other and without questions. It ends at the first
 * card on which it does not come to its end.
 *
 * @param plan  what the person has seen of the first card
 * @param then  the other cards
 * @param carry the answers that the person gave on the first card, by the keys of this step's questions
 */
record Sequence(CardPlan plan, String step, List<Situation.Subject> then, Choices carry)
        implements SiteWork.Making<Sequence.Made> {

    /**
     * @param runs    in order
     * @param trouble why it ended early; empty if it did not
     */
    record Made(List<RunRecord> runs, Optional<Trouble> trouble) {
        Made {
            runs = List.copyOf(runs);
        }
    }

    @Override
    public Made make(Journey journey, Watcher watcher, Stop stop) throws InterruptedException {
        List<RunRecord> runs = new ArrayList<>();
        try {
            runs.add(journey.apply(plan, List.of(step), watcher, stop));
            for (Situation.Subject card : then) {
                if (stop.asked() || !settled(runs.getLast())) {
                    break;
                }
                same(journey, card, watcher, stop).ifPresent(runs::add);
            }
        } catch (TroubleException e) {
            return new Made(runs, Optional.of(e.trouble()));
        }
        return new Made(runs, Optional.empty());
    }

    /** @return empty if the card has it already, perhaps by the run before, or has no need of it */
    private Optional<RunRecord> same(Journey journey, Situation.Subject card, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException {
        CardPlan seen = journey.look(card, Choices.NONE, watcher);
        Choices carried = carried(seen);
        CardPlan next = carried.equals(Choices.NONE) ? seen : journey.look(card, carried, watcher);
        Optional<Answer> answer = next.step(step).map(CardPlan.Planned::answer);
        if (answer.filter(a -> StepLines.settled(a.state())).isPresent()) {
            return Optional.empty();
        }
        if (!Others.asksNothing(next, step)) {
            throw new TroubleException(new Trouble(Trouble.Kind.REMOTE, card.host(),
                    answer.map(Answer::why).orElse("the step does not apply to " + card.name()),
                    "Open that card and go on there."));
        }
        return Optional.of(journey.apply(next, List.of(step), watcher, stop));
    }

    /** An answer goes along where the other card offers it as well. */
    private Choices carried(CardPlan other) {
        Choices result = Choices.NONE;
        for (Answer.Question question : other.step(step).map(s -> s.answer().questions()).orElse(List.of())) {
            Optional<String> value = carry.get(question.key())
                    .filter(v -> question.options().stream().anyMatch(o -> o.value().equals(v)));
            if (value.isPresent()) {
                result = result.with(question.key(), value.get());
            }
        }
        return result;
    }

    static boolean settled(RunRecord run) {
        return run.state() == RunRecord.State.DONE || run.state() == RunRecord.State.ALREADY_SO;
    }
}
