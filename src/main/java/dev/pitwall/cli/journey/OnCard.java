package dev.pitwall.cli.journey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.OpenSite;
import dev.pitwall.cli.OpenSites;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.Situation;

/** Opens a site and its wizard, and finds the card that a command is about. */
final class OnCard {
    private final OpenSites sites;
    private final Journeys journeys;
    private final Output output;

    OnCard(OpenSites sites, Journeys journeys, Output output) {
        this.sites = sites;
        this.journeys = journeys;
        this.output = output;
    }

    /** What a command does with the card. */
    @FunctionalInterface
    interface Work {
        /**
         * @param last id of the last step that is wanted
         * @return the exit code
         */
        int with(Journey journey, Situation.Subject card, String last) throws TroubleException, InterruptedException;
    }

    /** @return the exit code, that of a trouble too */
    int call(SiteOptions site, CardOptions card, Work work) throws InterruptedException {
        if (!card.patienceFits()) {
            return output.badUse("--wait", "give a number of seconds from 1 to 600");
        }
        try {
            String last = new Goal(journeys.steps()).last(card);
            try (OpenSite open = sites.open(site.site());
                 Journey journey = journeys.open(open.live().site(), open.live()::nodes)) {
                CardSearch search = new CardSearch(open.firstCompleteView(card.patience()));
                return work.with(journey, search.find(card.card()), last);
            }
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }
}
