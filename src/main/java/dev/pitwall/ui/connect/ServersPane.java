package dev.pitwall.ui.connect;

import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.words.Texts;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.TextField;
import javafx.scene.layout.VBox;

/** The form of the model servers that are not found by themselves. */
final class ServersPane implements SystemPane {
    private final ConnectModel model;
    private final EntryTabs tabs;
    private final ProofPane proof;
    private final Node node;
    private final Rebinding<String> nameField;
    private final Rebinding<String> addressField;
    private final Rebinding<String> nodeField;

    @FXML private VBox tabsPlace;
    @FXML private Button add;
    @FXML private VBox server;
    @FXML private TextField name;
    @FXML private TextField address;
    @FXML private TextField runsOn;
    @FXML private VBox proofPlace;

    ServersPane(Tools tools, ConnectModel model) {
        Texts texts = tools.texts();
        this.model = model;
        this.tabs = new EntryTabs(texts, model);
        this.proof = new ProofPane(tools, model);
        this.node = Fxml.load("connect-models", this, texts);
        this.nameField = new Rebinding<>(name.textProperty());
        this.addressField = new Rebinding<>(address.textProperty());
        this.nodeField = new Rebinding<>(runsOn.textProperty());
    }

    @FXML
    private void initialize() {
        tabsPlace.getChildren().setAll(tabs.node());
        proofPlace.getChildren().setAll(proof.node());
        add.setOnAction(_ -> {
            model.show(model.entries().addServer());
            name.requestFocus();
        });
    }

    private Optional<ServerEntry> entry() {
        return model.entries().servers().stream().filter(e -> model.current().filter(c -> c == e).isPresent())
                .findFirst();
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public Node firstFocus() {
        return add;
    }

    @Override
    public void draw() {
        tabs.draw(model.entries().servers());
        Optional<ServerEntry> entry = entry();
        server.setVisible(entry.isPresent());
        entry.ifPresent(e -> {
            nameField.to(e.nameProperty());
            addressField.to(e.addressProperty());
            nodeField.to(e.nodeProperty());
        });
        proof.draw(entry);
    }
}
