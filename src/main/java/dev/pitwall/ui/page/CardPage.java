package dev.pitwall.ui.page;

import dev.pitwall.card.Card;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;

/**
 * A page whose own work does not exist yet. It says so, and when it was opened for a floor it shows what is known about
 * that floor, as it changes: its sentence, the named cause if its readings establish one, and the readings.
 */
public final class CardPage implements PageContent {

    private final Page page;
    private final Texts texts;
    private final Desk desk;
    private final OpenSites sites;
    private final InstantSource clock;
    private final PlainPage plain;
    private final FloorView floor;
    private Optional<Subject> subject = Optional.empty();

    public CardPage(Page page, Desk desk, OpenSites sites, InstantSource clock) {
        this.page = page;
        this.texts = desk.texts();
        this.desk = desk;
        this.sites = sites;
        this.clock = clock;
        this.floor = new FloorView(texts);
        this.plain = new PlainPage(texts.get(page.key()), empty());
    }

    @Override
    public Node node() {
        return plain.node();
    }

    @Override
    public void shown() {
        if (desk.shell().subjectProperty().get().isEmpty()) {
            subject = Optional.empty();
            plain.show(empty());
        }
    }

    @Override
    public void show(Subject wanted) {
        subject = card(wanted).map(_ -> wanted);
        plain.show(subject.isPresent() ? about(wanted) : empty());
        draw();
    }

    @Override
    public void draw() {
        subject.ifPresent(s -> card(s).ifPresentOrElse(
                card -> floor.show(card, card.floor(s.floor()), clock.instant()), floor::gone));
    }

    private Optional<Card> card(Subject wanted) {
        return sites.current().flatMap(s -> s.view().cards().stream()
                .filter(c -> c.id().equals(wanted.cardId())).findFirst());
    }

    private Node empty() {
        return new EmptyState(text("empty"), text("later"), texts.get("empty.garage"),
                () -> desk.shell().go(Page.GARAGE));
    }

    private Node about(Subject wanted) {
        Label later = new Label(text("later"));
        later.getStyleClass().add("secondary");
        later.setWrapText(true);
        Button back = new Button(texts.get("about.back"));
        back.setOnAction(_ -> desk.shell().go(Page.GARAGE, wanted));
        return PlainPage.column(floor, later, back);
    }

    private String text(String what) {
        return texts.get(what + "." + page.name().toLowerCase(Locale.ROOT));
    }
}
