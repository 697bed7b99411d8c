package dev.pitwall.ui.connect;

import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.words.Texts;
import java.util.Locale;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.VBox;
import javafx.stage.FileChooser;
import javafx.scene.control.Button;
import javafx.util.StringConverter;
import java.io.File;
import java.util.Optional;

/** Who signs in over SSH, and with what. */
final class LoginForm {
    private final Texts texts;
    private final ConnectModel model;
    private final SecretInput secret;
    private final Node node;
    private final Rebinding<String> userField;
    private final Rebinding<ShellLogin.Method> methodField;
    private final Rebinding<String> keyField;

    @FXML private TextField user;
    @FXML private ChoiceBox<ShellLogin.Method> method;
    @FXML private VBox keyBox;
    @FXML private TextField keyFile;
    @FXML private Button pick;
    @FXML private VBox secretBox;
    @FXML private Label secretLabel;
    @FXML private Label secretKept;
    @FXML private VBox secretPlace;

    LoginForm(Texts texts, ConnectModel model, String id) {
        this.texts = texts;
        this.model = model;
        this.secret = new SecretInput(texts);
        this.node = Fxml.load("connect-login", this, texts);
        this.userField = new Rebinding<>(user.textProperty());
        this.methodField = new Rebinding<>(method.valueProperty());
        this.keyField = new Rebinding<>(keyFile.textProperty());
        user.setId(id + "-user");
        method.setId(id + "-method");
        keyFile.setId(id + "-key");
        secret.id(id + "-secret");
    }

    @FXML
    private void initialize() {
        secretPlace.getChildren().add(secret);
        secretKept.visibleProperty().bind(secretBox.visibleProperty());
        method.getItems().setAll(ShellLogin.Method.values());
        method.setConverter(new StringConverter<>() {
            @Override
            public String toString(ShellLogin.Method value) {
                return value == null ? "" : texts.get("connect.login." + value.name().toLowerCase(Locale.ROOT));
            }

            @Override
            public ShellLogin.Method fromString(String text) {
                throw new UnsupportedOperationException("nothing is typed into it");
            }
        });
        pick.setOnAction(_ -> {
            FileChooser chooser = new FileChooser();
            chooser.setTitle(texts.get("connect.key.pick"));
            Optional.ofNullable(chooser.showOpenDialog(node.getScene().getWindow())).map(File::getPath)
                    .ifPresent(keyFile::setText);
        });
    }

    Node node() {
        return node;
    }

    void draw(ShellLogin login) {
        userField.to(login.userProperty());
        methodField.to(login.methodProperty());
        keyField.to(login.keyFileProperty());
        boolean key = login.method() == ShellLogin.Method.KEY_FILE;
        keyBox.setVisible(key);
        secretBox.setVisible(login.method() != ShellLogin.Method.AGENT);
        secretLabel.setText(key ? texts.get("connect.passphrase") : texts.get("connect.password"));
        secretKept.setText(texts.get("connect.kept", model.place().isEmpty() ? texts.get("connect.place.asking") : model.place()));
        secret.bind(login.secret(), secretLabel.getText() + ", " + secretKept.getText());
    }
}
