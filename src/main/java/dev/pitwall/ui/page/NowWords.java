package dev.pitwall.ui.page;

import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.Reading;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.words.Texts;
import java.util.List;

/** What a page that does nothing yet can truly say about the site now. Pure: the same view gives the same words. */
final class NowWords {

    /** The readings in which a plugin floor names the pods that hold the card. */
    private static final String HOLDER = "held by";
    private static final String OFFERED = "allocatable";

    private final Texts texts;

    NowWords(Texts texts) {
        this.texts = texts;
    }

    /** The page's one sentence. */
    String sentence(Page page, SiteView view) {
        return switch (page) {
            case CLAIMS -> claims(view);
            case BOARD, DOCTOR, SETUP, GARAGE, JOURNAL, SETTINGS -> "";
        };
    }

    /** Who holds a card is known where its plugin floor has counted: it offers something, and its own state is ok. */
    private String claims(SiteView view) {
        List<FloorStatus> counted = view.cards().stream().map(c -> c.floor(Floor.PLUGIN))
                .filter(f -> f.state() == FloorState.OK && names(f, OFFERED)).toList();
        int cards = view.cards().size();
        int held = (int) counted.stream().filter(f -> names(f, HOLDER)).count();
        if (cards == 0) {
            return texts.get("now.claims.nothing");
        }
        if (counted.size() < cards) {
            return texts.get("now.claims.some", held, counted.size(), cards - counted.size());
        }
        return held == 0 ? texts.count("now.claims.free", cards) : texts.get("now.claims.held", held, cards);
    }

    private static boolean names(FloorStatus floor, String reading) {
        return floor.readings().stream().map(Reading::name).anyMatch(reading::equals);
    }
}
