package dev.pitwall.ui.setup;

import java.util.Optional;
import javafx.geometry.Bounds;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.Region;

/** Keeps what is chosen of a list in sight: when another is chosen, and when the list gets another size. */
final class InSight {

    private final ScrollPane scroll;
    private Optional<Region> wanted = Optional.empty();

    InSight(ScrollPane scroll) {
        this.scroll = scroll;
        scroll.viewportBoundsProperty().addListener((_, _, _) -> place());
        scroll.getContent().layoutBoundsProperty().addListener((_, _, _) -> place());
    }

    /** The person may scroll away from it until another is chosen. */
    void show(Region row) {
        if (!wanted.equals(Optional.of(row))) {
            wanted = Optional.of(row);
            place();
        }
    }

    private void place() {
        wanted.ifPresent(row -> {
            double view = scroll.getViewportBounds().getHeight();
            double room = scroll.getContent().getLayoutBounds().getHeight() - view;
            Bounds bounds = row.getBoundsInParent();
            if (view <= 0 || room <= 0 || row == scroll.getContent()) {
                return;
            }
            double top = scroll.getVvalue() * room;
            if (bounds.getMinY() < top) {
                scroll.setVvalue(Math.clamp(bounds.getMinY() / room, 0, 1));
            } else if (bounds.getMaxY() > top + view) {
                scroll.setVvalue(Math.clamp((bounds.getMaxY() - view) / room, 0, 1));
            }
        });
    }
}
