package dev.pitwall.ui.signin;

import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.Overlay;
import dev.pitwall.ui.words.Texts;
import java.util.Optional;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import javafx.util.StringConverter;

/** Asks for the second factor of a sign-in, over the page. It waits while another dialog shows. */
public final class FactorDialog implements FactorQuestions.Asker {

    private final Desk desk;
    private final Texts texts;
    private Optional<FactorQuestions.Question> waiting = Optional.empty();
    private Optional<FactorQuestions.Question> shown = Optional.empty();

    /** To be made on the JavaFX thread. */
    public FactorDialog(Desk desk) {
        this.desk = desk;
        this.texts = desk.texts();
        desk.overlay().showingProperty().addListener((_, _, showing) -> {
            if (!showing) {
                desk.ui().later(this::showIfFree);
            }
        });
    }

    @Override
    public void ask(FactorQuestions.Question question) {
        desk.ui().run(() -> {
            waiting = Optional.of(question);
            showIfFree();
        });
    }

    @Override
    public void withdraw(FactorQuestions.Question question) {
        desk.ui().run(() -> {
            waiting = waiting.filter(q -> q != question);
            if (shown.filter(q -> q == question).isPresent()) {
                desk.overlay().close();
            }
        });
    }

    private void showIfFree() {
        if (waiting.isPresent() && !desk.overlay().isShowing()) {
            shown = waiting;
            waiting = Optional.empty();
            show(shown.get());
        }
    }

    private void show(FactorQuestions.Question question) {
        Label title = new Label(texts.get("signin.title", question.who()));
        title.getStyleClass().add("section");
        title.setWrapText(true);
        ChoiceBox<String> kind = kinds(question);
        TextField code = new TextField();
        code.getStyleClass().add("code-field");
        code.setPromptText(texts.get("connect.factor.code"));
        code.setAccessibleText(texts.get("connect.factor.code"));
        HBox.setHgrow(code, Priority.ALWAYS);
        Button send = new Button(texts.get("signin.send"));
        send.getStyleClass().add("accent");
        send.disableProperty().bind(code.textProperty().map(String::isBlank));
        send.setOnAction(_ -> answer(question, Optional.of(kind.getValue() + ":" + code.getText().strip())));
        code.setOnAction(_ -> send.fire());
        Button later = new Button(texts.get("signin.later"));
        later.setOnAction(_ -> answer(question, Optional.empty()));
        HBox buttons = new HBox(8, later, send);
        buttons.setAlignment(Pos.CENTER_RIGHT);
        Label without = new Label(texts.get("signin.without"));
        without.getStyleClass().add("secondary");
        without.setWrapText(true);
        VBox dialog = new VBox(12, title, new HBox(8, kind, code), without, buttons);
        dialog.getStyleClass().add("sign-in");
        desk.overlay().show(dialog, Pos.CENTER, code, Overlay.Dismissal.ESCAPE, () -> {
            shown = Optional.empty();
            question.answer().complete(Optional.empty());
        });
    }

    private void answer(FactorQuestions.Question question, Optional<String> answer) {
        question.answer().complete(answer);
        desk.overlay().close();
    }

    private ChoiceBox<String> kinds(FactorQuestions.Question question) {
        ChoiceBox<String> kind = new ChoiceBox<>();
        kind.setAccessibleText(texts.get("connect.factor.kind"));
        kind.setConverter(new StringConverter<>() {
            @Override
            public String toString(String name) {
                String key = "signin.kind." + name;
                return name == null ? "" : texts.has(key) ? texts.get(key) : name;
            }

            @Override
            public String fromString(String text) {
                throw new UnsupportedOperationException("kinds are chosen, not typed");
            }
        });
        kind.getItems().setAll(question.kinds());
        kind.getSelectionModel().selectFirst();
        return kind;
    }
}
