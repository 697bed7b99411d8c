package dev.pitwall.ui.board;

import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;
import javafx.geometry.Bounds;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** What is dragged, beside the pointer, on a layer that the pointer goes through. */
final class DragImage {

    private static final double WIDTH = 216;
    private static final double BESIDE = 14;

    private final Pane layer;
    private final Texts texts;
    private Optional<VBox> shown = Optional.empty();

    DragImage(Pane layer, Texts texts) {
        this.layer = layer;
        this.texts = texts;
        layer.setMouseTransparent(true);
    }

    /** @param size of one model; empty where nobody knows or several are dragged */
    void show(List<String> names, Optional<Fill> fill, String size) {
        hide();
        NameLabel name = new NameLabel("placement-name");
        name.name(names.getFirst(), first -> names.size() == 1 ? first : texts.get("board.drag.many", first, names.size() - 1));
        name.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(name, Priority.ALWAYS);
        HBox first = new HBox(6, name);
        first.setAlignment(Pos.CENTER_LEFT);
        fill.ifPresent(f -> {
            Label amount = Words.label("placement-size");
            amount.setText(texts.get("board.gib", size));
            amount.setMinWidth(Label.USE_PREF_SIZE);
            first.getChildren().addAll(new Swatch(f), amount);
        });
        Label hint = Words.label("drag-hint");
        hint.setText(texts.get("board.drag.esc"));
        VBox image = new VBox(2, first, hint);
        image.getStyleClass().add("drag-image");
        image.setMinWidth(WIDTH);
        image.setMaxWidth(WIDTH);
        image.setPrefWidth(WIDTH);
        image.setManaged(false);
        layer.getChildren().add(image);
        shown = Optional.of(image);
    }

    /** Beside the pointer; inside the layer, as far as there is room. */
    void move(double sceneX, double sceneY) {
        shown.ifPresent(image -> {
            var at = layer.sceneToLocal(sceneX, sceneY);
            double height = image.prefHeight(WIDTH);
            double x = at.getX() + BESIDE + WIDTH > layer.getWidth() ? at.getX() - BESIDE - WIDTH : at.getX() + BESIDE;
            double y = Math.min(at.getY() + BESIDE, layer.getHeight() - height);
            image.resizeRelocate(Math.max(0, Math.round(x)), Math.max(0, Math.round(y)), WIDTH, height);
        });
    }

    /** Where it is in the scene. */
    Optional<Bounds> seenAt() {
        return shown.map(image -> image.localToScene(image.getLayoutBounds()));
    }

    void hide() {
        shown.ifPresent(layer.getChildren()::remove);
        shown = Optional.empty();
    }
}
