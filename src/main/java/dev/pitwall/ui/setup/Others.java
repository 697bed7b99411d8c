package dev.pitwall.ui.setup;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.change.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The other cards of the site, for "do the same": which of them have the same step ready and leave nothing to ask.
 *
 * @param step the step that is to be made
 */
record Others(String step, List<Other> all) {

    static final Others NONE = new Others("", List.of());

    /** @param plan what the last look at it showed; empty while it is being looked at, and where it could not be */
    record Other(CardEntry card, boolean reads, Optional<CardPlan> plan) {
    }

    Others {
        all = List.copyOf(all);
    }

    boolean reading() {
        return all.stream().anyMatch(Other::reads);
    }

    /** Those that can be done, in the order of the site. */
    List<CardEntry> ready() {
        return all.stream().filter(o -> o.plan().filter(p -> asksNothing(p, step)).isPresent()).map(Other::card).toList();
    }

    /** What would be changed on them. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        all.stream().flatMap(o -> o.plan().stream()).filter(p -> asksNothing(p, step))
                .forEach(p -> changes.addAll(p.step(step).orElseThrow().answer().changes()));
        return changes;
    }

    Others with(Other next) {
        return new Others(step, all.stream().map(o -> o.card().id().equals(next.card().id()) ? next : o).toList());
    }

    /** True if the step may run as it is: it is ready, and each of its questions has an answer that it offers. */
    static boolean asksNothing(CardPlan plan, String step) {
        return plan.step(step).map(CardPlan.Planned::answer).filter(a -> a.state() == Answer.State.READY)
                .filter(a -> a.questions().stream().allMatch(Others::answered)).isPresent();
    }

    /** True if what is chosen is one of the options. */
    static boolean answered(Answer.Question question) {
        return question.options().stream().anyMatch(o -> o.value().equals(question.chosen()));
    }
}
