package dev.pitwall.ui.change;

import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import javafx.scene.layout.VBox;

/** Changes in their order. A run that moves changes the panels that are there, so that nothing jumps or loses its place. */
public final class ChangeStack extends VBox {

    private static final int FEW = 12;

    private final Texts texts;
    private final ChangePanel.Folding folding;
    private List<ChangePanel> panels = List.of();
    private List<ChangeLine> shown = List.of();

    public ChangeStack(ChangePanel.Folding folding, Texts texts) {
        this.texts = texts;
        this.folding = folding;
        getStyleClass().add(folding == ChangePanel.Folding.OPEN ? "changes" : "changes-folded");
    }

    /** Opens the first change with a few lines, so that it is seen what there is to open. */
    public void openFirst() {
        for (int i = 0; i < panels.size(); i++) {
            int lines = shown.get(i).lines().size();
            if (lines > 0 && lines <= FEW) {
                panels.get(i).toggle();
                return;
            }
        }
    }

    /** @return true if the changes are others than before */
    public boolean show(List<ChangeLine> lines) {
        shown = lines;
        if (same(lines)) {
            for (int i = 0; i < lines.size(); i++) {
                panels.get(i).show(lines.get(i));
            }
            return false;
        }
        List<ChangePanel> made = new ArrayList<>();
        lines.forEach(line -> made.add(new ChangePanel(line, folding, texts)));
        panels = made;
        getChildren().setAll(made);
        return true;
    }

    private boolean same(List<ChangeLine> lines) {
        if (lines.size() != panels.size()) {
            return false;
        }
        for (int i = 0; i < lines.size(); i++) {
            if (!panels.get(i).shows(lines.get(i))) {
                return false;
            }
        }
        return true;
    }
}
