package dev.pitwall.ui.setup;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import java.util.List;
import java.util.Optional;

/**
 * What the page keeps of a card while the site is open.
 *
 * @param choices what the person chose
 * @param plan    the last look; it stays while a newer one fails
 * @param trouble why the last look failed
 * @param ended   what came of the last run here; empty once it was read
 */
record CardWork(Choices choices, Optional<CardPlan> plan, Optional<Trouble> trouble, String step, boolean reads,
                Optional<Sequence.Made> ended) {

    static final CardWork NEW =
            new CardWork(Choices.NONE, Optional.empty(), Optional.empty(), "", false, Optional.empty());

    /** The step that shows: the chosen one, else the first that can be acted on. */
    Optional<CardPlan.Planned> shown() {
        return plan.flatMap(p -> p.step(step).or(() -> toDo(p)));
    }

    /** The step a person should look at first. */
    static Optional<CardPlan.Planned> toDo(CardPlan plan) {
        return plan.steps().stream().filter(s -> s.answer().state() == Answer.State.READY).findFirst()
                .or(() -> plan.steps().stream().filter(s -> !StepLines.settled(s.answer().state())).findFirst())
                .or(() -> plan.steps().isEmpty() ? Optional.empty() : Optional.of(plan.steps().getLast()));
    }

    /** The same among the steps of a floor. */
    static Optional<CardPlan.Planned> toDoOn(CardPlan plan, Floor floor) {
        List<CardPlan.Planned> there = plan.steps().stream().filter(s -> s.floor() == floor).toList();
        return there.stream().filter(s -> s.answer().state() == Answer.State.READY).findFirst()
                .or(() -> there.stream().filter(s -> !StepLines.settled(s.answer().state())).findFirst())
                .or(() -> there.stream().findFirst());
    }

    CardWork choosing(Choices next) {
        return new CardWork(next, plan, trouble, step, reads, ended);
    }

    CardWork at(String stepId) {
        return new CardWork(choices, plan, trouble, stepId, reads, ended);
    }

    CardWork reading() {
        return new CardWork(choices, plan, trouble, step, true, ended);
    }

    /** A look that is dropped unanswered. */
    CardWork notReading() {
        return new CardWork(choices, plan, trouble, step, false, ended);
    }

    /** To be looked at anew when it is opened. */
    CardWork unread() {
        return new CardWork(choices, Optional.empty(), Optional.empty(), step, false, ended);
    }

    CardWork seen(CardPlan next) {
        return new CardWork(choices, Optional.of(next), Optional.empty(), step, false, ended);
    }

    CardWork failed(Trouble why) {
        return new CardWork(choices, plan, Optional.of(why), step, false, ended);
    }

    CardWork ended(Optional<Sequence.Made> made) {
        return new CardWork(choices, plan, trouble, step, reads, made);
    }
}
