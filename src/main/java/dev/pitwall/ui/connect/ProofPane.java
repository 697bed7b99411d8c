package dev.pitwall.ui.connect;

import dev.pitwall.site.Hop;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.words.Texts;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** Below every form: whether it is the right system, and the hops of its test. */
final class ProofPane {
    private final Texts texts;
    private final ConnectModel model;
    private final Node node;
    private final TrustPanel trust;
    private final HopRows hops = new HopRows();

    @FXML private VBox trustPlace;
    @FXML private VBox hopsPlace;
    @FXML private HBox hopsHead;
    @FXML private Label untested;
    @FXML private Button again;
    @FXML private VBox notes;

    ProofPane(Tools tools, ConnectModel model) {
        this.texts = tools.texts();
        this.model = model;
        this.trust = new TrustPanel(texts, model);
        this.node = Fxml.load("connect-proof", this, texts);
    }

    @FXML
    private void initialize() {
        trustPlace.getChildren().setAll(trust.node());
        hopsPlace.getChildren().setAll(hops.node());
        again.setOnAction(_ -> model.testAgain());
    }

    Node node() {
        return node;
    }

    void draw(Optional<? extends Entry> shown) {
        node.setVisible(shown.isPresent());
        node.setManaged(shown.isPresent());
        shown.ifPresent(this::draw);
    }

    private void draw(Entry entry) {
        boolean identified = entry.trial().identity().isPresent() && (entry.asks() || entry.pin().isPresent());
        trustPlace.setVisible(identified);
        trustPlace.setManaged(identified);
        if (identified) {
            trust.draw(entry);
        }
        boolean empty = entry.trial().hops().isEmpty();
        hops.draw(entry.trial().hops().stream().map(hop -> compared(hop, entry)).toList());
        hops.node().setVisible(!empty);
        hops.node().setManaged(!empty);
        untested.setText(empty ? entry.missing().filter(_ -> entry.filled())
                .orElseGet(() -> texts.get(entry.standing() == Standing.KEPT ? "connect.hops.kept"
                        : "connect.hops.none")) : texts.get(entry.standing() == Standing.UNTESTED ? "connect.hops.stale"
                        : "connect.hops.order"));
        again.setDisable(entry.missing().isPresent() || entry.standing() == Standing.TESTING);
        again.setText(texts.get(empty ? "connect.hops.test" : "connect.hops.again"));
        notes.getChildren().setAll(entry.trial().notes().stream().map(ProofPane::note).toList());
    }

    /** The hop that waits for the person says when the comparing is done. */
    private Hop compared(Hop hop, Entry entry) {
        return hop.state() == Hop.State.ASKS && entry.comparison() instanceof Comparison.Equal
                ? Hop.asks(hop.name(), texts.get("connect.hops.equal")) : hop;
    }

    private static Label note(String text) {
        Label label = new Label(text);
        label.getStyleClass().add("secondary");
        label.setWrapText(true);
        return label;
    }
}
