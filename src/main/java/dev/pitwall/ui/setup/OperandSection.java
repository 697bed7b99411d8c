package dev.pitwall.ui.setup;

import dev.pitwall.ui.operand.OperandLines;
import dev.pitwall.ui.operand.OperandPane;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.layout.Pane;

/** The step that watches the operands changes nothing: where others say what will change, it shows them live. */
final class OperandSection {

    private static final String STEP = "operands";

    private final OperandLines lines;
    private final OperandPane pane;
    private final List<Node> instead;
    private final Node nothing;
    private boolean shows;

    /**
     * @param instead what it has no use for
     * @param nothing says why nothing will change; whoever draws the step shows it where it is wanted
     */
    OperandSection(Pane column, List<Node> instead, Node nothing, Texts texts) {
        this.lines = new OperandLines(texts);
        this.pane = new OperandPane(texts);
        this.instead = instead;
        this.nothing = nothing;
        pane.setVisible(false);
        column.getChildren().addFirst(pane);
    }

    /** True while it shows. */
    boolean shows() {
        return shows;
    }

    void follow(SetupPage page) {
        boolean next = page.body() instanceof SetupPage.Body.Shown(StepView step) && step.id().equals(STEP);
        shows = next;
        pane.setVisible(next);
        instead.forEach(n -> n.setVisible(!next));
        if (next) {
            nothing.setVisible(false);
        }
    }

    void draw(Optional<OpenSite> site, Optional<CardEntry> card, Instant now) {
        if (shows) {
            pane.show(lines.of(site.flatMap(s -> s.live().cluster()), card.flatMap(CardEntry::node), now));
        }
    }
}
