package dev.pitwall.ui.board;

import java.util.Optional;
import java.util.function.UnaryOperator;
import javafx.scene.control.Label;
import javafx.scene.text.Text;

/** A label with a name that is cut in its middle where it has no room: its end tells it from its sisters. */
final class NameLabel extends Label {

    /** Made for the first name that has no room: most have. */
    private Optional<Text> ruler = Optional.empty();
    private String name = "";
    private UnaryOperator<String> sentence = UnaryOperator.identity();
    private double wanted = -1;

    NameLabel(String styleClass) {
        getStyleClass().add(styleClass);
        fontProperty().addListener((_, _, _) -> {
            wanted = -1;
            setText(sentence.apply(name));
        });
    }

    void name(String next) {
        name(next, UnaryOperator.identity());
    }

    /** @param around puts the name, whole or cut, into what is said of it */
    void name(String next, UnaryOperator<String> around) {
        if (!next.equals(name) || !around.apply(next).equals(sentence.apply(name))) {
            name = next;
            sentence = around;
            wanted = -1;
            setText(around.apply(next));
            setAccessibleText(around.apply(next));
        }
    }

    /** The width of the whole name, whatever shows of it now. */
    @Override
    protected double computePrefWidth(double height) {
        if (wanted < 0 || sentence.apply(name).equals(getText())) {
            wanted = super.computePrefWidth(height);
        }
        return wanted;
    }

    @Override
    protected void layoutChildren() {
        double room = getWidth() - snappedLeftInset() - snappedRightInset();
        String fitting = sentence.apply(room <= 0 || getWidth() >= prefWidth(-1) ? name
                : ShortName.of(name, text -> width(sentence.apply(text)) <= room));
        if (!fitting.equals(getText())) {
            setText(fitting);
        }
        super.layoutChildren();
    }

    private double width(String text) {
        Text measured = ruler.orElseGet(Text::new);
        ruler = Optional.of(measured);
        measured.setFont(getFont());
        measured.setText(text);
        return measured.getLayoutBounds().getWidth();
    }
}
