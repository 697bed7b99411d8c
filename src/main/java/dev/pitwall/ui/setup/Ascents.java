package dev.pitwall.ui.setup;

import dev.pitwall.card.Floor;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What one run could make of a plan: the steps that go together now, and the walk up to each floor.
 *
 * @param together its steps may be none
 * @param walks    one a floor that has something left to do, from below
 */
record Ascents(Ascent together, List<Walk> walks) {

    /** @param reached the step on which it ends where all goes well */
    record Walk(Floor floor, CardPlan.Planned reached, Ascent ascent) {
    }

    Ascents {
        walks = List.copyOf(walks);
    }

    /**
     * @param together tells which steps of a plan go together up to one
     */
    static Optional<Ascents> of(CardPlan plan, BiFunction<CardPlan, String, List<String>> together) {
        if (plan.steps().isEmpty()) {
            return Optional.empty();
        }
        List<Walk> walks = new ArrayList<>();
        for (Floor floor : plan.steps().stream().map(CardPlan.Planned::floor).distinct().toList()) {
            List<CardPlan.Planned> there = plan.steps().stream().filter(s -> s.floor() == floor).toList();
            String last = there.getLast().id();
            List<String> ids = together.apply(plan, last);
            if ((!ids.isEmpty() || comes(plan, last)) && there.stream().anyMatch(s -> !StepLines.settled(s.answer().state()))) {
                walks.add(new Walk(floor, reached(there), Ascent.walk(plan, ids, last)));
            }
        }
        return Optional.of(new Ascents(
                Ascent.together(plan, together.apply(plan, plan.steps().getLast().id())), walks));
    }

    /** True if nothing is to be made now because something comes by itself, for which a walk waits. */
    private static boolean comes(CardPlan plan, String last) {
        return Ascent.upTo(plan, last).stream().map(CardPlan.Planned::answer)
                .filter(a -> !StepLines.settled(a.state())).findFirst().filter(a -> a.coming().isPresent()).isPresent();
    }

    private static CardPlan.Planned reached(List<CardPlan.Planned> steps) {
        return steps.stream().filter(s -> s.answer().state() != Answer.State.NOT_APPLICABLE
                && s.answer().state() != Answer.State.SKIPPED).reduce((_, later) -> later).orElseGet(steps::getLast);
    }
}
