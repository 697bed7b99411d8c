package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.ui.board.PlacementLine.Quick;
import dev.pitwall.ui.icon.Glyph;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.icon.Shape;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.theme.Motion;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import javafx.animation.Interpolator;
import javafx.animation.TranslateTransition;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;
import javafx.util.Duration;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** A model on a card. The node stays, and shows other models as the column scrolls; only what differs is touched. */
final class PlacementRow extends Region {

    private static final PseudoClass CURSOR = PseudoClass.getPseudoClass("cursor");
    private static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");
    private static final PseudoClass VICTIM = PseudoClass.getPseudoClass("victim");
    private static final PseudoClass LIFTED = PseudoClass.getPseudoClass("lifted");
    private static final PseudoClass LIT = PseudoClass.getPseudoClass("lit");
    private static final PseudoClass PINNED = PseudoClass.getPseudoClass("pinned");
    private static final Duration MOVES = Duration.millis(200);
    private static final double EDGE = 11;
    private static final double FIRST = 18;
    private static final double SECOND = 38;
    private static final double ICON = 16;
    private static final double BUTTON = 24;
    private static final double PROGRESS_AT = 52;
    private static final double PROGRESS = 4;
    private static final double GAP = 6;

    /** What the buttons of a row do. */
    interface Handler {
        void pin(PlacementLine line);

        void quick(PlacementLine line);
    }

    private final Texts texts;
    private final NameLabel name = new NameLabel("placement-name");
    private final MarkIcon mark = new MarkIcon();
    private final Label word = Words.label("placement-word");
    private final MarkIcon warning = new MarkIcon(Mark.TRIANGLE);
    private final Swatch swatch = new Swatch();
    private final Label size = Words.label("placement-size");
    private final Button pin = button();
    private final Button quick = button();
    private final Region track = region("progress-track");
    private final Region done = region("progress-done");
    private final TranslateTransition slide = new TranslateTransition(MOVES, this);
    private final Supplier<Motion> motion;
    private final Glide glide = new Glide(this::glide);
    private double shareBefore;
    private double share;
    private boolean placed;
    private Optional<PlacementLine> shown = Optional.empty();
    private Optional<String> victim = Optional.empty();

    /** @param motion whether what it shows glides */
    PlacementRow(Texts texts, Handler handler, Supplier<Motion> motion) {
        this.texts = texts;
        this.motion = motion;
        slide.setInterpolator(Interpolator.EASE_OUT);
        getStyleClass().add("placement");
        setAccessibleRole(AccessibleRole.LIST_ITEM);
        warning.getStyleClass().add("placement-warning");
        pin.setGraphic(new Glyph(Shape.PIN));
        pin.getStyleClass().add("placement-pin");
        pin.setOnAction(_ -> shown.ifPresent(handler::pin));
        quick.setOnAction(_ -> shown.ifPresent(handler::quick));
        getChildren().addAll(name, mark, word, swatch, size, quick);
        List.of(name, mark, word, warning, swatch, size, pin, quick, track, done).forEach(n -> n.setManaged(false));
        hoverProperty().addListener((_, _, _) -> showPin());
    }

    private static Button button() {
        Button button = new Button();
        button.getStyleClass().setAll("icon-button");
        button.setFocusTraversable(false);
        return button;
    }

    private static Region region(String styleClass) {
        Region region = new Region();
        region.getStyleClass().add(styleClass);
        return region;
    }

    Optional<PlacementLine> line() {
        return shown;
    }

    /** @param gone while a preview says that it would have to go: what it says then */
    void show(PlacementLine line, Optional<String> gone) {
        if (shown.filter(line::equals).isPresent() && gone.equals(victim)) {
            return;
        }
        Optional<PlacementLine> before = shown;
        shown = Optional.of(line);
        victim = gone;
        name.name(line.name());
        Words.explain(name, line.name() + "\n" + line.more());
        Words.set(word, gone.orElse(line.word()));
        Words.explain(word, line.word());
        Words.set(size, line.size());
        Words.explain(size, line.more());
        swatch.show(line.fill());
        mark.show(gone.isPresent() ? Mark.LEAVES : line.mark(), line.progress());
        Words.tone(this, gone.isPresent() ? Tone.FAILING : line.tone());
        pseudoClassStateChanged(VICTIM, gone.isPresent());
        visible(line.warning().isPresent(), warning);
        Words.explain(warning, line.warning().orElse(""));
        if (before.map(PlacementLine::quick).filter(line.quick()::equals).isEmpty()) {
            showQuick(line.quick());
        }
        if (before.map(PlacementLine::pinned).filter(line.pinned()::equals).isEmpty()) {
            pin.setAccessibleText(texts.get(line.pinned() == Pinning.PINNED ? "board.unpin" : "board.pin"));
            Words.explain(pin, pin.getAccessibleText());
            pin.pseudoClassStateChanged(PINNED, line.pinned() == Pinning.PINNED);
        }
        showPin();
        boolean loading = line.shape() == PlacementLine.Shape.LOADING;
        visible(loading, track);
        visible(loading && line.progress().isPresent(), done);
        if (!before.map(PlacementLine::progress).equals(Optional.of(line.progress()))) {
            shareBefore = share;
            glide.start(before.filter(b -> b.id().equals(line.id()) && b.progress().isPresent()).isPresent() ? motion.get() : Motion.NONE);
        }
        setAccessibleText(line.spoken());
        requestLayout();
    }

    private void glide(double way) {
        double wanted = Math.clamp(shown.map(PlacementLine::progress).orElse(OptionalDouble.empty()).orElse(0), 0, 1);
        share = shareBefore + (wanted - shareBefore) * way;
        layoutDone();
    }

    private void layoutDone() {
        done.resizeRelocate(EDGE, PROGRESS_AT, Math.max(PROGRESS, (getWidth() - 2 * EDGE) * share), PROGRESS);
    }

    private void showQuick(Quick what) {
        quick.setVisible(what != Quick.NONE);
        switch (what) {
            case EVICT -> showQuick(new Glyph(Shape.EJECT), texts.get("board.evict"));
            case CANCEL -> showQuick(new FontIcon(Feather.X), texts.get("board.cancel"));
            case AGAIN -> showQuick(new FontIcon(Feather.ROTATE_CW), texts.get("board.again"));
            case NONE -> { }
        }
    }

    private void showQuick(Node icon, String says) {
        quick.setGraphic(icon);
        quick.setAccessibleText(says);
        Words.explain(quick, says);
    }

    /** A pin that holds always shows; one that could be set, only in reach. */
    private void showPin() {
        visible(shown.filter(l -> l.pinned() == Pinning.PINNED || isHover()).isPresent(), pin);
    }

    /** What most rows never show comes into the scene when it first does: what is there is styled, seen or not. */
    private void visible(boolean is, Node part) {
        if (is && part.getParent() == null) {
            getChildren().add(part);
        }
        part.setVisible(is);
    }

    /** Puts the row in its place; one that had another on this card moves there, if it may. */
    void place(double x, double y, double width, double height, Motion moves) {
        double before = getLayoutY();
        double seenAt = before + getTranslateY();
        resizeRelocate(x, y, width, height);
        if (moves == Motion.NONE) {
            settle();
        } else if (placed && before != y) {
            slide.stop();
            setTranslateY(seenAt - y);
            slide.setFromY(seenAt - y);
            slide.setToY(0);
            slide.playFromStart();
        }
        placed = true;
    }

    /** Is out of sight, until it shows another model. */
    void leave() {
        setVisible(false);
        settle();
        placed = false;
    }

    /** Is where it belongs at once. */
    void settle() {
        slide.stop();
        setTranslateY(0);
        glide.settle();
    }

    void cursor(boolean here) {
        pseudoClassStateChanged(CURSOR, here);
    }

    void chosen(boolean is) {
        pseudoClassStateChanged(CHOSEN, is);
    }

    void lifted(boolean is) {
        pseudoClassStateChanged(LIFTED, is);
    }

    /** The pointer is on its part of the bar. */
    void lit(boolean is) {
        pseudoClassStateChanged(LIT, is);
    }

    @Override
    protected void layoutChildren() {
        double w = getWidth();
        double right = w - 5 - BUTTON;
        quick.resizeRelocate(right, FIRST - BUTTON / 2, BUTTON, BUTTON);
        pin.resizeRelocate(right - BUTTON + 3, FIRST - BUTTON / 2, BUTTON, BUTTON);
        double nameEnd = pin.isVisible() ? right - BUTTON + 1 : right - 2;
        place(name, EDGE, nameEnd - EDGE, FIRST);
        double sizeWidth = size.prefWidth(-1);
        place(size, w - EDGE - sizeWidth, sizeWidth, SECOND);
        double swatchAt = Math.round(w - EDGE - sizeWidth - GAP - Swatch.SIZE);
        swatch.resizeRelocate(swatchAt, SECOND - Swatch.SIZE / 2, Swatch.SIZE, Swatch.SIZE);
        mark.resizeRelocate(EDGE - 1, SECOND - ICON / 2, ICON, ICON);
        double wordAt = EDGE + ICON + GAP - 1;
        double room = swatchAt - GAP - wordAt;
        if (warning.isVisible()) {
            double wordWidth = Math.min(word.prefWidth(-1), room - ICON - GAP);
            place(word, wordAt, wordWidth, SECOND);
            warning.resizeRelocate(wordAt + wordWidth + GAP, SECOND - ICON / 2, ICON, ICON);
        } else {
            place(word, wordAt, room, SECOND);
        }
        double all = w - 2 * EDGE;
        track.resizeRelocate(EDGE, PROGRESS_AT, all, PROGRESS);
        layoutDone();
    }

    private static void place(Label label, double x, double width, double middle) {
        double height = label.prefHeight(-1);
        label.resizeRelocate(x, Math.round(middle - height / 2), Math.max(0, width), height);
    }
}
