package dev.pitwall.ui.setup;

import dev.pitwall.card.Trouble;
import java.util.List;
import java.util.Optional;

/**
 * Everything that the page shows, but for ages and the log.
 *
 * @param card   the one that is chosen
 * @param reads  true while its systems are being read
 * @param groups its steps; empty until it was looked at
 * @param ascents what can be done with several of them; empty where no step shows
 */
record SetupPage(List<CardEntry> cards, Optional<CardEntry> card, boolean reads, List<StepGroup> groups,
                 Optional<Banner> banner, Body body, Optional<Actions> actions,
                 Optional<AscentBar> ascents) {

    static final SetupPage NOTHING = new SetupPage(List.of(), Optional.empty(), false, List.of(), Optional.empty(),
            new Body.NoCard(), Optional.empty(), Optional.empty());

    /** What stands at the right. */
    sealed interface Body {
        /** The site shows no card. */
        record NoCard() implements Body {
        }

        /** The window has no wizard, so nothing can be changed from it. */
        record NoWizard() implements Body {
        }

        /** Only a cluster knows the card. */
        record NoHost(String card) implements Body {
        }

        /** It is being looked at for the first time. */
        record Reading(String host) implements Body {
        }

        /** Its host could not be read, and never was. */
        record Troubled(Trouble trouble) implements Body {
        }

        record Shown(StepView step) implements Body {
        }
    }

    SetupPage {
        cards = List.copyOf(cards);
        groups = List.copyOf(groups);
    }
}
