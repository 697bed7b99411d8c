package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.page.Turns;
import dev.pitwall.ui.words.Texts;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.geometry.Bounds;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;

/** The shelf's filter and lines. */
final class ShelfPane {

    /** A line in a small window. */
    private static final double LOWEST = 28;

    private final BoardModel model;
    private final TextField filter;
    private final GrowingList<ShelfLine> lines;
    private Object drawn = "";

    ShelfPane(Texts texts, BoardModel model, TextField filter, ListView<ShelfLine> list, Consumer<Wish> ask, Turns turns) {
        this.model = model;
        this.filter = filter;
        Function<Carry, Boolean> lifted = c -> model.carry().filter(c::equals).isPresent();
        list.setCellFactory(_ -> new ShelfCell(texts, lifted, ask));
        this.lines = new GrowingList<>(list, ShelfLine::key, LOWEST, turns);
        filter.textProperty().addListener((_, _, text) -> {
            model.filter(text);
            show();
        });
    }

    ListView<ShelfLine> list() {
        return lines.list();
    }

    /** Shows what the model has for the shelf now; what was selected stays so. */
    void show() {
        Object basis = model.shelfBasis();
        if (basis.equals(drawn)) {
            return;
        }
        drawn = basis;
        Optional<Object> selected = Optional.ofNullable(list().getSelectionModel().getSelectedItem()).map(ShelfLine::key);
        lines.show(model.shelf());
        selected.flatMap(key -> list().getItems().stream().filter(l -> l.key().equals(key)).findFirst())
                .filter(l -> list().getSelectionModel().getSelectedItem() != l).ifPresent(list().getSelectionModel()::select);
    }

    /** Shows all lines now: for pictures, and for what looks for one of them. */
    void fillNow() {
        lines.fillNow();
    }

    /** What is carried keeps its place, dimmed. */
    void remark() {
        list().lookupAll(".shelf-cell").forEach(cell -> {
            switch (cell) {
                case ShelfCell c -> c.showLifted();
                default -> { }
            }
        });
    }

    /** Where the line of a model on disk is in the scene, while it is in sight. */
    Optional<Bounds> seenAt(ModelName name) {
        Bounds view = list().localToScene(list().getLayoutBounds());
        return list().lookupAll(".shelf-cell").stream().filter(cell -> switch (cell) {
            case ShelfCell c -> c.isVisible() && c.getItem() != null && c.getItem().carry().filter(new Carry.OfShelf(name)::equals).isPresent();
            default -> false;
        }).map(cell -> cell.localToScene(cell.getLayoutBounds())).filter(b -> view.contains(b.getCenterX(), b.getCenterY())).findFirst();
    }

    /** Leaves only what is called so, with the keyboard on the first. */
    void find(ModelName name) {
        filter.setText(name.text());
        fillNow();
        list().requestFocus();
        first().ifPresent(list().getSelectionModel()::select);
    }

    private Optional<ShelfLine> first() {
        return list().getItems().stream().filter(l -> l.carry().isPresent()).findFirst();
    }
}
