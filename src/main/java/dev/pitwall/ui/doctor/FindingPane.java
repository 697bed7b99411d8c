package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.page.TwoColumns;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** Draws the right side: one finding with its evidence, what it is not, and the fix. Only what differs is drawn anew. */
final class FindingPane {

    private static final double EVIDENCE = 0.58;

    /** The controls of the page that it fills. */
    record Parts(ScrollPane scroll, HBox headLine, MarkIcon mark, Label where, Label seen, Label trap, Label title,
                 Label text, VBox columns, HBox bar, StackPane primaryPlace, Button primary, Button copyFix, Button setup) {
    }

    /** What a person asks for here. */
    interface Acts extends FixPane.Asks {
        void apply();

        void stop();

        /** The changes as commands; empty text where there are none. */
        String commands();

        void setup(Subject subject);

        void lookAgain();
    }

    private final Parts parts;
    private final Texts texts;
    private final Acts acts;
    private final EvidenceList evidence;
    private final ReasonList reasons;
    private final FixPane fix;
    private final Label counted = styled("secondary");
    private final VBox left = new VBox();
    private final VBox right = new VBox();
    private final HBox reasonHead;
    private final Tooltip whyNot = new Tooltip();
    private final Tooltip whole = new Tooltip();
    private Optional<FindingView> drawn = Optional.empty();

    FindingPane(Parts parts, Texts texts, Acts acts) {
        this.parts = parts;
        this.texts = texts;
        this.acts = acts;
        this.evidence = new EvidenceList(texts, acts::copy);
        this.reasons = new ReasonList(texts);
        this.fix = new FixPane(texts, acts);
        this.reasonHead = head("doctor.reasons", new Label());
        left.getChildren().addAll(head("doctor.evidence", counted), evidence);
        right.getChildren().addAll(reasonHead, reasons, fix);
        reasonHead.managedProperty().bind(reasonHead.visibleProperty());
        left.managedProperty().bind(left.visibleProperty());
        left.setMinWidth(0);
        right.setMinWidth(0);
        whyNot.setWrapText(true);
        whyNot.setMaxWidth(400);
        parts.primary().setMinWidth(0);
        whole.setWrapText(true);
        whole.setMaxWidth(400);
        whole.textProperty().bind(parts.where().textProperty());
        parts.where().setTooltip(whole);
        wide(true);
    }

    private HBox head(String key, Label beside) {
        Label title = styled("section");
        title.setText(texts.get(key));
        title.setMinWidth(Region.USE_PREF_SIZE);
        HBox head = new HBox(8, title, beside);
        head.getStyleClass().add("column-head");
        return head;
    }

    /** Two columns where there is room for them. */
    void wide(boolean wanted) {
        parts.columns().getChildren().setAll(wanted ? new TwoColumns(left, right, EVIDENCE) : new VBox(8, left, right));
    }

    void show(FindingView view) {
        boolean other = drawn.filter(d -> d.id().equals(view.id())).isEmpty();
        parts.mark().show(view.mark(), view.progress());
        for (Tone tone : Tone.values()) {
            parts.headLine().pseudoClassStateChanged(PseudoClass.getPseudoClass(tone.pseudo()), tone == view.tone());
        }
        parts.where().setText(view.where());
        parts.seen().setText(view.seen());
        parts.trap().setText(view.trap());
        parts.title().setText(view.title());
        parts.text().setText(view.text());
        counted.setText(view.counted());
        evidence.show(view.evidence());
        left.setVisible(!view.trap().isEmpty());
        reasons.show(view.ruledOut());
        reasonHead.setVisible(!view.ruledOut().isEmpty());
        fix.show(view);
        if (drawn.filter(d -> d.fix().equals(view.fix())).isEmpty()) {
            bar(view.fix());
        }
        if (other) {
            parts.scroll().setVvalue(0);
        }
        drawn = Optional.of(view);
    }

    private void bar(Fix wanted) {
        parts.primary().setVisible(false);
        parts.copyFix().setVisible(false);
        parts.setup().setVisible(false);
        Tooltip.uninstall(parts.primaryPlace(), whyNot);
        switch (wanted) {
            case Fix.Changes c -> {
                primary(c.button(), c.whyNot(), Feather.PLAY, acts::apply);
                copy("doctor.copy-commands", acts::commands);
            }
            case Fix.Running r -> primary(texts.get(r.stopping() ? "setup.stopping" : "setup.stop"),
                    r.stopping() ? texts.get("setup.why.stopping") : "", Feather.SQUARE, acts::stop);
            case Fix.ByHand b -> {
                if (!b.steps().isEmpty()) {
                    copy("doctor.copy-steps", () -> String.join("\n", b.steps()) + "\n");
                }
                b.setup().ifPresent(subject -> {
                    parts.setup().setVisible(true);
                    parts.setup().setOnAction(_ -> acts.setup(subject));
                });
            }
            case Fix.Reading _, Fix.Troubled _, Fix.Nothing _ -> { }
        }
    }

    private void primary(String words, String why, Feather icon, Runnable run) {
        Button button = parts.primary();
        button.setText(words);
        button.setGraphic(new FontIcon(icon));
        button.setDisable(!why.isEmpty());
        button.setAccessibleHelp(why);
        button.setOnAction(_ -> run.run());
        button.setVisible(true);
        whyNot.setText(why.isEmpty() ? words : why);
        Tooltip.install(parts.primaryPlace(), whyNot);
    }

    private void copy(String key, Supplier<String> what) {
        parts.copyFix().setText(texts.get(key));
        parts.copyFix().setVisible(true);
        parts.copyFix().setOnAction(_ -> acts.copy(what.get()));
    }

    /** True if there is something that Enter can go to. */
    boolean canAct() {
        return parts.primary().isVisible() && !parts.primary().isDisabled();
    }

    /** The evidence that shows, as a text. */
    Optional<String> evidence() {
        return drawn.map(v -> v.title() + "\n" + v.text() + "\n\n"
                + v.evidence().stream().map(EvidencePanel::text).collect(Collectors.joining("\n\n")));
    }

    /** A source that failed, in place. */
    Node failure(Trouble trouble) {
        Button retry = new Button(texts.get("setup.retry"));
        retry.getStyleClass().add("small-button");
        retry.setOnAction(_ -> acts.lookAgain());
        return message("failure", new MarkIcon(Mark.FAILING), trouble.sentence(), trouble.next(), Optional.of(retry));
    }

    Node note(String words) {
        return message("doctor-note", new MarkIcon(Mark.INFO), words, "", Optional.empty());
    }

    private static HBox message(String style, MarkIcon icon, String what, String next, Optional<Button> button) {
        Label first = styled("strong");
        first.setText(what);
        Label second = styled("secondary");
        second.setText(next);
        first.setWrapText(true);
        second.setWrapText(true);
        second.managedProperty().bind(second.textProperty().isNotEmpty());
        VBox words = new VBox(2, first, second);
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        HBox line = new HBox(icon, words);
        line.getStyleClass().add(style);
        button.ifPresent(line.getChildren()::add);
        return line;
    }

    private static Label styled(String styleClass) {
        Label label = new Label();
        label.getStyleClass().add(styleClass);
        return label;
    }
}
