package dev.pitwall.journey.guest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.Evidence;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.journey.survey.Shown;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** A row out of what the guest itself showed, whoever was asked; it is a part of the VM's survey where nothing was kept. */
    void inside(Optional<Shown> by, String name, String value, Mark mark, String deciding) {
        by.ifPresentOrElse(shown -> rows.add(Evidence.found(name, value, mark, shown, lines(deciding))),
                () -> vm(Showing.GUEST, name, value, mark, deciding));
    }

    void host(Showing what, String name, String value, Mark mark, String deciding) {
        rows.add(Evidence.of(situation.host()).row(name, value, mark, what, lines(deciding)));
    }

    void datacenter(Showing what, String name, String value, Mark mark, String deciding) {
        rows.add(Evidence.of(situation.host().host(), situation.datacenter())
                .row(name, value, mark, what, lines(deciding)));
    }

    /**
     * A row out of what a node of the cluster was given when it joined.
     *
     * @param deciding what the lines that decide contain
     */
    void node(JsonNode node, String name, String value, Mark mark, List<String> deciding) {
        rows.add(Evidence.found(name, value, mark, situation.hostNodes().orElseThrow().given(node),
                line -> deciding.stream().anyMatch(line::contains)));
    }

    private static Predicate<String> lines(String deciding) {
        return line -> !deciding.isEmpty() && line.contains(deciding);
    }

    List<Found> rows() {
        return List.copyOf(rows);
    }
}
