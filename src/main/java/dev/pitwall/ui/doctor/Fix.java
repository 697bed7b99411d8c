package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.ui.change.ChangeLine;
import dev.pitwall.ui.change.Severity;
import dev.pitwall.ui.shell.Subject;
import java.util.List;
import java.util.Optional;

/** What is to be done against a finding, as far as it is known now. */
sealed interface Fix {

    /** What would cure it is being read. */
    record Reading() implements Fix {
    }

    /** It could not be read. */
    record Troubled(Trouble trouble) implements Fix {
    }

    /**
     * Exact changes that can be made.
     *
     * @param title    what they do together
     * @param chip     words of the worst risk; empty text where there is none
     * @param button   names the action and its worst effect
     * @param whyNot   why it cannot be pressed now; empty text if it can
     * @param notes    what a person should know before, one sentence each
     * @param steps    what a person does besides
     */
    record Changes(String title, List<ChangeLine> lines, Severity severity, String chip, String button, String whyNot,
                   List<String> notes, List<String> steps) implements Fix {
        public Changes {
            lines = List.copyOf(lines);
            notes = List.copyOf(notes);
            steps = List.copyOf(steps);
        }
    }

    /** The changes are being made. */
    record Running(String title, List<ChangeLine> lines, boolean stopping) implements Fix {
        public Running {
            lines = List.copyOf(lines);
        }
    }

    /**
     * A person does it.
     *
     * @param why   why Pitwall does not, or what is to be reached
     * @param steps in order
     * @param setup the step of the wizard that has more to say; empty if none has
     */
    record ByHand(String why, List<String> steps, Optional<Subject> setup) implements Fix {
        public ByHand {
            steps = List.copyOf(steps);
        }
    }

    /** Nothing is to be done. */
    record Nothing(String why) implements Fix {
    }
}
