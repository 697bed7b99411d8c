package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import java.util.List;
import java.util.Optional;

/**
 * The page as it is drawn.
 *
 * @param counts what was found, and where
 * @param chosen the entry that shows
 * @param given  name of the evidence that somebody has pasted or opened; empty for the site's own diagnosis
 * @param note   what came of a card that was asked for; empty text for nothing
 * @param foot   how much was looked at
 */
record DoctorPage(String counts, List<FindingGroup> groups, Optional<String> chosen, Body body, Activity activity,
                  Optional<String> given, Optional<Trouble> trouble, String note, String foot) {

    /** The right side. */
    sealed interface Body {
        /** The first look goes on. */
        record Reading() implements Body {
        }

        /** There is nothing to show. */
        record Empty(String sentence, String text) implements Body {
        }

        record Shown(FindingView view) implements Body {
        }
    }

    /** What goes on. */
    sealed interface Activity {
        record Idle() implements Activity {
        }

        /** @param reading what is read right now */
        record Looking(String reading) implements Activity {
        }
    }

    static final DoctorPage NOTHING = new DoctorPage("", List.of(), Optional.empty(), new Body.Reading(),
            new Activity.Idle(), Optional.empty(), Optional.empty(), "", "");

    DoctorPage {
        groups = List.copyOf(groups);
    }
}
