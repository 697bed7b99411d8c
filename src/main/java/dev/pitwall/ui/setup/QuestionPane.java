package dev.pitwall.ui.setup;

import dev.pitwall.journey.Answer;
import dev.pitwall.ui.Choosing;
import java.util.function.BiConsumer;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.RadioButton;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** One question of a step. Choosing another option looks at the card again. */
final class QuestionPane extends VBox {

    private final QuestionLine question;
    private final BiConsumer<String, String> answer;

    /** @param answer takes the question's key and the chosen value */
    QuestionPane(QuestionLine question, BiConsumer<String, String> answer) {
        this.question = question;
        this.answer = answer;
        getStyleClass().addAll("panel", "question");
        Label text = new Label(question.text());
        text.setWrapText(true);
        text.getStyleClass().add("strong");
        getChildren().add(text);
        switch (question.form()) {
            case SEGMENT -> segment();
            case RADIO -> radios();
            case MENU -> menu();
        }
    }

    private void segment() {
        HBox segment = new HBox();
        segment.getStyleClass().add("segment");
        segment.setMaxWidth(Region.USE_PREF_SIZE);
        ToggleGroup group = new ToggleGroup();
        for (Answer.Option option : question.options()) {
            ToggleButton button = new ToggleButton(option.label());
            button.getStyleClass().add("segment-part");
            button.setToggleGroup(group);
            button.setSelected(option.value().equals(question.chosen()));
            button.setMinWidth(Region.USE_PREF_SIZE);
            Choosing.whenChosen(button, () -> answer.accept(question.key(), option.value()));
            segment.getChildren().add(button);
        }
        getChildren().add(segment);
    }

    private void radios() {
        ToggleGroup group = new ToggleGroup();
        for (Answer.Option option : question.options()) {
            RadioButton radio = new RadioButton(option.label());
            radio.setToggleGroup(group);
            radio.setSelected(option.value().equals(question.chosen()));
            radio.selectedProperty().addListener((_, _, on) -> {
                if (on) {
                    answer.accept(question.key(), option.value());
                }
            });
            VBox row = new VBox(radio);
            if (!option.note().isEmpty()) {
                row.getChildren().add(note(option.note(), "option-note"));
            }
            getChildren().add(row);
        }
    }

    private void menu() {
        MenuButton menu = new MenuButton(question.options().stream().filter(o -> o.value().equals(question.chosen()))
                .map(Answer.Option::label).findFirst().orElse(question.chosen()));
        menu.setMnemonicParsing(false);
        menu.setAccessibleText(question.text());
        ToggleGroup group = new ToggleGroup();
        for (Answer.Option option : question.options()) {
            RadioMenuItem item = new RadioMenuItem(option.label());
            item.setMnemonicParsing(false);
            item.setToggleGroup(group);
            item.setSelected(option.value().equals(question.chosen()));
            item.setOnAction(_ -> answer.accept(question.key(), option.value()));
            menu.getItems().add(item);
        }
        getChildren().add(menu);
        if (!question.note().isEmpty()) {
            getChildren().add(note(question.note(), "secondary"));
        }
    }

    private static Label note(String text, String styleClass) {
        Label label = new Label(text);
        label.setWrapText(true);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
