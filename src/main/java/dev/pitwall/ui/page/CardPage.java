package dev.pitwall.ui.page;

import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.words.Texts;
import java.util.Locale;
import javafx.scene.Node;
import javafx.scene.layout.VBox;

/** A page whose own work does not exist yet. It says so, and what is true of the site now. */
public final class CardPage implements PageContent {

    private final Page page;
    private final Texts texts;
    private final Desk desk;
    private final OpenSites sites;
    private final PlainPage plain;
    private final NowWords words;
    private String drawn = "";

    public CardPage(Page page, Desk desk, OpenSites sites) {
        this.page = page;
        this.texts = desk.texts();
        this.desk = desk;
        this.sites = sites;
        this.words = new NowWords(texts);
        this.plain = new PlainPage(texts.get(page.key()), new VBox());
        draw();
    }

    @Override
    public Node node() {
        return plain.node();
    }

    /** Drawn anew only when its sentence changes, so that its button keeps the keyboard. */
    @Override
    public void draw() {
        String sentence = sites.current().map(site -> words.sentence(page, site.view())).orElse("");
        if (!sentence.equals(drawn)) {
            drawn = sentence;
            plain.show(new EmptyState(sentence, texts.get("later." + page.name().toLowerCase(Locale.ROOT)),
                    texts.get("empty.garage"), () -> desk.shell().go(Page.GARAGE)));
        }
    }
}
