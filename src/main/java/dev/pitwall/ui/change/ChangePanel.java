package dev.pitwall.ui.change;

import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.words.Texts;
import java.util.OptionalDouble;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** One change: what is touched, what differs, what it means for others, and while it is made how it goes. */
public final class ChangePanel extends VBox {

    /** Whether a body with differences can be closed. */
    public enum Folding {
        /** It stands open. */
        OPEN,
        /** It opens and closes with a click, Space or Enter, and begins closed. */
        CLOSED
    }

    private static final PseudoClass OPENED = PseudoClass.getPseudoClass("opened");

    private final Texts texts;
    private final Folding folding;
    private final HBox head = new HBox(8);
    /** The chip where there is no room for it in the head. */
    private final HBox below = new HBox();
    private final HBox chip = new HBox();
    private final VBox body = new VBox();
    private final FontIcon chevron = new FontIcon(Feather.CHEVRON_RIGHT);
    private final MarkIcon mark = new MarkIcon();
    private final Label took = styled("", "age");
    private final Label message = styled("", "change-message");
    private ChangeLine line;

    public ChangePanel(ChangeLine first, Folding folding, Texts texts) {
        this.texts = texts;
        this.folding = folding;
        getStyleClass().add("change");
        head.getStyleClass().add("change-head");
        body.getStyleClass().add("change-body");
        body.managedProperty().bind(body.visibleProperty());
        message.setWrapText(true);
        message.managedProperty().bind(message.visibleProperty());
        message.setVisible(false);
        below.getStyleClass().add("change-below");
        below.managedProperty().bind(below.visibleProperty());
        below.setVisible(false);
        setMinWidth(0);
        getChildren().addAll(head, below, body, message);
        widthProperty().addListener((_, _, _) -> placeChip());
        line = first;
        fill(first);
        show(first);
    }

    /** Shows the same change as it goes now; what differs in it stays as it is drawn. */
    public void show(ChangeLine next) {
        boolean begun = line.doing().isEmpty() != next.doing().isEmpty() || !line.note().equals(next.note())
                || !line.chip().equals(next.chip());
        line = next;
        if (begun) {
            fill(next);
        }
        next.doing().ifPresent(d -> {
            mark.show(d.mark(), OptionalDouble.empty());
            took.setText(d.took().isEmpty() && d.mark() == Mark.RING ? d.word() : d.took());
            message.setText(d.message());
            message.setVisible(!d.message().isEmpty());
            pseudo("failing", d.mark() == Mark.FAILING);
            pseudo("ok", d.mark() == Mark.OK);
            pseudo("waiting", d.mark() == Mark.RING);
        });
        setAccessibleText(next.spoken());
    }

    /** True if the two are the same change, apart from how it goes. */
    public boolean shows(ChangeLine other) {
        return line.icon().equals(other.icon()) && line.target().equals(other.target())
                && line.summary().equals(other.summary()) && line.lines().equals(other.lines())
                && line.text().equals(other.text());
    }

    private void pseudo(String state, boolean on) {
        pseudoClassStateChanged(PseudoClass.getPseudoClass(state), on);
    }

    private void fill(ChangeLine change) {
        head.getChildren().clear();
        body.getChildren().clear();
        chip.getChildren().clear();
        below.getChildren().clear();
        below.setVisible(false);
        change.doing().ifPresent(_ -> head.getChildren().add(mark));
        Label target = new Target(change.target());
        target.getStyleClass().add(change.face() == ChangeLine.Face.CODE ? "change-code" : "change-words");
        Label summary = styled(change.summary(), "secondary");
        Region grow = new Region();
        HBox.setHgrow(grow, Priority.ALWAYS);
        Label note = styled(change.note(), "secondary");
        FontIcon icon = new FontIcon(change.icon());
        head.getChildren().addAll(icon, target, summary, grow, note);
        explain(target, change);
        if (!change.chip().isEmpty()) {
            chip.getChildren().setAll(new RiskChip(change.severity(), change.chip()));
            head.getChildren().add(chip);
        }
        took.setMinWidth(Region.USE_PREF_SIZE);
        change.doing().ifPresent(_ -> head.getChildren().add(took));
        if (!change.lines().isEmpty()) {
            body.getChildren().add(new CodeBlock(change.lines(), texts));
        }
        if (!change.text().isEmpty()) {
            Label text = styled(change.text(), "change-text");
            text.setWrapText(true);
            body.getChildren().add(text);
        }
        fold(change);
        placeChip();
    }

    /** Beside what is touched where both have room, else under it. */
    private void placeChip() {
        if (chip.getChildren().isEmpty()) {
            return;
        }
        double needed = head.minWidth(-1) + (below.isVisible() ? chip.minWidth(-1) + head.getSpacing() : 0);
        boolean under = getWidth() < needed;
        if (under == below.isVisible()) {
            return;
        }
        below.setVisible(under);
        if (under) {
            head.getChildren().remove(chip);
            below.getChildren().setAll(chip);
        } else {
            below.getChildren().clear();
            head.getChildren().add(chipPlace(), chip);
        }
    }

    /** Before the time and the chevron. */
    private int chipPlace() {
        int last = head.getChildren().size();
        while (last > 0 && (head.getChildren().get(last - 1) == took || head.getChildren().get(last - 1) == chevron)) {
            last--;
        }
        return last;
    }

    private void explain(Label target, ChangeLine change) {
        String undo = change.undo().isEmpty() ? "" : "\n" + texts.get("change.undo-words", change.undo());
        Tooltip tip = new Tooltip(change.target() + (change.summary().isEmpty() ? "" : " · " + change.summary()) + undo);
        tip.setWrapText(true);
        tip.setMaxWidth(480);
        target.setTooltip(tip);
    }

    private void fold(ChangeLine change) {
        boolean something = !body.getChildren().isEmpty();
        body.setVisible(something && folding == Folding.OPEN);
        pseudoClassStateChanged(OPENED, body.isVisible());
        if (something && folding == Folding.CLOSED) {
            head.getChildren().add(chevron);
            setFocusTraversable(true);
            setAccessibleRole(AccessibleRole.TITLED_PANE);
            head.setOnMouseClicked(e -> {
                if (e.getButton() == MouseButton.PRIMARY && e.isStillSincePress()) {
                    toggle();
                }
            });
            setOnKeyPressed(this::keyPressed);
        }
    }

    private void keyPressed(KeyEvent event) {
        if (event.getTarget() == this && (event.getCode() == KeyCode.SPACE || event.getCode() == KeyCode.ENTER)) {
            toggle();
            event.consume();
        }
    }

    /** Opens or closes what differs. */
    void toggle() {
        body.setVisible(!body.isVisible());
        pseudoClassStateChanged(OPENED, body.isVisible());
        chevron.setIconCode(body.isVisible() ? Feather.CHEVRON_DOWN : Feather.CHEVRON_RIGHT);
    }

    private static Label styled(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }

    /** What is changed matters more than the words beside it, which give way first; of a long path both ends stay. */
    private static final class Target extends Label {
        private static final double WANTS = 270;

        Target(String text) {
            super(text);
        }

        @Override
        protected double computeMinWidth(double height) {
            return Math.min(WANTS, computePrefWidth(height));
        }
    }
}
