package dev.pitwall.cli.journey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.OpenSite;
import dev.pitwall.cli.OpenSites;
import dev.pitwall.cli.Output;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;

import java.util.List;

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

    /**
     * What a command is about.
     *
     * @param last       id of the last step that is wanted
     * @param unfinished the runs on the card's host that have not ended
     */
    record Aimed(Journey journey, Situation.Subject card, String last, List<RunRecord> unfinished) {
    }

    /** What a command does with the card. */
    @FunctionalInterface
    interface Work {
        /** @return the exit code */
        int with(Aimed aimed) throws TroubleException, InterruptedException;
    }

    /** @return the exit code, that of a trouble too */
    int call(CardOptions options, Work work) throws InterruptedException {
        if (!options.patienceFits()) {
            return output.badUse("--wait", "give a number of seconds from 1 to 600");
        }
        if (options.card().isBlank()) {
            return output.badUse("--card", "name a card: its id as \"pitwall status\" shows it, or a part of it");
        }
        try {
            String last = new Goal(journeys.steps()).last(options);
            try (OpenSite open = sites.open(options.site());
                 Journey journey = journeys.open(open.live().site(), open.live()::nodes)) {
                Situation.Subject card = new CardSearch(open.firstCompleteView(options.patience())).find(options.card());
                return work.with(new Aimed(journey, card, last, unfinished(open.live().site().id(), card.host())));
            }
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }

    private List<RunRecord> unfinished(String siteId, String host) throws TroubleException {
        return journeys.journal().unfinished(siteId).stream().filter(r -> r.host().equals(host)).toList();
    }
}
