package dev.pitwall.ui.change;

import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Locale;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Lines of a file or an output. Of a long one the part that matters shows first; the rest opens piece by piece. */
public final class CodeBlock extends VBox {

    private static final int AROUND = 3;
    private static final int AT_FIRST = 40;
    private static final int AT_ONCE = 100;

    private final Texts texts;
    private final List<CodeLine> lines;
    private final boolean numbered;
    private final boolean signed;

    public CodeBlock(List<CodeLine> lines, Texts texts) {
        this.texts = texts;
        this.lines = lines;
        this.numbered = lines.stream().anyMatch(l -> !l.number().isEmpty());
        this.signed = lines.stream().anyMatch(l -> !l.sign().isEmpty());
        getStyleClass().add("code-block");
        for (Excerpt.Piece piece : Excerpt.of(lines.size(), i -> lines.get(i).matters(), AROUND, AT_FIRST)) {
            switch (piece.kind()) {
                case LINES -> addLines(getChildren().size(), piece.from(), piece.to());
                case GAP -> getChildren().add(gap(piece.from(), piece.to()));
            }
        }
    }

    private void addLines(int place, int from, int to) {
        for (int i = from; i < to; i++) {
            getChildren().add(place + i - from, row(lines.get(i)));
        }
    }

    private HBox gap(int from, int to) {
        Button open = new Button(texts.count("change.lines-more", to - from));
        open.getStyleClass().setAll("code-gap");
        open.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(open, Priority.ALWAYS);
        HBox row = new HBox(open);
        open.setOnAction(_ -> open(row, from, to));
        return row;
    }

    private void open(HBox row, int from, int to) {
        int place = getChildren().indexOf(row);
        int end = Math.min(to, from + AT_ONCE);
        getChildren().remove(place);
        addLines(place, from, end);
        if (end < to) {
            HBox rest = gap(end, to);
            getChildren().add(place + end - from, rest);
            rest.getChildren().getFirst().requestFocus();
        }
    }

    private HBox row(CodeLine line) {
        HBox row = new HBox();
        row.getStyleClass().add("code-line");
        row.setAlignment(Pos.TOP_LEFT);
        row.pseudoClassStateChanged(PseudoClass.getPseudoClass(line.look().name().toLowerCase(Locale.ROOT)), true);
        if (numbered) {
            row.getChildren().add(styled(line.number(), "code-number"));
        }
        if (signed) {
            row.getChildren().add(styled(line.sign(), "code-sign"));
        }
        Label text = styled(line.text().replace("\t", "    "), "code-text");
        text.setWrapText(true);
        text.setMaxWidth(Double.MAX_VALUE);
        Region whole = line.note().isEmpty() ? text : new NotedLine(text, styled(line.note(), "code-note"));
        HBox.setHgrow(whole, Priority.ALWAYS);
        row.getChildren().add(whole);
        return row;
    }

    private static Label styled(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
