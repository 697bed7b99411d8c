package dev.pitwall.journey.run;

import dev.pitwall.card.Floor;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.StepText;
import dev.pitwall.journey.StepTexts;

import java.util.Collection;
import java.util.List;

/**
 * All steps in the order in which they are walked, with their words.
 *
 * @param steps each id once
 */
public record Ladder(List<Step> steps, StepTexts texts) {

    public Ladder {
        steps = List.copyOf(steps);
    }

    StepText text(String id) {
        return texts.of(id);
    }

    String title(String id) {
        return texts.of(id).title();
    }

    /** From 0 up; -1 for a step that this version does not have. */
    int place(String id) {
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    /** The steps up to one, and with it. */
    List<Step> upTo(String last) {
        return steps.subList(0, place(last) + 1);
    }

    /** The highest of some steps. */
    String highest(Collection<String> ids) {
        return steps.stream().map(Step::id).filter(ids::contains).reduce((one, other) -> other).orElseGet(this::last);
    }

    String last() {
        return steps.getLast().id();
    }

    boolean has(String id) {
        return place(id) >= 0;
    }

    boolean onlyChecks(String id) {
        return has(id) && steps.get(place(id)).nature() == Step.Nature.CHECKS;
    }

    /** True for a step that is for every card of a host. */
    boolean forWholeHost(String id) {
        return has(id) && steps.get(place(id)).floor() == Floor.FIRMWARE;
    }
}
