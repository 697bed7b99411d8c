package dev.pitwall.ui.connect;

import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** The form of the Proxmox hosts. */
final class ProxmoxPane implements SystemPane {
    private final Texts texts;
    private final ConnectModel model;
    private final EntryTabs tabs;
    private final ProofPane proof;
    private final SecretInput secret;
    private final Node node;
    private final Rebinding<String> addressField;
    private final Rebinding<String> whoField;
    private Optional<ProxmoxEntry.Question> asked = Optional.empty();

    @FXML private VBox tabsPlace;
    @FXML private TextField address;
    @FXML private Button addHost;
    @FXML private Label whoLabel;
    @FXML private Button method;
    @FXML private TextField who;
    @FXML private Label secretLabel;
    @FXML private Label secretKept;
    @FXML private VBox secretPlace;
    @FXML private HBox factor;
    @FXML private Label factorText;
    @FXML private ChoiceBox<String> factorKind;
    @FXML private TextField factorCode;
    @FXML private Button factorSend;
    @FXML private Button factorNone;
    @FXML private VBox proofPlace;

    ProxmoxPane(Tools tools, ConnectModel model) {
        this.texts = tools.texts();
        this.model = model;
        this.tabs = new EntryTabs(texts, model);
        this.proof = new ProofPane(tools, model);
        this.secret = new SecretInput(texts);
        this.node = Fxml.load("connect-proxmox", this, texts);
        this.addressField = new Rebinding<>(address.textProperty());
        this.whoField = new Rebinding<>(who.textProperty());
    }

    @FXML
    private void initialize() {
        tabsPlace.getChildren().setAll(tabs.node());
        proofPlace.getChildren().setAll(proof.node());
        secretPlace.getChildren().add(secret);
        secret.id("connect-secret");
        addHost.setOnAction(_ -> {
            model.show(model.entries().addProxmox());
            address.requestFocus();
        });
        method.setOnAction(_ -> {
            ProxmoxEntry entry = entry();
            entry.methodProperty().set(entry.methodProperty().get() == ProxmoxEntry.Method.TOKEN
                    ? ProxmoxEntry.Method.PASSWORD : ProxmoxEntry.Method.TOKEN);
        });
        factorSend.setOnAction(_ -> answer(Optional.of(factorKind.getValue() + ":" + factorCode.getText().strip())));
        factorCode.setOnAction(_ -> factorSend.fire());
        factorNone.setOnAction(_ -> answer(Optional.empty()));
        factorSend.disableProperty().bind(factorCode.textProperty().map(String::isBlank));
    }

    private ProxmoxEntry entry() {
        List<ProxmoxEntry> all = model.entries().proxmox();
        return all.stream().filter(e -> model.current().filter(c -> c == e).isPresent()).findFirst()
                .orElseGet(all::getFirst);
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
        ProxmoxEntry entry = entry();
        List<ProxmoxEntry> all = model.entries().proxmox();
        tabs.draw(all);
        tabsPlace.setVisible(all.size() > 1);
        addressField.to(entry.addressProperty());
        boolean token = entry.methodProperty().get() == ProxmoxEntry.Method.TOKEN;
        whoField.to(token ? entry.tokenProperty() : entry.userProperty());
        whoLabel.setText(texts.get(token ? "connect.token" : "connect.user"));
        who.setPromptText(texts.get(token ? "connect.token.example" : "connect.user.example"));
        who.setAccessibleText(whoLabel.getText());
        method.setText(texts.get(token ? "connect.use.password" : "connect.use.token"));
        secretLabel.setText(texts.get(token ? "connect.secret" : "connect.password"));
        secretKept.setText(texts.get("connect.kept", place()));
        secret.bind(entry.secret(), secretLabel.getText() + ", " + secretKept.getText());
        drawFactor(entry.questionProperty().get());
        proof.draw(Optional.of(entry));
    }

    private String place() {
        return model.place().isEmpty() ? texts.get("connect.place.asking") : model.place();
    }

    private void drawFactor(Optional<ProxmoxEntry.Question> question) {
        factor.setVisible(question.isPresent());
        if (question.equals(asked)) {
            return;
        }
        asked = question;
        factorCode.clear();
        question.ifPresent(q -> {
            factorText.setText(texts.get("connect.factor", q.who()));
            factorKind.getItems().setAll(q.kinds());
            factorKind.getSelectionModel().selectFirst();
            factorCode.requestFocus();
        });
    }

    private void answer(Optional<String> code) {
        asked.ifPresent(q -> q.answer().complete(code));
    }
}
