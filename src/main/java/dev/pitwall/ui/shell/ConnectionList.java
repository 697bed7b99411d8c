package dev.pitwall.ui.shell;

import dev.pitwall.site.Connection;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/**
 * Every connection of a site with how it does, in words: what fails comes first, with where, since when, what to do and
 * a button that asks again now. It follows the site while it shows.
 */
final class ConnectionList extends VBox {

    private final OpenSite site;
    private final InstantSource clock;
    private final Texts texts;
    private List<Row> rows = List.of();

    ConnectionList(OpenSite site, InstantSource clock, Texts texts) {
        this.site = site;
        this.clock = clock;
        this.texts = texts;
        getStyleClass().add("connections");
        show(site.view());
    }

    /** Keeps the nodes of what is as before, so that a button does not vanish under the pointer. */
    void show(SiteView view) {
        Instant now = clock.instant();
        List<Connection> sorted = view.connections().stream()
                .sorted(Comparator.comparing(c -> c.state() == Connection.State.FAILING ? 0 : 1)).toList();
        boolean same = sorted.size() == rows.size()
                && IntStream.range(0, rows.size()).allMatch(i -> rows.get(i).shows(sorted.get(i)));
        if (!same) {
            List<Row> next = new ArrayList<>();
            sorted.forEach(c -> next.add(new Row(c)));
            rows = List.copyOf(next);
            getChildren().setAll(rows);
        }
        for (int i = 0; i < rows.size(); i++) {
            rows.get(i).update(sorted.get(i), now);
        }
    }

    private final class Row extends VBox {
        private final Connection connection;
        private final Label word = styled("", "secondary");
        private final Label age = styled("", "age");
        private final Label when = styled("", "secondary");

        Row(Connection c) {
            super(4);
            this.connection = c;
            getStyleClass().add("connection");
            Region grow = new Region();
            HBox.setHgrow(grow, Priority.ALWAYS);
            Label kind = styled(texts.get("kind." + c.kind().name().toLowerCase(Locale.ROOT)), "secondary");
            word.setMinWidth(USE_PREF_SIZE);
            age.setMinWidth(USE_PREF_SIZE);
            HBox first = new HBox(8, ConnectionDots.shape(stateOf(c)), styled(c.name(), "strong"), kind, grow, word, age);
            first.setAlignment(Pos.CENTER_LEFT);
            getChildren().add(first);
            c.trouble().ifPresent(t -> {
                Label what = styled(t.sentence(), "body");
                Label next = styled(t.next(), "secondary");
                what.setWrapText(true);
                next.setWrapText(true);
                Button again = new Button(texts.get("garage.action.retry"));
                again.getStyleClass().add("small-button");
                again.setOnAction(_ -> site.live().readAgain(c.kind(), c.name()));
                HBox retry = new HBox(8, again, when);
                retry.setAlignment(Pos.CENTER_LEFT);
                getChildren().addAll(what, next, retry);
            });
        }

        boolean shows(Connection c) {
            return c.kind() == connection.kind() && c.name().equals(connection.name())
                    && c.trouble().equals(connection.trouble()) && c.at().isPresent() == connection.at().isPresent();
        }

        void update(Connection c, Instant now) {
            word.setText(word(c, now));
            age.setText(c.state() == Connection.State.FAILING
                    ? c.since().map(s -> Ages.brief(Duration.between(s, now))).orElse("")
                    : c.at().map(at -> Ages.brief(Duration.between(at, now))).orElse(""));
            when.setText(c.nextTry().map(n -> texts.get("dots.next", Ages.brief(Duration.between(now, n)))).orElse(""));
        }

        private String word(Connection c, Instant now) {
            return switch (c.state()) {
                case FAILING -> texts.get("dots.word.failing");
                case READING -> texts.get("dots.reading");
                case LIVE -> c.at().filter(at -> Duration.between(at, now)
                                .compareTo(c.usualInterval().multipliedBy(2)) > 0)
                        .map(_ -> texts.get("dots.word.stale", Ages.full(c.usualInterval())))
                        .orElseGet(() -> texts.get("dots.word.live"));
            };
        }
    }

    private static Dot.State stateOf(Connection c) {
        return switch (c.state()) {
            case LIVE -> Dot.State.LIVE;
            case READING -> Dot.State.READING;
            case FAILING -> Dot.State.FAILING;
        };
    }

    private static Label styled(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
