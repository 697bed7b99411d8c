package dev.pitwall.ui.search;

import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.shell.Overlay;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The search over the page. Type, arrows, Enter. */
public final class Palette {

    private static final double ROW = 32;
    private static final int ROWS_IN_SIGHT = 12;

    private final Texts texts;
    private final Overlay overlay;
    private final SearchModel model;
    private final VBox node;

    @FXML private TextField query;
    @FXML private ListView<SearchEntry> results;
    @FXML private Label nothing;

    private Palette(List<SearchEntry> entries, String prompt, Texts texts, Overlay overlay) {
        this.texts = texts;
        this.overlay = overlay;
        this.model = new SearchModel(entries);
        this.node = Fxml.load("search", this, texts);
        query.setPromptText(prompt);
    }

    /**
     * Opens the search in the overlay, over these entries.
     *
     * @param prompt what stands in the field while it is empty
     */
    public static void open(List<SearchEntry> entries, String prompt, Texts texts, Overlay overlay) {
        Palette palette = new Palette(entries, prompt, texts, overlay);
        overlay.show(palette.node, Pos.TOP_CENTER, palette.query, Overlay.Dismissal.ESCAPE_OR_OUTSIDE, () -> { });
    }

    @FXML
    private void initialize() {
        model.queryProperty().bind(query.textProperty());
        results.setFixedCellSize(ROW);
        results.setFocusTraversable(false);
        results.setCellFactory(_ -> new Cell());
        model.foundProperty().addListener((_, _, found) -> show(found));
        show(model.foundProperty().get());
        query.addEventFilter(KeyEvent.KEY_PRESSED, this::keyPressed);
    }

    private void show(List<SearchEntry> found) {
        results.getItems().setAll(found);
        results.getSelectionModel().selectFirst();
        results.setPrefHeight(Math.min(found.size(), ROWS_IN_SIGHT) * ROW + 2);
        results.setVisible(!found.isEmpty());
        nothing.setVisible(found.isEmpty());
    }

    private void keyPressed(KeyEvent event) {
        boolean used = true;
        switch (event.getCode()) {
            case DOWN -> move(1);
            case UP -> move(-1);
            case PAGE_DOWN -> move(ROWS_IN_SIGHT);
            case PAGE_UP -> move(-ROWS_IN_SIGHT);
            case ENTER -> choose(Optional.ofNullable(results.getSelectionModel().getSelectedItem()));
            default -> used = false;
        }
        if (used) {
            event.consume();
        }
    }

    private void move(int steps) {
        int to = Math.clamp(results.getSelectionModel().getSelectedIndex() + (long) steps, 0,
                Math.max(0, results.getItems().size() - 1));
        results.getSelectionModel().select(to);
        results.scrollTo(Math.max(0, to - ROWS_IN_SIGHT / 2));
    }

    private void choose(Optional<SearchEntry> entry) {
        entry.ifPresent(e -> {
            overlay.close();
            e.run().run();
        });
    }

    private final class Cell extends ListCell<SearchEntry> {
        private final FontIcon icon = new FontIcon("fth-server");
        private final Label title = new Label();
        private final Label detail = new Label();
        private final Label kind = new Label();
        private final HBox row = new HBox(8);

        Cell() {
            Region grow = new Region();
            HBox.setHgrow(grow, Priority.ALWAYS);
            title.setMinWidth(Region.USE_PREF_SIZE);
            kind.setMinWidth(Region.USE_PREF_SIZE);
            title.getStyleClass().add("found-title");
            detail.getStyleClass().add("secondary");
            kind.getStyleClass().add("secondary");
            row.setAlignment(Pos.CENTER_LEFT);
            row.getChildren().addAll(icon, title, detail, grow, kind);
            getStyleClass().add("found");
            setPrefWidth(0);
            setOnMouseClicked(e -> {
                if (e.getButton() == MouseButton.PRIMARY) {
                    choose(Optional.ofNullable(getItem()));
                }
            });
        }

        @Override
        protected void updateItem(SearchEntry entry, boolean empty) {
            super.updateItem(entry, empty);
            if (empty || entry == null) {
                setGraphic(null);
                return;
            }
            icon.setIconLiteral(literal(entry.kind()));
            title.setText(entry.title());
            detail.setText(entry.detail());
            kind.setText(texts.get("search.kind." + entry.kind().name().toLowerCase(Locale.ROOT)));
            setGraphic(row);
        }
    }

    private static String literal(SearchEntry.Kind kind) {
        return switch (kind) {
            case CARD -> "fth-layers";
            case NODE -> "fth-hard-drive";
            case VM -> "fth-monitor";
            case MODEL -> "fth-package";
            case FINDING -> "fth-activity";
            case TRAP -> "fth-zap";
            case ACTION -> "fth-arrow-right";
        };
    }
}
