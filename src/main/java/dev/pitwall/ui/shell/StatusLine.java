package dev.pitwall.ui.shell;

import dev.pitwall.ui.icon.MarkIcon;
import java.util.List;
import java.util.OptionalDouble;
import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;

/** The line at the bottom: the reading under pointer or focus with its source and age, and the keys of this page. */
final class StatusLine {

    private final HBox markPlace;
    private final MarkIcon mark = new MarkIcon();
    private final Label title;
    private final Label text;
    private final Label source;
    private final Label age;
    private final HBox hints;
    private StatusText drawn = StatusText.NOTHING;

    StatusLine(HBox markPlace, Label title, Label text, Label source, Label age, HBox hints) {
        this.markPlace = markPlace;
        this.title = title;
        this.text = text;
        this.source = source;
        this.age = age;
        this.hints = hints;
        markPlace.getChildren().setAll(mark);
        markPlace.setVisible(false);
        if (hints.getParent() instanceof HBox line) {
            line.widthProperty().addListener((_, _, _) -> fit());
        }
    }

    void show(StatusText next) {
        if (next.equals(drawn)) {
            return;
        }
        if (next.state() != drawn.state()) {
            markPlace.pseudoClassStateChanged(PseudoClass.getPseudoClass(drawn.state().wireName()), false);
            markPlace.pseudoClassStateChanged(PseudoClass.getPseudoClass(next.state().wireName()), true);
        }
        next.mark().ifPresent(m -> mark.show(m, OptionalDouble.of(0.6)));
        markPlace.setVisible(next.mark().isPresent());
        title.setText(next.title());
        text.setText(next.text());
        source.setText(next.source());
        age.setText(next.age());
        drawn = next;
        fit();
    }

    void hints(List<KeyHint> wanted) {
        hints.getChildren().clear();
        for (KeyHint hint : wanted) {
            hint.keys().forEach(key -> hints.getChildren().add(label(key, "key")));
            hints.getChildren().add(label(hint.word(), "key-word"));
        }
        fit();
    }

    /** What is said comes before the keys, which give way where both do not fit. */
    private void fit() {
        if (hints.getParent() instanceof HBox line) {
            hints.setManaged(true);
            boolean both = line.getWidth() <= 0 || text.getText().isEmpty() || line.prefWidth(-1) <= line.getWidth();
            hints.setManaged(both);
            hints.setVisible(both);
        }
    }

    private static Label label(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
