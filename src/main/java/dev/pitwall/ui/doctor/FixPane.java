package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.ui.change.ChangePanel;
import dev.pitwall.ui.change.ChangeStack;
import dev.pitwall.ui.change.RiskChip;
import dev.pitwall.ui.change.Severity;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** What is to be done: exact changes, or the steps that a person makes. */
final class FixPane extends VBox {

    private final Texts texts;
    private final Asks asks;
    private final Label title = styled("section");
    private final Label word = styled("secondary");
    private final HBox chip = new HBox();
    private final MenuButton cards = new MenuButton();
    private final VBox body = new VBox(8);
    private final ChangeStack stack;
    private Optional<Fix> drawn = Optional.empty();
    private List<FindingView.Choice> choices = List.of();
    private Optional<FindingView.Ended> ended = Optional.empty();

    /** What a person can do here. */
    interface Asks {
        void retry();

        void card(String id);

        void copy(String text);

        void journal();
    }

    FixPane(Texts texts, Asks asks) {
        this.texts = texts;
        this.asks = asks;
        this.stack = new ChangeStack(ChangePanel.Folding.OPEN, texts);
        title.setText(texts.get("doctor.fix"));
        title.setMinWidth(Region.USE_PREF_SIZE);
        word.setMinWidth(0);
        chip.setMinWidth(Region.USE_PREF_SIZE);
        cards.getStyleClass().add("small-button");
        cards.setMaxWidth(220);
        cards.managedProperty().bind(cards.visibleProperty());
        HBox words = new HBox(8, title, word);
        words.setMinWidth(0);
        words.getStyleClass().add("crumbs");
        HBox.setHgrow(words, Priority.ALWAYS);
        HBox head = new HBox(8, words, cards, chip);
        head.getStyleClass().add("column-head");
        getChildren().addAll(head, body);
    }

    void show(FindingView view) {
        if (!view.others().equals(choices) || drawn.isEmpty()) {
            choices = view.others();
            chooseCard();
        }
        if (drawn.filter(view.fix()::equals).isPresent() && view.ended().equals(ended)) {
            return;
        }
        drawn = Optional.of(view.fix());
        ended = view.ended();
        word.setText("");
        chip.getChildren().clear();
        List<Node> parts = new ArrayList<>();
        ended.ifPresent(e -> parts.add(ended(e)));
        parts.addAll(parts(view.fix()));
        body.getChildren().setAll(parts);
    }

    private List<Node> parts(Fix fix) {
        List<Node> parts = new ArrayList<>();
        switch (fix) {
            case Fix.Reading _ -> parts.add(wrapped(texts.get("doctor.fix.reading"), "muted"));
            case Fix.Troubled(Trouble trouble) -> parts.add(troubled(trouble));
            case Fix.Changes c -> {
                word.setText(texts.count("doctor.changes", c.lines().size()));
                if (c.severity() != Severity.NONE && c.lines().size() > 1) {
                    chip.getChildren().add(new RiskChip(c.severity(), c.chip()));
                }
                parts.add(wrapped(c.title(), "strong"));
                stack.show(c.lines());
                parts.add(stack);
                c.notes().forEach(note -> parts.add(wrapped(note, "note-text")));
                steps(parts, c.steps(), "doctor.fix.besides");
            }
            case Fix.Running r -> {
                word.setText(texts.get(r.stopping() ? "doctor.fix.stopping" : "doctor.fix.running"));
                parts.add(wrapped(r.title(), "strong"));
                stack.show(r.lines());
                parts.add(stack);
            }
            case Fix.ByHand b -> {
                word.setText(texts.get("doctor.fix.by-hand"));
                if (!b.why().isEmpty()) {
                    parts.add(wrapped(b.why(), "finding-text"));
                }
                steps(parts, b.steps(), "doctor.fix.steps");
            }
            case Fix.Nothing(String why) -> {
                word.setText(texts.get("doctor.fix.nothing"));
                parts.add(wrapped(why, "finding-text"));
            }
        }
        return parts;
    }

    private void steps(List<Node> parts, List<String> steps, String key) {
        if (steps.isEmpty()) {
            return;
        }
        VBox panel = new VBox();
        panel.getStyleClass().addAll("panel", "hand-steps");
        panel.setAccessibleText(texts.get(key) + "\n" + String.join("\n", steps));
        for (int i = 0; i < steps.size(); i++) {
            Label number = styled("hand-number");
            number.setText(Integer.toString(i + 1));
            Label step = wrapped(steps.get(i), "hand-step");
            HBox.setHgrow(step, Priority.ALWAYS);
            HBox row = new HBox(8, number, step);
            row.getStyleClass().add("hand-row");
            panel.getChildren().add(row);
        }
        parts.add(panel);
    }

    private HBox troubled(Trouble trouble) {
        Button retry = new Button(texts.get("setup.retry"));
        retry.getStyleClass().add("small-button");
        retry.setOnAction(_ -> asks.retry());
        return message(trouble.sentence(), trouble.next(), retry);
    }

    private HBox ended(FindingView.Ended end) {
        Button journal = new Button(texts.get("setup.journal"));
        journal.getStyleClass().add("small-button");
        journal.setOnAction(_ -> asks.journal());
        return message(end.what(), end.why(), journal);
    }

    private static HBox message(String what, String next, Button button) {
        VBox words = new VBox(6, wrapped(what, "strong"), wrapped(next, "secondary"), button);
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        HBox line = new HBox(new MarkIcon(Mark.FAILING), words);
        line.getStyleClass().add("failure");
        return line;
    }

    private void chooseCard() {
        cards.setVisible(!choices.isEmpty());
        cards.setText(choices.stream().filter(FindingView.Choice::chosen).findFirst()
                .map(c -> texts.get("doctor.for-card", c.name())).orElse(""));
        cards.setAccessibleText(texts.get("doctor.for-card.choose"));
        cards.getItems().setAll(choices.stream().map(c -> {
            MenuItem item = new MenuItem(c.name());
            item.setMnemonicParsing(false);
            item.setOnAction(_ -> asks.card(c.cardId()));
            return item;
        }).toList());
    }

    private static Label wrapped(String text, String styleClass) {
        Label label = styled(styleClass);
        label.setText(text);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }

    private static Label styled(String styleClass) {
        Label label = new Label();
        label.getStyleClass().add(styleClass);
        return label;
    }
}
