package dev.pitwall.ui.setup;

import dev.pitwall.journey.Watcher;
import dev.pitwall.ui.run.LogLines;
import dev.pitwall.ui.words.Ages;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import javafx.collections.ListChangeListener;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.HBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** What is read and done, as it happens. Only the lines in sight are nodes. */
final class LogPane {

    private static final double LINE = 18;
    private static final double COMMAND = 420;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    /** Under this height of the page it begins as its head only. */
    private static final double LOW = 700;
    private static final PseudoClass FOLDED = PseudoClass.getPseudoClass("folded");

    private final Parts parts;
    private final ListView<Watcher.Line> list;
    private final ToggleButton follow;
    private final ListChangeListener<Watcher.Line> more = _ -> toEnd();
    private boolean chosen;

    /** The drawer, with what is in it. */
    record Parts(Node drawer, ListView<Watcher.Line> list, ToggleButton follow, Button fold) {
    }

    LogPane(Parts parts) {
        this.parts = parts;
        this.list = parts.list();
        this.follow = parts.follow();
        list.setFixedCellSize(LINE);
        list.setCellFactory(_ -> new Cell());
        follow.selectedProperty().addListener((_, _, on) -> toEnd());
        parts.fold().setOnAction(_ -> {
            chosen = true;
            folded(list.isVisible());
        });
    }

    /** Takes over the page's height, until the person has folded or opened the log. */
    void fit(double height) {
        if (!chosen && height > 0) {
            folded(height < LOW);
        }
    }

    private void folded(boolean wanted) {
        list.setVisible(!wanted);
        parts.drawer().pseudoClassStateChanged(FOLDED, wanted);
        parts.fold().setGraphic(new FontIcon(wanted ? Feather.CHEVRON_UP : Feather.CHEVRON_DOWN));
    }

    void show(LogLines lines) {
        list.getItems().removeListener(more);
        list.setItems(lines.shown());
        lines.shown().addListener(more);
        toEnd();
    }

    private void toEnd() {
        if (follow.isSelected() && !list.getItems().isEmpty()) {
            list.scrollTo(list.getItems().size() - 1);
        }
    }

    /** One line: its nodes are made once and get other texts. */
    private static final class Cell extends ListCell<Watcher.Line> {
        private final Label time = styled("log-time");
        private final Label system = styled("log-system");
        private final Label text = styled("log-text");
        private final Label outcome = styled("log-outcome");
        private final Label took = styled("log-took");
        private final HBox row = new HBox(time, system, text, outcome, took);

        Cell() {
            row.getStyleClass().add("log-line");
            text.setMinWidth(0);
            outcome.managedProperty().bind(outcome.textProperty().isNotEmpty());
            took.managedProperty().bind(outcome.managedProperty());
            setPrefWidth(0);
        }

        @Override
        protected void updateItem(Watcher.Line line, boolean empty) {
            super.updateItem(line, empty);
            if (empty || line == null) {
                setGraphic(null);
                return;
            }
            time.setText(TIME.format(line.at()));
            system.setText(line.system());
            text.setText(line.text());
            // A line without an outcome has its whole width for words.
            text.setPrefWidth(line.outcome().isPresent() ? COMMAND : USE_COMPUTED_SIZE);
            outcome.setText(line.outcome().orElse(""));
            took.setText(line.took().map(t -> t.toMillis() < 10_000 ? t.toMillis() + " ms" : Ages.span(t)).orElse(""));
            setGraphic(row);
        }

        private static Label styled(String styleClass) {
            Label label = new Label();
            label.getStyleClass().add(styleClass);
            return label;
        }
    }
}
