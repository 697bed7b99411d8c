package dev.pitwall.ui.proof;

import static dev.pitwall.ui.proof.ProofPane.styled;

import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Ages;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** One card of the roll call. The node stays while its card answers. */
final class RollRow extends HBox {

    private static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");

    private final MarkIcon mark = new MarkIcon();
    private final Label host = styled("", "roll-host");
    private final Label name = styled("", "muted");
    private final Label node = styled("", "found-source");
    private final Label word = styled("", "roll-word");
    private final Label note = styled("", "secondary");
    private final Label took = styled("", "roll-took");
    private final Label age = styled("", "roll-age");
    private final Tooltip full = new Tooltip();
    private ProofPage.RollLine line;

    RollRow(Consumer<String> choose) {
        getStyleClass().add("roll-row");
        setAccessibleRole(AccessibleRole.LIST_ITEM);
        setFocusTraversable(true);
        VBox who = new VBox(1, new HBox(6, host, name), node);
        who.getStyleClass().add("roll-who");
        VBox what = new VBox(1, word, note);
        what.setMinWidth(0);
        what.setAlignment(Pos.CENTER_LEFT);
        who.setAlignment(Pos.CENTER_LEFT);
        HBox.setHgrow(what, Priority.ALWAYS);
        full.setWrapText(true);
        full.setMaxWidth(480);
        Tooltip.install(this, full);
        getChildren().addAll(mark, who, what, took, age);
        setOnMouseClicked(_ -> choose.accept(line.cardId()));
        setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ENTER) {
                choose.accept(line.cardId());
                e.consume();
            }
        });
    }

    void show(ProofPage.RollLine next) {
        if (next.equals(line)) {
            return;
        }
        line = next;
        mark.show(next.mark(), OptionalDouble.empty());
        host.setText(next.host());
        name.setText(next.name());
        node.setText(next.node());
        word.setText(next.word());
        note.setText(next.note());
        took.setText(next.took());
        age.setText("");
        full.setText(next.host() + " " + next.name() + ": " + next.word() + (next.note().isEmpty() ? "" : ". " + next.note()));
        setAccessibleText(full.getText());
        for (Tone tone : Tone.values()) {
            pseudoClassStateChanged(PseudoClass.getPseudoClass(tone.pseudo()), tone == next.tone());
        }
        pseudoClassStateChanged(CHOSEN, next.chosen());
    }

    void age(Instant now) {
        String text = line.at().map(at -> Ages.brief(Duration.between(at, now))).orElse("");
        if (!text.equals(age.getText())) {
            age.setText(text);
        }
    }
}
