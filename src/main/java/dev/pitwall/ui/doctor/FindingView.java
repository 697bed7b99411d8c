package dev.pitwall.ui.doctor;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One finding as the right side shows it.
 *
 * @param where    floor and place
 * @param seen     since when, and how old the readings are; empty text for saved evidence
 * @param trap     its name in the catalogue; empty text for what is no finding
 * @param counted  how many readings, and how many lines decide
 * @param ruledOut why it is not something else
 * @param others   the cards that it is about, where one of them has to be chosen for the fix
 * @param ended    how a run against it ended that did not cure it
 */
record FindingView(String id, Mark mark, Tone tone, OptionalDouble progress, String where, String seen, String trap,
                   String title, String text, List<EvidencePanel> evidence, String counted, List<Reason> ruledOut,
                   List<Choice> others, Optional<Ended> ended, Fix fix) {

    /** A cause that it is not, and the reading that says so. */
    record Reason(String title, String because) {
    }

    /** A card that the fix can be for. */
    record Choice(String cardId, String name, boolean chosen) {
    }

    /** A run that stopped or failed, in two sentences. */
    record Ended(String what, String why) {
    }

    FindingView {
        evidence = List.copyOf(evidence);
        ruledOut = List.copyOf(ruledOut);
        others = List.copyOf(others);
    }
}
