package dev.pitwall.journey.operator;

import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import java.util.List;
import java.util.Optional;

/**
 * What the steps of the node have settled: who brings the driver, and who the container toolkit. The operator's values
 * follow it, so that the same is never brought twice.
 *
 * @param steps those of the node; none for one whose system nobody looks into
 */
public record NodeChoices(List<Step> steps) {
    public static final NodeChoices NONE = new NodeChoices(List.of());
    private static final List<String> KEYS = List.of(DriverSource.KEY, ToolkitSource.KEY);

    public NodeChoices {
        steps = List.copyOf(steps);
    }

    /** The situation in which that is chosen; what the person has chosen stays. */
    Situation settled(Situation situation) {
        Choices choices = situation.choices();
        for (String key : KEYS) {
            Optional<String> chosen = choices.get(key).isPresent() ? Optional.empty() : chosen(situation, key);
            if (chosen.isPresent()) {
                choices = choices.with(key, chosen.get());
            }
        }
        return situation.choosing(choices);
    }

    private Optional<String> chosen(Situation situation, String key) {
        return steps.stream().filter(step -> step.keys().contains(key))
                .flatMap(step -> step.look(situation).questions().stream()).filter(q -> q.key().equals(key))
                .map(Question::chosen).filter(value -> !value.isEmpty()).findFirst();
    }
}
