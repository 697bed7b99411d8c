package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.scene.control.Button;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.VBox;
import javafx.util.StringConverter;

/** Asks for a model's name and the server that its files are to be brought to. */
final class PullDialog {

    private final Desk desk;
    private final Texts texts;

    PullDialog(Desk desk) {
        this.desk = desk;
        this.texts = desk.texts();
    }

    /**
     * @param first  the server that is chosen at the start
     * @param whyNot why a pull cannot be, empty where it can
     */
    void show(List<ColumnLine> columns, Optional<ProviderId> first, String model, Function<Wish, Optional<String>> whyNot,
              Consumer<Wish> ask) {
        TextField name = new TextField(model);
        name.setId("pull-model");
        name.setPromptText(texts.get("board.pull.prompt"));
        name.setAccessibleText(texts.get("board.pull.model"));
        ChoiceBox<ColumnLine> to = choice(columns, first);
        Label why = new Label();
        why.setWrapText(true);
        why.setMinHeight(Label.USE_PREF_SIZE);
        why.getStyleClass().add("secondary");
        Button go = new Button(texts.get("board.pull.go"));
        go.getStyleClass().add("accent");
        Runnable look = () -> {
            Optional<Wish> wish = wish(name, to);
            Optional<String> refused = wish.flatMap(whyNot);
            Words.set(why, refused.orElse(texts.get("board.pull.text")));
            go.setDisable(wish.isEmpty() || refused.isPresent());
        };
        name.textProperty().addListener((_, _, _) -> look.run());
        to.valueProperty().addListener((_, _, _) -> look.run());
        look.run();
        go.setOnAction(_ -> {
            desk.overlay().close();
            wish(name, to).ifPresent(ask);
        });
        name.setOnAction(_ -> go.fire());
        VBox form = new VBox(4, labelled("board.pull.model"), name, labelled("board.pull.to"), to, why);
        form.getStyleClass().add("pull-form");
        AskDialog dialog = new AskDialog(desk);
        dialog.show(texts.get("board.pull.title"), form, List.of(dialog.stay(texts.get("change.cancel")), go), name);
    }

    private Label labelled(String key) {
        Label label = new Label(texts.get(key));
        label.getStyleClass().add("secondary");
        return label;
    }

    private static ChoiceBox<ColumnLine> choice(List<ColumnLine> columns, Optional<ProviderId> first) {
        ChoiceBox<ColumnLine> box = new ChoiceBox<>();
        box.setId("pull-to");
        box.setMaxWidth(Double.MAX_VALUE);
        box.setConverter(new StringConverter<>() {
            @Override
            public String toString(ColumnLine column) {
                return column == null ? "" : column.id() + " · " + column.group() + " · " + column.called();
            }

            @Override
            public ColumnLine fromString(String text) {
                return columns.stream().filter(c -> toString(c).equals(text)).findFirst().orElse(null);
            }
        });
        box.getItems().setAll(columns);
        box.setValue(columns.stream().filter(c -> first.filter(c.id()::equals).isPresent()).findFirst()
                .orElse(columns.isEmpty() ? null : columns.getFirst()));
        return box;
    }

    private static Optional<Wish> wish(TextField name, ChoiceBox<ColumnLine> to) {
        String model = name.getText().strip();
        return model.isEmpty() || to.getValue() == null ? Optional.empty()
                : Optional.of(new Wish.Pull(new ModelName(model), to.getValue().id()));
    }
}
