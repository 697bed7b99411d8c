package dev.pitwall.ui.page;

import dev.pitwall.card.Card;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.PageContent;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/**
 * A page whose own work does not exist yet. It says so, and what is true of the site now; when it was opened for a floor it shows what is known about
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
    private final NowWords words;
    private final FindingList findings;
    private Optional<Subject> subject = Optional.empty();
    private List<Object> drawn = List.of();

    public CardPage(Page page, Desk desk, OpenSites sites, InstantSource clock) {
        this.page = page;
        this.texts = desk.texts();
        this.desk = desk;
        this.sites = sites;
        this.clock = clock;
        this.floor = new FloorView(texts);
        this.words = new NowWords(texts);
        this.findings = new FindingList(texts, about -> desk.shell().go(page, about));
        this.plain = new PlainPage(texts.get(page.key()), new VBox());
        drawNow();
    }

    @Override
    public Node node() {
        return plain.node();
    }

    @Override
    public void shown() {
        if (desk.shell().subjectProperty().get().isEmpty()) {
            subject = Optional.empty();
            drawn = List.of();
            drawNow();
        }
    }

    @Override
    public void show(Subject wanted) {
        subject = card(wanted).map(_ -> wanted);
        drawn = List.of();
        if (subject.isPresent()) {
            plain.show(about(wanted));
        }
        draw();
    }

    @Override
    public void draw() {
        subject.ifPresentOrElse(s -> card(s).ifPresentOrElse(
                card -> floor.show(card, card.floor(s.floor()), clock.instant()), floor::gone), this::drawNow);
    }

    /** What is true of the whole site; drawn anew only when that changes, so that its buttons keep the keyboard. */
    private void drawNow() {
        Optional<SiteView> view = sites.current().map(OpenSite::view);
        List<NowWords.Finding> found = page == Page.DOCTOR ? view.map(NowWords::findings).orElse(List.of()) : List.of();
        String sentence = view.map(v -> words.sentence(page, v)).orElse("");
        List<Object> said = List.of(sentence, found.stream().map(CardPage::told).toList());
        if (said.equals(drawn)) {
            return;
        }
        drawn = said;
        if (found.isEmpty()) {
            plain.show(new EmptyState(sentence, text("later"), texts.get("empty.garage"),
                    () -> desk.shell().go(Page.GARAGE)));
        } else {
            findings.show(found);
            plain.show(PlainPage.column(styled("section", texts.get("now.doctor.title")), findings,
                    styled("secondary", text("later"))));
        }
    }

    /** What of a finding is drawn here; its readings are not. */
    private static List<Object> told(NowWords.Finding f) {
        return List.of(f.card().id(), f.card().name(), f.floor().floor(), f.floor().state(), f.floor().summary(),
                f.floor().trap());
    }

    private Optional<Card> card(Subject wanted) {
        return sites.current().flatMap(s -> s.view().cards().stream()
                .filter(c -> c.id().equals(wanted.cardId())).findFirst());
    }

    private Node about(Subject wanted) {
        Label later = styled("secondary", text("later"));
        Button back = new Button(texts.get("about.back"));
        back.setOnAction(_ -> desk.shell().go(Page.GARAGE, wanted));
        return PlainPage.column(floor, later, back);
    }

    private static Label styled(String styleClass, String text) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        label.setWrapText(true);
        return label;
    }

    private String text(String what) {
        return texts.get(what + "." + page.name().toLowerCase(Locale.ROOT));
    }
}
