package dev.pitwall.ui.setup;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Targets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one run makes of several steps.
 *
 * @param last  id of the last step wanted
 * @param now   the steps that are made after the look that shows; what several of them end in is there once, for the last
 * @param later those above, for a run that looks again and goes on, with what is foreseen of them
 * @param end   the step that is in the way of such a run: it is not begun before that is cleared
 */
record Ascent(CardPlan plan, String last, List<Part> now, List<Part> later, Optional<Part> end) {

    /**
     * One step of it.
     *
     * @param why     what the plan says of it
     * @param changes may be empty for a step of which nothing can be told yet
     */
    record Part(String step, String title, String why, List<Change> changes) {
        Part {
            changes = List.copyOf(changes);
        }
    }

    private record Made(String step, Change change) {
    }

    Ascent {
        now = List.copyOf(now);
        later = List.copyOf(later);
    }

    /** @param ids steps of the plan that go together */
    static Ascent together(CardPlan plan, List<String> ids) {
        List<CardPlan.Planned> steps = plan.steps().stream().filter(s -> ids.contains(s.id())).toList();
        List<Made> once = Targets.once(steps.stream()
                .flatMap(s -> s.answer().changes().stream().map(c -> new Made(s.id(), c))).toList(), Made::change);
        List<Part> now = steps.stream().map(s -> new Part(s.id(), s.text().title(), s.answer().why(),
                once.stream().filter(m -> m.step().equals(s.id())).map(Made::change).toList())).toList();
        return new Ascent(plan, ids.isEmpty() ? "" : ids.getLast(), now, List.of(), Optional.empty());
    }

    /**
     * @param ids  steps of the plan that go together
     * @param last where the walk is to end
     */
    static Ascent walk(CardPlan plan, List<String> ids, String last) {
        List<Part> later = new ArrayList<>();
        Optional<Part> end = Optional.empty();
        for (CardPlan.Planned step : upTo(plan, last)) {
            Answer answer = step.answer();
            if (ids.contains(step.id()) || StepLines.settled(answer.state())) {
                continue;
            }
            Part part = new Part(step.id(), step.text().title(), answer.why(), answer.intended());
            if (ends(answer)) {
                end = Optional.of(part);
                break;
            }
            later.add(part);
        }
        return new Ascent(plan, last, together(plan, ids).now(), later, end);
    }

    /** A step that a walk does not get past, whatever is done before it. */
    private static boolean ends(Answer answer) {
        return answer.state() == Answer.State.BLOCKED || answer.state() == Answer.State.WAITING
                && answer.questions().stream().anyMatch(q -> q.chosen().isEmpty());
    }

    /** The steps of a plan up to one, and with it. */
    static List<CardPlan.Planned> upTo(CardPlan plan, String last) {
        List<CardPlan.Planned> steps = new ArrayList<>();
        for (CardPlan.Planned step : plan.steps()) {
            steps.add(step);
            if (step.id().equals(last)) {
                break;
            }
        }
        return steps;
    }

    /** What is made at once, in order. */
    List<Change> changes() {
        return now.stream().flatMap(p -> p.changes().stream()).toList();
    }

    /** What is made at once and what is foreseen, in order. */
    List<Change> all() {
        return Stream.concat(now.stream(), later.stream()).flatMap(p -> p.changes().stream()).toList();
    }

    /** True if several of the steps end in the same, which is then done once. */
    boolean merges() {
        int alone = now.stream().flatMap(p -> plan.step(p.step()).stream()).mapToInt(s -> s.answer().changes().size()).sum();
        return changes().size() < alone;
    }
}
