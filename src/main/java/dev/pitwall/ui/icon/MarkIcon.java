package dev.pitwall.ui.icon;

import java.util.OptionalDouble;
import javafx.beans.NamedArg;
import javafx.scene.Node;
import javafx.scene.layout.StackPane;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** A state's shape as a node of fixed size, which changes its inside only when the shape changes. */
public final class MarkIcon extends StackPane {

    private static final double SIZE = 16;

    private Mark mark;
    private Ring ring;
    private FontIcon icon;

    public MarkIcon() {
        getStyleClass().add("mark");
        setMinSize(SIZE, SIZE);
        setPrefSize(SIZE, SIZE);
        setMaxSize(SIZE, SIZE);
    }

    public MarkIcon(@NamedArg("mark") Mark mark) {
        this();
        show(mark, OptionalDouble.empty());
    }

    /** @param progress 0 to 1, for {@link Mark#RING}; empty turns the ring */
    public void show(Mark wanted, OptionalDouble progress) {
        if (wanted != mark) {
            mark = wanted;
            ring = null;
            Node node = nodeFor(wanted);
            if (getChildren().isEmpty() || getChildren().getFirst() != node) {
                getChildren().setAll(node);
            }
        }
        if (ring != null) {
            progress.ifPresentOrElse(ring::progress, ring::indeterminate);
        }
    }

    private Node nodeFor(Mark wanted) {
        return switch (wanted) {
            case OK -> icon(Feather.CHECK_CIRCLE);
            case CLOCK -> icon(Feather.CLOCK);
            case FAILING -> icon(Feather.X_OCTAGON);
            case LOCK -> icon(Feather.LOCK);
            case MINUS -> icon(Feather.MINUS);
            case TRIANGLE -> icon(Feather.ALERT_TRIANGLE);
            case INFO -> icon(Feather.INFO);
            case CIRCLE -> icon(Feather.CIRCLE);
            case SKIP -> icon(Feather.SKIP_FORWARD);
            case UNDONE -> icon(Feather.ROTATE_CCW);
            case BUSY -> icon(Feather.ACTIVITY);
            case IDLE -> icon(Feather.MOON);
            case LEAVES -> icon(Feather.LOG_OUT);
            case PERSON -> icon(Feather.USER);
            case OTHERS -> icon(Feather.USERS);
            case REFUSED -> icon(Feather.SLASH);
            case MEASURED -> icon(Feather.BOOKMARK);
            case PULLED -> icon(Feather.DOWNLOAD);
            case SUGGESTED -> icon(Feather.MESSAGE_SQUARE);
            case QUESTION -> new Glyph(Shape.QUESTION);
            case RING -> ring = new Ring();
        };
    }

    /** The same node says another thing: a new one would have to be styled. */
    private FontIcon icon(Feather code) {
        if (icon == null) {
            icon = new FontIcon(code);
        } else {
            icon.setIconCode(code);
        }
        return icon;
    }
}
