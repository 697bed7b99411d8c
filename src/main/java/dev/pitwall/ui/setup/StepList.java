package dev.pitwall.ui.setup;

import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.icon.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** All steps of a card, grouped by the system they touch. The arrow keys go through them. */
final class StepList extends VBox {

    private static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");
    private static final PseudoClass QUIET = PseudoClass.getPseudoClass("quiet");

    private final Consumer<String> choose;
    private List<StepGroup> drawn = List.of();
    private List<Row> rows = List.of();

    StepList(Consumer<String> choose) {
        this.choose = choose;
        getStyleClass().add("step-list");
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.LIST_VIEW);
        addEventHandler(KeyEvent.KEY_PRESSED, this::keyPressed);
    }

    void show(List<StepGroup> groups) {
        if (groups.equals(drawn)) {
            return;
        }
        if (!shape(groups).equals(shape(drawn))) {
            build(groups);
        }
        drawn = groups;
        List<StepLine> lines = lines(groups);
        for (int i = 0; i < lines.size(); i++) {
            rows.get(i).show(lines.get(i));
        }
        lines.stream().filter(StepLine::chosen).findFirst().ifPresent(l -> setAccessibleText(l.spoken()));
    }

    /** The row of the step that shows, to bring it into sight. */
    Region chosen() {
        List<StepLine> lines = lines(drawn);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).chosen()) {
                return rows.get(i);
            }
        }
        return this;
    }

    private void build(List<StepGroup> groups) {
        List<Row> made = new ArrayList<>();
        getChildren().clear();
        for (StepGroup group : groups) {
            Label title = new Label(group.title());
            title.setGraphic(new FontIcon(group.icon()));
            title.getStyleClass().add("step-group");
            getChildren().add(title);
            for (StepLine line : group.steps()) {
                Row row = new Row();
                row.setOnMousePressed(_ -> {
                    requestFocus();
                    choose.accept(line.id());
                });
                made.add(row);
                getChildren().add(row);
            }
        }
        rows = made;
    }

    private static List<StepLine> lines(List<StepGroup> groups) {
        return groups.stream().flatMap(g -> g.steps().stream()).toList();
    }

    private static List<String> shape(List<StepGroup> groups) {
        return groups.stream().flatMap(g -> Stream.concat(Stream.of(g.title()),
                g.steps().stream().map(StepLine::id))).toList();
    }

    private void keyPressed(KeyEvent event) {
        int step = event.getCode() == KeyCode.DOWN ? 1 : event.getCode() == KeyCode.UP ? -1 : 0;
        List<StepLine> lines = lines(drawn);
        if (step == 0 || lines.isEmpty() || event.isShortcutDown()) {
            return;
        }
        int here = 0;
        while (here < lines.size() - 1 && !lines.get(here).chosen()) {
            here++;
        }
        choose.accept(lines.get(Math.clamp(here + step, 0, lines.size() - 1)).id());
        event.consume();
    }

    /** One step. */
    private static final class Row extends HBox {
        private final MarkIcon mark = new MarkIcon();
        private final Label title = new Label();
        private final Label why = new Label();
        private final Tooltip full = new Tooltip();

        Row() {
            getStyleClass().add("step-row");
            setAccessibleRole(AccessibleRole.LIST_ITEM);
            title.getStyleClass().add("step-row-title");
            why.getStyleClass().add("step-row-why");
            full.setWrapText(true);
            full.setMaxWidth(400);
            Tooltip.install(this, full);
            getChildren().addAll(mark, new VBox(title, why));
        }

        void show(StepLine line) {
            mark.show(line.mark(), OptionalDouble.empty());
            title.setText(line.title());
            why.setText(line.why());
            full.setText(line.spoken());
            setAccessibleText(line.spoken());
            for (Tone tone : Tone.values()) {
                pseudoClassStateChanged(PseudoClass.getPseudoClass(tone.pseudo()), tone == line.tone());
            }
            pseudoClassStateChanged(CHOSEN, line.chosen());
            pseudoClassStateChanged(QUIET, line.quiet());
        }
    }
}
