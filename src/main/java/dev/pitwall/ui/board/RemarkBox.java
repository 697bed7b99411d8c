package dev.pitwall.ui.board;

import dev.pitwall.ui.icon.MarkIcon;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;

/** What a card has to say of itself, in place. */
final class RemarkBox extends Region {

    private static final double EDGE = 10;
    private static final double ICON = 16;

    private final MarkIcon mark = new MarkIcon();
    private final Label title = Words.label("remark-title");
    private final Label text = Words.label("remark-text");
    private Optional<Remark> shown = Optional.empty();

    RemarkBox(String styleClass) {
        getStyleClass().addAll("remark", styleClass);
        text.setWrapText(true);
        setVisible(false);
    }

    void show(Optional<Remark> remark) {
        if (remark.equals(shown)) {
            return;
        }
        shown = remark;
        setVisible(remark.isPresent());
        remark.ifPresent(r -> {
            if (getChildren().isEmpty()) {
                // Most cards never have anything to say, and what is in the scene is styled, seen or not.
                getChildren().addAll(mark, title, text);
            }
            mark.show(r.mark(), OptionalDouble.empty());
            Words.tone(this, r.tone());
            Words.set(title, r.title());
            Words.explain(title, r.title() + "\n" + r.text());
            Words.set(text, r.text());
            Words.explain(text, r.text());
            setAccessibleText(r.title() + ". " + r.text());
        });
        requestLayout();
    }

    @Override
    protected void layoutChildren() {
        double x = EDGE + ICON + 8;
        double w = Math.max(0, getWidth() - x - EDGE);
        mark.resizeRelocate(EDGE, 7, ICON, ICON);
        title.resizeRelocate(x, 6, w, 18);
        text.resizeRelocate(x, 24, w, Math.max(0, getHeight() - 24 - 4));
    }
}
