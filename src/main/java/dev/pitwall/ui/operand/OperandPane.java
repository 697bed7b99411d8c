package dev.pitwall.ui.operand;

import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Draws the operands of a node. Rows stay as long as there are as many, so that what moves moves in its place. */
public final class OperandPane extends VBox {

    private final Texts texts;
    private final Label node = styled("", "secondary");
    private final Label word = styled("", "setup-nothing");
    private final VBox panel = new VBox();
    private final List<Row> rows = new ArrayList<>();

    public OperandPane(Texts texts) {
        this.texts = texts;
        Label title = styled(texts.get("operand.title"), "section");
        title.setMinWidth(Region.USE_PREF_SIZE);
        HBox head = new HBox(8, title, node);
        head.getStyleClass().add("column-head");
        word.setWrapText(true);
        word.setMaxWidth(Double.MAX_VALUE);
        word.managedProperty().bind(word.visibleProperty());
        panel.getStyleClass().addAll("panel", "operands");
        panel.managedProperty().bind(panel.visibleProperty());
        managedProperty().bind(visibleProperty());
        setSpacing(0);
        getChildren().addAll(head, word, panel);
    }

    public void show(OperandPage page) {
        node.setText(page.node().isEmpty() ? "" : texts.get("operand.live", page.node()));
        word.setText(page.word());
        word.setVisible(!page.word().isEmpty());
        panel.setVisible(!page.lines().isEmpty());
        if (rows.size() != page.lines().size()) {
            rows.clear();
            page.lines().forEach(_ -> rows.add(new Row()));
            panel.getChildren().setAll(rows);
        }
        for (int i = 0; i < rows.size(); i++) {
            rows.get(i).show(page.lines().get(i));
        }
    }

    private static Label styled(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }

    /** One operand. */
    private static final class Row extends HBox {
        private final MarkIcon mark = new MarkIcon();
        private final Label name = styled("", "operand-name");
        private final Label word = styled("", "operand-word");
        private final Label beside = styled("", "secondary");
        private final Label text = styled("", "operand-text");
        private final Label pod = styled("", "found-source");
        private OperandPage.Line line;

        Row() {
            getStyleClass().add("operand-row");
            setAccessibleRole(AccessibleRole.LIST_ITEM);
            name.setWrapText(true);
            text.setWrapText(true);
            text.managedProperty().bind(text.textProperty().isNotEmpty());
            word.setMinWidth(USE_PREF_SIZE);
            beside.setMinWidth(USE_PREF_SIZE);
            VBox words = new VBox(1, new HBox(8, word, beside), text, pod);
            words.setMinWidth(0);
            HBox.setHgrow(words, Priority.ALWAYS);
            getChildren().addAll(mark, name, words);
        }

        void show(OperandPage.Line next) {
            if (next.equals(line)) {
                return;
            }
            line = next;
            mark.show(next.mark(), next.progress());
            name.setText(next.name());
            word.setText(next.word());
            beside.setText(next.beside());
            text.setText(next.text());
            pod.setText(next.pod());
            setAccessibleText(next.spoken());
            for (Tone tone : Tone.values()) {
                pseudoClassStateChanged(PseudoClass.getPseudoClass(tone.pseudo()), tone == next.tone());
            }
        }
    }
}
