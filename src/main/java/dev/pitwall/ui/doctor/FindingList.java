package dev.pitwall.ui.doctor;

import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.icon.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The entries of a diagnosis. The arrow keys go through them; rows stay as long as their entries do. */
final class FindingList extends VBox {

    private static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");

    private final Consumer<String> choose;
    private Map<String, Row> rows = Map.of();
    private List<FindingGroup> drawn = List.of();
    private Optional<String> chosen = Optional.empty();

    FindingList(Consumer<String> choose, String spoken) {
        this.choose = choose;
        getStyleClass().add("finding-list");
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.LIST_VIEW);
        setAccessibleText(spoken);
        addEventHandler(KeyEvent.KEY_PRESSED, this::keyPressed);
    }

    void show(List<FindingGroup> groups, Optional<String> now) {
        if (!shape(groups).equals(shape(drawn))) {
            build(groups);
        }
        if (!groups.equals(drawn)) {
            groups.forEach(g -> g.lines().forEach(line -> rows.get(line.id()).show(line)));
        }
        drawn = groups;
        chosen = now;
        rows.forEach((id, row) -> row.pseudoClassStateChanged(CHOSEN, now.filter(id::equals).isPresent()));
        chosen().ifPresent(row -> setAccessibleText(row.getAccessibleText()));
    }

    /** The row of the entry that shows, to bring it into sight. */
    Optional<Region> chosen() {
        return chosen.map(rows::get).filter(rows::containsValue).map(row -> row);
    }

    private void build(List<FindingGroup> groups) {
        Map<String, Row> made = new LinkedHashMap<>();
        List<Region> all = new ArrayList<>();
        for (FindingGroup group : groups) {
            Label title = new Label(group.title());
            title.setGraphic(new FontIcon(group.icon()));
            title.getStyleClass().add("finding-group");
            all.add(title);
            for (FindingLine line : group.lines()) {
                Row row = Optional.ofNullable(rows.get(line.id())).orElseGet(Row::new);
                row.show(line);
                row.setOnMousePressed(_ -> {
                    requestFocus();
                    choose.accept(line.id());
                });
                made.put(line.id(), row);
                all.add(row);
            }
        }
        rows = made;
        getChildren().setAll(all);
    }

    private static List<String> shape(List<FindingGroup> groups) {
        return groups.stream().flatMap(g -> Stream.concat(Stream.of(g.title()),
                g.lines().stream().map(FindingLine::id))).toList();
    }

    private void keyPressed(KeyEvent event) {
        int step = event.getCode() == KeyCode.DOWN ? 1 : event.getCode() == KeyCode.UP ? -1 : 0;
        if (step == 0 || rows.isEmpty() || event.isShortcutDown()) {
            return;
        }
        List<String> ids = List.copyOf(rows.keySet());
        int here = chosen.map(ids::indexOf).orElse(-1);
        choose.accept(ids.get(Math.clamp(here + step, 0, ids.size() - 1)));
        event.consume();
    }

    /** One entry. */
    private static final class Row extends HBox {
        private final MarkIcon mark = new MarkIcon();
        private final Label title = new Label();
        private final Label text = new Label();
        private final FlowPane chips = new FlowPane();
        private FindingLine line;

        Row() {
            getStyleClass().add("finding-row");
            setAccessibleRole(AccessibleRole.LIST_ITEM);
            title.getStyleClass().add("finding-title");
            text.getStyleClass().add("finding-brief");
            chips.getStyleClass().add("finding-chips");
            title.setWrapText(true);
            text.setWrapText(true);
            chips.managedProperty().bind(chips.visibleProperty());
            text.managedProperty().bind(text.textProperty().isNotEmpty());
            VBox words = new VBox(title, text, chips);
            words.setMinWidth(0);
            HBox.setHgrow(words, Priority.ALWAYS);
            getChildren().addAll(mark, words);
        }

        void show(FindingLine next) {
            if (next.equals(line)) {
                return;
            }
            mark.show(next.mark(), next.progress());
            title.setText(next.title());
            text.setText(next.text());
            if (line == null || !next.chips().equals(line.chips())) {
                chips.getChildren().setAll(next.chips().stream().map(Row::chip).toList());
                chips.setVisible(!next.chips().isEmpty());
            }
            setAccessibleText(next.spoken());
            for (Tone tone : Tone.values()) {
                pseudoClassStateChanged(PseudoClass.getPseudoClass(tone.pseudo()), tone == next.tone());
            }
            line = next;
        }

        private static Label chip(String word) {
            Label chip = new Label(word);
            chip.getStyleClass().add("finding-chip");
            chip.setMaxWidth(220);
            return chip;
        }
    }
}
