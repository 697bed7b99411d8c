package dev.pitwall.journey.guest;

import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.Evidence;
import dev.pitwall.journey.survey.Showing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Collects what a step of the VM found, out of the three surveys. */
final class VmEvidence {
    private final Situation situation;
    private final List<Found> rows = new ArrayList<>();

    VmEvidence(Situation situation) {
        this.situation = situation;
    }

    /**
     * A row out of what the VM's survey rests on.
     *
     * @param deciding what the lines that decide contain; empty text for none
     */
    void vm(Showing what, String name, String value, Mark mark, String deciding) {
        rows.add(Evidence.of(situation.vm().orElseThrow()).row(name, value, mark, what, lines(deciding)));
    }

    void host(Showing what, String name, String value, Mark mark, String deciding) {
        rows.add(Evidence.of(situation.host()).row(name, value, mark, what, lines(deciding)));
    }

    void datacenter(Showing what, String name, String value, Mark mark, String deciding) {
        rows.add(Evidence.of(situation.host().host(), situation.datacenter())
                .row(name, value, mark, what, lines(deciding)));
    }

    private static Predicate<String> lines(String deciding) {
        return line -> !deciding.isEmpty() && line.contains(deciding);
    }

    List<Found> rows() {
        return List.copyOf(rows);
    }
}
