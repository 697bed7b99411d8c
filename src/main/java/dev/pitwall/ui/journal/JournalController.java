package dev.pitwall.ui.journal;

import dev.pitwall.ui.page.EmptyState;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.PageContent;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.StackPane;

/** The record of every run. Runs come with the steps that make them; until then it is empty and says so. */
public final class JournalController implements PageContent {

    private final Desk desk;
    private final BorderPane node;

    @FXML private StackPane body;
    @FXML private StackPane export;

    public JournalController(Desk desk) {
        this.desk = desk;
        this.node = Fxml.load("journal", this, desk.texts());
    }

    @FXML
    private void initialize() {
        // A disabled button gets no mouse events, so the place around it says why.
        Tooltip.install(export, new Tooltip(desk.texts().get("journal.export.why")));
        body.getChildren().setAll(new EmptyState(desk.texts().get("journal.empty"),
                desk.texts().get("journal.empty.text"), desk.texts().get("garage.set-up"),
                () -> desk.shell().go(Page.SETUP)));
    }

    @Override
    public Node node() {
        return node;
    }
}
