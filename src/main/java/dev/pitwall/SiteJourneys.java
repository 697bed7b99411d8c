package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.journey.Journeys;
import dev.pitwall.journey.Export;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.export.Exports;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Site;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The wizard for the command line, where nobody is asked for a second factor. */
final class SiteJourneys implements Journeys {
    private final Wiring wiring;

    SiteJourneys(Wiring wiring) {
        this.wiring = wiring;
    }

    @Override
    public List<Step> steps() {
        return wiring.ladder().steps();
    }

    @Override
    public Journey open(Site site, Supplier<Map<String, String>> nodes) throws TroubleException {
        return wiring.journey(site, SecondFactor.NONE, nodes);
    }

    @Override
    public Journal journal() throws TroubleException {
        return wiring.journal();
    }

    @Override
    public List<Export> exports() {
        return Exports.all();
    }

    @Override
    public Site site(String nameOrFile) throws TroubleException {
        return nameOrFile.isEmpty() ? wiring.labs().start("garage").site() : wiring.site(nameOrFile);
    }
}
