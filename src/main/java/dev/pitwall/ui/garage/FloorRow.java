package dev.pitwall.ui.garage;

import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.theme.Motion;
import dev.pitwall.ui.words.Texts;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.animation.FadeTransition;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;
import javafx.scene.shape.Line;
import javafx.util.Duration;

/** One floor of a tower. The node stays; only what differs from the line before is touched. */
final class FloorRow extends Region {

    private static final PseudoClass CAUSE = PseudoClass.getPseudoClass("cause");
    private static final PseudoClass CONSEQUENCE = PseudoClass.getPseudoClass("consequence");
    private static final PseudoClass CURSOR = PseudoClass.getPseudoClass("cursor");
    private static final PseudoClass BROKEN = PseudoClass.getPseudoClass("broken");
    private static final PseudoClass STALE = PseudoClass.getPseudoClass("stale");
    private static final PseudoClass FIGURE = PseudoClass.getPseudoClass("figure");
    private static final Map<FloorState, PseudoClass> STATES = states();

    private static final double EDGE = 16;
    private static final double ICON = 16;
    private static final double NAME_AT = 44;
    private static final double TEXT_AT = 140;
    private static final double GAP = 8;
    /** The link's own edge, so that its word ends where other words end. */
    private static final double LINK_PADDING = 4;
    /** What the spine leaves free above and below an icon. */
    private static final double SPINE_GAP = 3;
    private static final Duration TINT_FADES_IN = Duration.millis(400);

    private final Texts texts;
    private final Consumer<FloorAction> onAction;
    private final Region tint = new Region();
    private final Line spine = new Line();
    private final MarkIcon icon = new MarkIcon();
    private final Label name = new Label();
    private final Label text = new Label();
    private final Label note = new Label();
    private Button action;
    private Optional<FadeTransition> fade = Optional.empty();
    private FloorLine line;

    /** @param origin where the row's statement comes from and how old it is, in one line */
    FloorRow(Texts texts, Consumer<FloorAction> onAction, Supplier<String> origin) {
        this.texts = texts;
        this.onAction = onAction;
        getStyleClass().add("floor");
        setAccessibleRole(AccessibleRole.LIST_ITEM);
        tint.getStyleClass().add("floor-tint");
        spine.getStyleClass().add("spine");
        name.getStyleClass().add("floor-name");
        text.getStyleClass().add("floor-text");
        note.getStyleClass().add("floor-note");
        getChildren().addAll(tint, spine, icon, name, text, note);
        getChildren().forEach(n -> n.setManaged(false));
        FullText.on(this, text, origin);
    }

    /** @param above the row above, for the spine between the two; empty for the top one */
    void show(FloorLine next, Optional<FloorLine> above, Motion motion) {
        boolean broken = next.grey() || above.filter(FloorLine::grey).isPresent();
        pseudoClassStateChanged(BROKEN, broken);
        spine.setVisible(above.isPresent());
        if (next.equals(line)) {
            return;
        }
        FloorLine before = line;
        line = next;
        icon.show(next.mark(), next.progress());
        set(name, next.name());
        set(text, next.text());
        set(note, next.note());
        showState(before, next);
        showAction(next.action());
        setAccessibleText(next.spoken());
        if (motion == Motion.FULL && before != null && before.floor() == next.floor()
                && before.weight() != next.weight() && next.weight() == FloorLine.Weight.CAUSE) {
            fadeIn();
        }
        requestLayout();
    }

    void cursor(boolean here) {
        pseudoClassStateChanged(CURSOR, here);
    }

    Floor floor() {
        return line.floor();
    }

    private void showState(FloorLine before, FloorLine next) {
        if (before == null || before.state() != next.state()) {
            STATES.forEach((state, pseudo) -> pseudoClassStateChanged(pseudo, state == next.state()));
        }
        pseudoClassStateChanged(CAUSE, next.weight() == FloorLine.Weight.CAUSE);
        pseudoClassStateChanged(CONSEQUENCE, next.weight() == FloorLine.Weight.CONSEQUENCE);
        note.pseudoClassStateChanged(STALE, next.noteKind() == FloorLine.NoteKind.STALE);
        note.pseudoClassStateChanged(FIGURE, next.noteKind() != FloorLine.NoteKind.WORD);
    }

    private void showAction(Optional<FloorAction> wanted) {
        if (wanted.isEmpty()) {
            if (action != null) {
                action.setVisible(false);
            }
            return;
        }
        if (action == null) {
            action = new Button();
            action.getStyleClass().setAll("link");
            action.setFocusTraversable(false);
            action.setManaged(false);
            getChildren().add(action);
        }
        FloorAction what = wanted.get();
        action.setVisible(true);
        if (!texts.get(what.key()).equals(action.getText())) {
            action.setText(texts.get(what.key()));
        }
        action.setOnAction(_ -> onAction.accept(what));
    }

    private void fadeIn() {
        fade = Optional.of(new FadeTransition(TINT_FADES_IN, tint));
        fade.get().setFromValue(0);
        fade.get().setToValue(1);
        fade.get().play();
    }

    /** Ends what moves at once: for pictures. */
    void settle() {
        fade.ifPresent(FadeTransition::stop);
        tint.setOpacity(1);
    }

    private static void set(Label label, String value) {
        if (!value.equals(label.getText())) {
            label.setText(value);
        }
    }

    @Override
    protected void layoutChildren() {
        double w = getWidth();
        double h = getHeight();
        tint.resizeRelocate(0, 0, w, h);
        icon.resizeRelocate(EDGE, snapPositionY((h - ICON) / 2), ICON, ICON);
        double x = EDGE + ICON / 2;
        double reach = (h - ICON) / 2 - SPINE_GAP;
        spine.setStartX(x);
        spine.setEndX(x);
        spine.setStartY(-reach);
        spine.setEndY(reach);
        place(name, NAME_AT, TEXT_AT - NAME_AT - GAP, h);
        double right = w - EDGE;
        if (action != null && action.isVisible()) {
            double aw = action.prefWidth(-1);
            double ah = action.prefHeight(-1);
            right += LINK_PADDING;
            action.resizeRelocate(snapPositionX(right - aw), snapPositionY((h - ah) / 2), aw, ah);
            right -= aw + GAP;
        }
        if (!note.getText().isEmpty()) {
            double nw = note.prefWidth(-1);
            place(note, snapPositionX(right - nw), nw, h);
            right -= nw + GAP;
        } else {
            note.resize(0, 0);
        }
        place(text, TEXT_AT, right - TEXT_AT, h);
    }

    private void place(Label label, double x, double width, double h) {
        double ph = label.prefHeight(-1);
        label.resizeRelocate(x, snapPositionY((h - ph) / 2), Math.max(0, width), ph);
    }

    private static Map<FloorState, PseudoClass> states() {
        Map<FloorState, PseudoClass> result = new EnumMap<>(FloorState.class);
        for (FloorState state : FloorState.values()) {
            result.put(state, PseudoClass.getPseudoClass(state.name().toLowerCase(Locale.ROOT).replace('_', '-')));
        }
        return result;
    }
}
