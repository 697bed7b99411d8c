package dev.pitwall.ui.connect;

import dev.pitwall.ui.words.Texts;
import java.util.Optional;
import javafx.beans.property.StringProperty;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.PasswordField;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.StackPane;
import javafx.geometry.Pos;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** A field for a secret, hidden until the eye is pressed. A kept secret is not read back, only replaced. */
final class SecretInput extends StackPane {
    private final Texts texts;
    private final PasswordField hidden = new PasswordField();
    private final TextField plain = new TextField();
    private final Button eye = new Button();
    private Optional<StringProperty> bound = Optional.empty();

    SecretInput(Texts texts) {
        this.texts = texts;
        getStyleClass().add("secret-input");
        hidden.getStyleClass().add("code-field");
        plain.getStyleClass().add("code-field");
        plain.setVisible(false);
        plain.managedProperty().bind(plain.visibleProperty());
        hidden.visibleProperty().bind(plain.visibleProperty().not());
        hidden.managedProperty().bind(hidden.visibleProperty());
        plain.textProperty().bindBidirectional(hidden.textProperty());
        eye.getStyleClass().setAll("icon-button");
        eye.setOnAction(_ -> reveal(!plain.isVisible()));
        StackPane.setAlignment(eye, Pos.CENTER_RIGHT);
        getChildren().addAll(hidden, plain, eye);
        reveal(false);
    }

    private void reveal(boolean wanted) {
        plain.setVisible(wanted);
        eye.setGraphic(new FontIcon(wanted ? Feather.EYE_OFF : Feather.EYE));
        String word = texts.get(wanted ? "connect.secret.hide" : "connect.secret.reveal");
        eye.setAccessibleText(word);
        eye.setTooltip(new Tooltip(word));
    }

    /** @param spoken what the secret is */
    void bind(SecretField field, String spoken) {
        if (bound.filter(p -> p == field.typedProperty()).isPresent()) {
            return;
        }
        bound.ifPresent(hidden.textProperty()::unbindBidirectional);
        hidden.textProperty().bindBidirectional(field.typedProperty());
        bound = Optional.of(field.typedProperty());
        hidden.setAccessibleText(spoken);
        plain.setAccessibleText(spoken);
        String prompt = field.kept() ? texts.get("connect.secret.kept") : "";
        hidden.setPromptText(prompt);
        plain.setPromptText(prompt);
    }

    Node field() {
        return hidden;
    }

    /** For labels and tests. */
    void id(String id) {
        hidden.setId(id);
    }
}
