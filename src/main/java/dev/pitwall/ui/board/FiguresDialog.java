package dev.pitwall.ui.board;

import dev.pitwall.engine.figure.Figure;
import dev.pitwall.engine.figure.Figures;
import dev.pitwall.engine.figure.Point;
import dev.pitwall.engine.figure.Series;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.CardView;
import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** The curves of one model server and its cards over an hour, a day or a month. */
final class FiguresDialog {
    private static final double WIDTH = 216;
    private static final double HEIGHT = 32;
    private static final double NAME = 92;
    private static final int BARS = 54;
    private static final double LEAST = 120;
    private static final List<Figure> OF_CARD = List.of(Figure.MEMORY, Figure.UTILISATION, Figure.TEMPERATURE, Figure.POWER);

    private final Desk desk;
    private final Texts texts;
    private final Curves curves;
    private final Figures figures;
    private final InstantSource clock;
    private final Map<Series, Row> rows = new LinkedHashMap<>();
    private final Map<Series, List<Point>> points = new HashMap<>();
    private final Label oldest = new Label();
    private final Label spanned = new Label();
    private FigureSpan span = FigureSpan.HOUR;

    private record Row(Sparkline line, Label words) {
    }

    FiguresDialog(Desk desk, Figures figures, InstantSource clock) {
        this.desk = desk;
        this.texts = desk.texts();
        this.curves = new Curves(texts);
        this.figures = figures;
        this.clock = clock;
    }

    void show(ProviderView provider, String title) {
        VBox form = new VBox(8);
        form.getStyleClass().add("figures-form");
        HBox spans = spans();
        form.getChildren().add(spans);
        for (CardView card : provider.cards()) {
            if (provider.cards().size() > 1) {
                Label head = new Label(texts.get("board.card", card.index()) + " " + card.name());
                head.getStyleClass().add("secondary");
                form.getChildren().add(head);
            }
            OF_CARD.forEach(figure -> form.getChildren().add(row(new Series(card.id(), figure))));
        }
        form.getChildren().addAll(row(new Series(provider.id().text(), Figure.TOKENS)), axis(), spanned);
        spanned.setWrapText(true);
        spanned.setMinHeight(Label.USE_PREF_SIZE);
        spanned.getStyleClass().add("secondary");
        spanned.managedProperty().bind(spanned.visibleProperty());
        form.getChildren().add(new SpeedBars(texts, WIDTH, NAME).of(provider, clock.instant()));
        Label note = new Label(texts.get("board.figures.note"));
        note.setWrapText(true);
        note.setMinHeight(Label.USE_PREF_SIZE);
        note.getStyleClass().add("secondary");
        form.getChildren().add(note);
        AskDialog dialog = new AskDialog(desk);
        Button close = dialog.stay(texts.get("board.figures.close"));
        fill();
        dialog.show(title, scrolling(form), List.of(close), close);
    }

    private HBox spans() {
        ToggleGroup group = new ToggleGroup();
        List<ToggleButton> buttons = new ArrayList<>();
        for (FigureSpan one : FigureSpan.values()) {
            ToggleButton button = new ToggleButton(texts.get("board.figures.span." + one.name().toLowerCase(Locale.ROOT)));
            button.setToggleGroup(group);
            button.setSelected(one == span);
            button.setOnAction(_ -> {
                button.setSelected(true);
                span = one;
                fill();
            });
            buttons.add(button);
        }
        HBox box = new HBox(buttons.toArray(ToggleButton[]::new));
        box.setAlignment(Pos.CENTER_LEFT);
        return box;
    }

    /** Of many cards and models there is more than a small window shows. */
    private static ScrollPane scrolling(VBox form) {
        ScrollPane scroll = new ScrollPane(form);
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.getStyleClass().add("figures-scroll");
        scroll.prefHeightProperty().bind(form.heightProperty());
        scroll.setMinHeight(LEAST);
        return scroll;
    }

    /** Below the curves: when they begin and end. */
    private HBox axis() {
        oldest.getStyleClass().add("figures-axis");
        Label now = new Label(texts.get("board.figures.axis.now"));
        now.getStyleClass().add("figures-axis");
        Region between = new Region();
        HBox.setHgrow(between, Priority.ALWAYS);
        HBox ends = new HBox(oldest, between, now);
        ends.setMinWidth(WIDTH);
        ends.setMaxWidth(WIDTH);
        Label name = new Label();
        name.setMinWidth(NAME);
        return new HBox(12, name, ends);
    }

    private HBox row(Series series) {
        Label name = new Label(texts.get("board.figure.name." + series.figure().name().toLowerCase(Locale.ROOT)));
        name.setMinWidth(NAME);
        Sparkline line = new Sparkline(WIDTH, HEIGHT);
        Label words = new Label();
        words.setMinWidth(Label.USE_PREF_SIZE);
        rows.put(series, new Row(line, words));
        HBox row = new HBox(12, name, line, words);
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }

    /** The last hour is at hand; longer times are read beside the window's thread. */
    private void fill() {
        FigureSpan wanted = span;
        points.clear();
        if (wanted == FigureSpan.HOUR) {
            rows.keySet().forEach(series -> points.put(series, figures.lastHour(series)));
            draw();
            return;
        }
        Instant from = clock.instant().minus(wanted.time());
        rows.keySet().forEach(series -> figures.since(series, from, read -> desk.ui().run(() -> {
            if (span == wanted) {
                points.put(series, read);
                draw();
            }
        })));
    }

    /** All curves stand over one axis, which begins where the oldest of them does. */
    private void draw() {
        Instant now = clock.instant();
        CurveTime time = CurveTime.of(span, points.values().stream().flatMap(List::stream).toList(), now);
        points.forEach((series, read) -> {
            Curve curve = curves.of(series.figure(), read, time, now, BARS);
            rows.get(series).line().show(curve);
            rows.get(series).words().setText(curve.words());
        });
        oldest.setText(texts.get("board.figures.axis.oldest", Ages.span(time.over())));
        spanned.setText(texts.get("board.figures.spanned", Ages.span(time.over())));
        spanned.setVisible(!time.isWhole());
    }
}
