package dev.pitwall.ui.connect;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import java.util.OptionalDouble;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.layout.StackPane;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The shapes of standings, and their colours. */
final class Marks {
    private static final double SIZE = 16;

    private Marks() {
    }

    /** A place for a mark, coloured by its pseudo-classes. */
    static StackPane place() {
        StackPane place = new StackPane();
        place.getStyleClass().add("connect-mark");
        place.setMinSize(SIZE, SIZE);
        place.setMaxSize(SIZE, SIZE);
        return place;
    }

    static void show(StackPane place, Standing standing) {
        if (standing == place.getUserData()) {
            return;
        }
        place.setUserData(standing);
        place.getChildren().setAll(standing.mark().map(Marks::icon)
                .orElseGet(() -> new FontIcon(standing == Standing.KEPT ? Feather.CHECK : Feather.CIRCLE)));
        colour(place, standing.mark().orElse(Mark.MINUS));
    }

    static Node icon(Mark mark) {
        MarkIcon icon = new MarkIcon();
        icon.show(mark, OptionalDouble.empty());
        return icon;
    }

    static void colour(Node place, Mark mark) {
        place.pseudoClassStateChanged(PseudoClass.getPseudoClass("ok"), mark == Mark.OK);
        place.pseudoClassStateChanged(PseudoClass.getPseudoClass("waiting"), mark == Mark.CLOCK);
        place.pseudoClassStateChanged(PseudoClass.getPseudoClass("failing"), mark == Mark.FAILING);
    }
}
