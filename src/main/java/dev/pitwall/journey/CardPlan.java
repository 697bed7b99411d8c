package dev.pitwall.journey;

import dev.pitwall.card.Floor;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Risk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All steps of one card with their answers, read at one moment: the preview that a run is held to.
 *
 * @param steps in the order in which they are walked
 */
public record CardPlan(Situation.Subject card, Choices choices, Instant at, List<Planned> steps) {

    /** One step of a plan. */
    public record Planned(String id, Floor floor, StepText text, Answer answer) {
    }

    public CardPlan {
        steps = List.copyOf(steps);
    }

    public Optional<Planned> step(String id) {
        return steps.stream().filter(s -> s.id().equals(id)).findFirst();
    }

    /** The changes of all steps that may run, in order. */
    public List<Change> changes() {
        return steps.stream().flatMap(s -> s.answer().changes().stream()).toList();
    }

    /** The changes of all steps, in order: those that may run, and what those that wait foresee. */
    public List<Change> intended() {
        return steps.stream().flatMap(s -> s.answer().intended().stream()).toList();
    }

    /** The same with the steps that a plan has beside, as they are there: of a look that went less high. */
    public CardPlan over(CardPlan before) {
        List<Planned> all = new ArrayList<>(steps);
        before.steps().stream().filter(s -> step(s.id()).isEmpty()).forEach(all::add);
        return new CardPlan(card, choices, at, all);
    }

    public Risk risk() {
        return Risk.worst(changes());
    }
}
