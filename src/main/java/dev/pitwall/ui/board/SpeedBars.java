package dev.pitwall.ui.board;

import dev.pitwall.engine.live.MeasuredSpeed;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** What was measured of the models on one server: tokens a second as they are loaded, beside the processor alone. */
final class SpeedBars {

    private static final double LEAST_BAR = 2;

    private final Texts texts;
    private final double width;
    private final double nameWidth;

    /** @param width of the longest bar; @param nameWidth of what stands before it */
    SpeedBars(Texts texts, double width, double nameWidth) {
        this.texts = texts;
        this.width = width;
        this.nameWidth = nameWidth;
    }

    private record Measured(PlacementView placement, MeasuredSpeed speed) {
        double most() {
            return Math.max(speed.here(), speed.onProcessor().orElse(0));
        }
    }

    /** All bars have one scale. */
    Node of(ProviderView provider, Instant now) {
        Label head = Words.label("section");
        head.setText(texts.get("board.figures.speeds"));
        List<Measured> measured = provider.placements().stream().flatMap(p -> p.speed().map(s -> new Measured(p, s)).stream())
                .sorted(Comparator.comparingDouble((Measured m) -> m.speed().here()).reversed()).toList();
        if (measured.isEmpty()) {
            Label none = Words.label("secondary");
            none.setText(texts.get("board.figures.speeds.none", texts.get("board.menu.measure")));
            none.setWrapText(true);
            none.setMinHeight(Region.USE_PREF_SIZE);
            return new VBox(4, head, none);
        }
        double most = measured.stream().mapToDouble(Measured::most).max().orElse(1);
        VBox list = new VBox(8);
        measured.forEach(m -> list.getChildren().add(rows(m, Math.max(Double.MIN_NORMAL, most), now)));
        list.getStyleClass().add("figures-speeds");
        return new VBox(4, head, list);
    }

    private VBox rows(Measured measured, double most, Instant now) {
        MeasuredSpeed speed = measured.speed();
        NameLabel name = new NameLabel("placement-name");
        name.name(measured.placement().model().text());
        Words.explain(name, measured.placement().model().text());
        name.setMinWidth(0);
        name.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(name, Priority.ALWAYS);
        Label at = Words.label("secondary");
        at.setText(texts.get("board.figures.speed.at", ColumnLines.time(speed.at(), now)));
        at.setMinWidth(Region.USE_PREF_SIZE);
        List<Node> rows = new ArrayList<>(List.of(new HBox(12, name, at),
                bar("board.figures.speed.here", "speed-here", speed.here(), most, Curves.rate(speed.here()))));
        speed.onProcessor().ifPresent(pace -> rows.add(bar("board.figures.speed.processor", "speed-processor", pace, most,
                pace > 0 && speed.here() > pace ? texts.get("board.figures.speed.times", Curves.rate(pace), Curves.rate(speed.here() / pace))
                        : Curves.rate(pace))));
        return new VBox(2, rows.toArray(Node[]::new));
    }

    private HBox bar(String key, String styleClass, double pace, double most, String words) {
        Label name = new Label(texts.get(key));
        name.setMinWidth(nameWidth);
        Region bar = new Region();
        bar.getStyleClass().addAll("speed-bar", styleClass);
        double length = Math.max(LEAST_BAR, Math.round(width * pace / most));
        bar.setMinWidth(length);
        bar.setMaxWidth(length);
        HBox place = new HBox(bar);
        place.setAlignment(Pos.CENTER_LEFT);
        place.setMinWidth(width);
        place.setMaxWidth(width);
        Label rate = new Label(words);
        rate.setMinWidth(Region.USE_PREF_SIZE);
        HBox row = new HBox(12, name, place, rate);
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }
}
