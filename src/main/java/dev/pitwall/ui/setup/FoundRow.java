package dev.pitwall.ui.setup;

import dev.pitwall.ui.change.CodeBlock;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** One row of "What we found". It opens to what was printed, with the lines marked that decide. */
final class FoundRow extends VBox {

    private static final PseudoClass OPENED = PseudoClass.getPseudoClass("opened");

    private final FoundLine line;
    private final Texts texts;
    private final Label age = styled("", "age");
    private final FontIcon chevron = new FontIcon(Feather.CHEVRON_RIGHT);
    private final Consumer<String> copy;
    private boolean opened;

    /** @param copy takes what is to be copied */
    FoundRow(FoundLine line, Texts texts, Consumer<String> copy) {
        this.line = line;
        this.texts = texts;
        this.copy = copy;
        getStyleClass().add("found-row");
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.TITLED_PANE);
        setAccessibleText(texts.get("setup.found.spoken", line.name(), line.value(), line.word(), line.source()));
        getChildren().add(head());
        setOnKeyPressed(this::keyPressed);
    }

    FoundLine line() {
        return line;
    }

    boolean isOpen() {
        return opened;
    }

    void age(Instant now) {
        String text = Ages.brief(Duration.between(line.at(), now));
        if (!text.equals(age.getText())) {
            age.setText(text);
        }
    }

    private HBox head() {
        MarkIcon mark = new MarkIcon();
        mark.show(line.mark(), OptionalDouble.empty());
        Label name = styled(line.name(), "found-name");
        name.setWrapText(true);
        Label value = styled(line.value(), "found-value");
        value.setWrapText(true);
        Label source = styled(line.source(), "found-source");
        VBox words = new VBox(1, value, source);
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        age.setMinWidth(USE_PREF_SIZE);
        chevron.setVisible(!line.raw().isEmpty());
        HBox head = new HBox(mark, name, words, age, chevron);
        head.getStyleClass().add("found-head");
        head.pseudoClassStateChanged(PseudoClass.getPseudoClass(line.tone().pseudo()), true);
        Tooltip tip = new Tooltip(line.system() + ": " + line.source());
        tip.setWrapText(true);
        tip.setMaxWidth(480);
        source.setTooltip(tip);
        head.setOnMouseClicked(e -> {
            if (e.getButton() == MouseButton.PRIMARY && e.isStillSincePress()) {
                requestFocus();
                toggle();
            }
        });
        return head;
    }

    private void keyPressed(KeyEvent event) {
        if (event.getTarget() != this || event.isShortcutDown()) {
            return;
        }
        switch (event.getCode()) {
            case SPACE, ENTER -> toggle();
            case C -> copy.accept(line.text());
            case DOWN -> neighbour(1);
            case UP -> neighbour(-1);
            default -> {
                return;
            }
        }
        event.consume();
    }

    private void neighbour(int step) {
        int place = getParent().getChildrenUnmodifiable().indexOf(this) + step;
        if (place >= 0 && place < getParent().getChildrenUnmodifiable().size()) {
            getParent().getChildrenUnmodifiable().get(place).requestFocus();
        }
    }

    /** The output is drawn when it is first wanted: most never are. */
    void toggle() {
        if (line.raw().isEmpty()) {
            return;
        }
        opened = !opened;
        if (opened) {
            getChildren().add(new CodeBlock(line.raw(), texts));
        } else {
            getChildren().remove(1);
        }
        chevron.setIconCode(opened ? Feather.CHEVRON_DOWN : Feather.CHEVRON_RIGHT);
        pseudoClassStateChanged(OPENED, opened);
    }

    private static Label styled(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
