package dev.pitwall.ui.board;

import javafx.scene.control.Label;
import javafx.scene.text.Text;

/** A label with a name that is cut in its middle where it has no room: its end tells it from its sisters. */
final class NameLabel extends Label {

    private final Text ruler = new Text();
    private String name = "";
    private double wanted = -1;

    NameLabel(String styleClass) {
        getStyleClass().add(styleClass);
        fontProperty().addListener((_, _, _) -> {
            wanted = -1;
            setText(name);
        });
    }

    void name(String next) {
        if (!next.equals(name)) {
            name = next;
            wanted = -1;
            setText(next);
            setAccessibleText(next);
        }
    }

    /** The width of the whole name, whatever shows of it now. */
    @Override
    protected double computePrefWidth(double height) {
        if (wanted < 0 || name.equals(getText())) {
            wanted = snappedLeftInset() + snappedRightInset() + Math.ceil(width(name));
        }
        return wanted;
    }

    @Override
    protected void layoutChildren() {
        double room = getWidth() - snappedLeftInset() - snappedRightInset();
        String fitting = room <= 0 || getWidth() >= prefWidth(-1) ? name : ShortName.of(name, text -> width(text) <= room);
        if (!fitting.equals(getText())) {
            setText(fitting);
        }
        super.layoutChildren();
    }

    private double width(String text) {
        ruler.setFont(getFont());
        ruler.setText(text);
        return ruler.getLayoutBounds().getWidth();
    }
}
