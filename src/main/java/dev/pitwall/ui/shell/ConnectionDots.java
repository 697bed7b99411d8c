package dev.pitwall.ui.shell;

import dev.pitwall.site.Connection;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.controlsfx.control.PopOver;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The connections at the right of the title bar, and behind them the list with what fails and what to do. */
final class ConnectionDots {

    private static final double LIST_WIDTH = 420;
    private static final double LIST_TALLEST = 420;

    private final Button button;
    private final Texts texts;
    private final HBox content = new HBox(16);
    private List<Dot> drawn = List.of();
    private final PopoverPanel panel = new PopoverPanel();

    ConnectionDots(Button button, Texts texts) {
        this.button = button;
        this.texts = texts;
        content.setAlignment(Pos.CENTER_RIGHT);
        button.setGraphic(content);
    }

    void show(List<Dot> dots) {
        if (dots.equals(drawn)) {
            return;
        }
        boolean sameShape = dots.size() == drawn.size() && IntStream.range(0, dots.size())
                .allMatch(i -> dots.get(i).state() == drawn.get(i).state());
        if (sameShape) {
            for (int i = 0; i < dots.size(); i++) {
                relabel((HBox) content.getChildren().get(i), dots.get(i));
            }
        } else {
            content.getChildren().setAll(dots.stream().map(this::node).toList());
        }
        drawn = dots;
        button.setAccessibleText(texts.get("dots.spoken", String.join(", ",
                dots.stream().map(d -> d.label() + " " + d.age()).toList())));
    }

    /** Width the given dots need, in pixels. */
    double width() {
        return content.prefWidth(-1);
    }

    void openList(Optional<OpenSite> site, InstantSource clock) {
        site.ifPresent(s -> {
            VBox rows = new VBox();
            rows.getStyleClass().add("connections");
            Instant now = clock.instant();
            s.view().connections().forEach(c -> rows.getChildren().add(row(c, s, now)));
            ScrollPane scroll = new ScrollPane(rows);
            scroll.setFitToWidth(true);
            scroll.setMaxHeight(LIST_TALLEST);
            scroll.getStyleClass().add("plain-scroll");
            scroll.setPrefWidth(LIST_WIDTH);
            panel.show(button, scroll, PopOver.ArrowLocation.TOP_RIGHT);
        });
    }

    private Node row(Connection c, OpenSite site, Instant now) {
        Label name = label(c.name(), "strong");
        Label kind = label(texts.get("kind." + c.kind().name().toLowerCase(Locale.ROOT)), "secondary");
        Region grow = new Region();
        HBox.setHgrow(grow, Priority.ALWAYS);
        Label age = label(c.at().map(at -> Ages.brief(Duration.between(at, now))).orElse(""), "age");
        HBox first = new HBox(8, dot(stateOf(c)), name, kind, grow, age);
        first.setAlignment(Pos.CENTER_LEFT);
        VBox all = new VBox(4, first);
        all.getStyleClass().add("connection");
        c.trouble().ifPresent(t -> {
            Label what = label(t.sentence(), "body");
            Label next = label(t.next(), "secondary");
            what.setWrapText(true);
            next.setWrapText(true);
            Button again = new Button(texts.get("garage.action.retry"));
            again.getStyleClass().add("small-button");
            again.setOnAction(_ -> {
                site.live().readAgain(c.kind(), c.name());
                panel.hide();
            });
            Label when = label(c.nextTry().map(n -> texts.get("dots.next", Ages.brief(Duration.between(now, n))))
                    .orElse(""), "secondary");
            HBox retry = new HBox(8, again, when);
            retry.setAlignment(Pos.CENTER_LEFT);
            all.getChildren().addAll(what, next, retry);
        });
        return all;
    }

    private static Dot.State stateOf(Connection c) {
        return switch (c.state()) {
            case LIVE -> Dot.State.LIVE;
            case READING -> Dot.State.READING;
            case FAILING -> Dot.State.FAILING;
        };
    }

    private HBox node(Dot dot) {
        Label label = label(dot.label(), "dot-label");
        Label age = label(dot.age(), "dot-age");
        label.setMinWidth(Region.USE_PREF_SIZE);
        age.setMinWidth(Region.USE_PREF_SIZE);
        HBox box = new HBox(6, dot(dot.state()), label, age);
        box.setAlignment(Pos.CENTER_LEFT);
        box.getStyleClass().add("dot-item");
        box.pseudoClassStateChanged(pseudo(dot.state()), true);
        return box;
    }

    private static void relabel(HBox box, Dot dot) {
        ((Label) box.getChildren().get(1)).setText(dot.label());
        ((Label) box.getChildren().get(2)).setText(dot.age());
    }

    private static Node dot(Dot.State state) {
        Node shape = switch (state) {
            case FAILING -> new FontIcon(Feather.ALERT_TRIANGLE);
            case STALE -> new FontIcon(Feather.CLOCK);
            case LIVE, READING -> new Region();
        };
        shape.getStyleClass().add("dot");
        shape.pseudoClassStateChanged(pseudo(state), true);
        return shape;
    }

    private static PseudoClass pseudo(Dot.State state) {
        return PseudoClass.getPseudoClass(state.name().toLowerCase(Locale.ROOT));
    }

    private static Label label(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
