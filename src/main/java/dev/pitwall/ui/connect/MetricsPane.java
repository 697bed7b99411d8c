package dev.pitwall.ui.connect;

import dev.pitwall.ui.shell.Fxml;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.TextField;
import javafx.scene.layout.VBox;

/** The form of Prometheus. */
final class MetricsPane implements SystemPane {
    private final MetricsEntry entry;
    private final ProofPane proof;
    private final Node node;

    @FXML private TextField address;
    @FXML private VBox proofPlace;

    MetricsPane(Tools tools, ConnectModel model) {
        this.entry = model.entries().metrics();
        this.proof = new ProofPane(tools, model);
        this.node = Fxml.load("connect-prometheus", this, tools.texts());
    }

    @FXML
    private void initialize() {
        proofPlace.getChildren().setAll(proof.node());
        address.textProperty().bindBidirectional(entry.addressProperty());
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public Node firstFocus() {
        return address;
    }

    @Override
    public void draw() {
        proof.draw(entry.filled() ? Optional.of(entry) : Optional.empty());
    }
}
