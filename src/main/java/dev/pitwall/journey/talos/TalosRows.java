package dev.pitwall.journey.talos;

import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.survey.Evidence;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.journey.survey.TalosNode;
import dev.pitwall.journey.survey.TalosShowing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Collects what a step found on a Talos node. */
final class TalosRows {
    private final TalosNode node;
    private final List<Found> rows = new ArrayList<>();

    TalosRows(TalosNode node) {
        this.node = node;
    }

    /** @param decides true for a line of the output that decides; a row whose output was not kept is left out */
    void add(TalosShowing what, String name, String value, Mark mark, Predicate<String> decides) {
        Optional<Shown> shown = Optional.ofNullable(node.shown().get(what.key()));
        shown.ifPresent(s -> rows.add(Evidence.found(name, value, mark, s, decides)));
    }

    List<Found> all() {
        return List.copyOf(rows);
    }
}
