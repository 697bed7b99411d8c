package dev.pitwall.cli.journey;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Step;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the step at which a walk ends. */
final class Goal {
    private final List<Step> steps;

    Goal(List<Step> steps) {
        this.steps = steps;
    }

    /**
     * @return the id of a step
     * @throws TroubleException if the option names none, or a choice has a key that no step knows
     */
    String last(CardOptions options) throws TroubleException {
        refuseUnknownKeys(options.choices());
        if (options.step().isPresent()) {
            return step(options.step().get());
        }
        return options.floor().isPresent() ? onFloor(options.floor().get()) : steps.getLast().id();
    }

    /** A key that no step has is a slip of the pen, and must not lead to other changes than those that were meant. */
    private void refuseUnknownKeys(Choices choices) throws TroubleException {
        SortedSet<String> known = steps.stream().flatMap(s -> s.keys().stream()).collect(Collectors.toCollection(TreeSet::new));
        Optional<String> unknown = choices.values().keySet().stream().filter(k -> !known.contains(k)).findFirst();
        if (unknown.isPresent()) {
            throw unknown("--set " + unknown.get(), "no step asks for it", String.join(", ", known));
        }
    }

    private String step(String id) throws TroubleException {
        if (steps.stream().noneMatch(s -> s.id().equals(id))) {
            throw unknown("--step " + id, "there is no such step",
                    steps.stream().map(Step::id).collect(Collectors.joining(", ")));
        }
        return id;
    }

    private String onFloor(String floor) throws TroubleException {
        List<String> on = steps.stream().filter(s -> s.floor().wireName().equals(floor.toLowerCase(Locale.ROOT)))
                .map(Step::id).toList();
        Optional<Step> meant = steps.stream().filter(s -> s.id().equalsIgnoreCase(floor)).findFirst();
        if (on.isEmpty() && meant.isPresent()) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, "--to " + floor, "this is a step, not a floor",
                    "Give --step " + meant.get().id() + ", or one of the floors " + floors() + "."));
        }
        if (on.isEmpty()) {
            throw unknown("--to " + floor, "no step brings up such a floor", floors());
        }
        return on.getLast();
    }

    private String floors() {
        return steps.stream().map(s -> s.floor().wireName()).distinct().collect(Collectors.joining(", "));
    }

    private static TroubleException unknown(String option, String what, String there) {
        return new TroubleException(new Trouble(Trouble.Kind.MISSING, option, what, "There are: " + there + "."));
    }
}
