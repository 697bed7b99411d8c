package dev.pitwall.ui.page;

import dev.pitwall.card.Card;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.ui.garage.ReadingsList;
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
import javafx.scene.layout.VBox;

/**
 * A page whose own work does not exist yet. It says so, and when it was opened for a floor it shows what is known about
 * that floor: its sentence, the named cause if its readings establish one, and the readings.
 */
public final class CardPage implements PageContent {

    private final Page page;
    private final Texts texts;
    private final Desk desk;
    private final OpenSites sites;
    private final InstantSource clock;
    private final PlainPage plain;

    public CardPage(Page page, Desk desk, OpenSites sites, InstantSource clock) {
        this.page = page;
        this.texts = desk.texts();
        this.desk = desk;
        this.sites = sites;
        this.clock = clock;
        this.plain = new PlainPage(texts.get(page.key()), empty());
    }

    @Override
    public Node node() {
        return plain.node();
    }

    @Override
    public void shown() {
        if (desk.shell().subjectProperty().get().isEmpty()) {
            plain.show(empty());
        }
    }

    @Override
    public void show(Subject subject) {
        plain.show(card(subject).map(card -> about(card, card.floor(subject.floor()), subject)).orElseGet(this::empty));
    }

    private Optional<Card> card(Subject subject) {
        return sites.current().flatMap(s -> s.view().cards().stream()
                .filter(c -> c.id().equals(subject.cardId())).findFirst());
    }

    private Node empty() {
        return new EmptyState(text("empty"), text("later"), texts.get("empty.garage"),
                () -> desk.shell().go(Page.GARAGE));
    }

    private Node about(Card card, FloorStatus floor, Subject subject) {
        Label where = label(texts.get("about.where", texts.get("floor." + floor.floor().wireName()), card.host(),
                card.name()), "secondary");
        Label what = label(floor.summary(), "page-title");
        what.setWrapText(true);
        VBox head = new VBox(4, where, what);
        floor.trap().ifPresent(trap -> head.getChildren().add(label(texts.get("about.trap", trap), "code")));
        Label title = label(texts.get("about.readings"), "section");
        VBox readings = new VBox(new ReadingsList(floor.readings(), clock.instant(), texts));
        readings.getStyleClass().add("panel");
        Label later = label(text("later"), "secondary");
        later.setWrapText(true);
        Button back = new Button(texts.get("about.back"));
        back.setOnAction(_ -> desk.shell().go(Page.GARAGE, subject));
        return PlainPage.column(head, title, readings, later, back);
    }

    private String text(String what) {
        return texts.get(what + "." + page.name().toLowerCase(Locale.ROOT));
    }

    private static Label label(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
