package dev.pitwall.ui.shell;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.value.ChangeListener;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;

/**
 * The layer above the pages for one dialog at a time. What lies below is dimmed and cannot be reached; Esc closes; the
 * keyboard stays inside and goes back to where it was.
 */
public final class Overlay {

    private final StackPane layer;
    private final Region below;
    private final ChangeListener<Node> keepFocusInside = (_, _, owner) -> keepInside(owner);
    private final ReadOnlyBooleanWrapper showing = new ReadOnlyBooleanWrapper();
    private Optional<Node> shown = Optional.empty();
    private Optional<Node> focusBefore = Optional.empty();
    private BooleanSupplier mayClose = () -> true;
    private Runnable onClosed = () -> { };

    /** @param layer an empty pane above {@code below}, not managed while nothing shows */
    public Overlay(StackPane layer, Region below) {
        this.layer = layer;
        this.below = below;
        layer.setVisible(false);
        layer.addEventHandler(KeyEvent.KEY_PRESSED, e -> {
            if (e.getCode() == KeyCode.ESCAPE && shown.isPresent()) {
                e.consume();
                leave();
            }
        });
    }

    /** What closes a dialog besides its own buttons. */
    public enum Dismissal {
        /** Esc only: for dialogs in which something is typed that a stray click must not lose. */
        ESCAPE,
        /** Esc, or a click beside it. */
        ESCAPE_OR_OUTSIDE
    }

    /**
     * Shows the dialog; one that is already there closes first.
     *
     * @param first    what the keyboard starts at
     * @param onClosed called however it closes
     */
    public void show(Node dialog, Pos place, Node first, Dismissal dismissal, Runnable onClosed) {
        show(dialog, place, first, dismissal, () -> true, onClosed);
    }

    /**
     * The same for a dialog with something to lose.
     *
     * @param mayClose asked when the person presses Esc or clicks beside the dialog
     */
    public void show(Node dialog, Pos place, Node first, Dismissal dismissal, BooleanSupplier mayClose,
                     Runnable onClosed) {
        close();
        this.mayClose = mayClose;
        focusBefore = Optional.ofNullable(layer.getScene().getFocusOwner());
        this.onClosed = onClosed;
        shown = Optional.of(dialog);
        StackPane.setAlignment(dialog, place);
        Region scrim = new Region();
        scrim.getStyleClass().add("scrim");
        if (dismissal == Dismissal.ESCAPE_OR_OUTSIDE) {
            scrim.setOnMousePressed(_ -> leave());
        }
        layer.getChildren().setAll(scrim, dialog);
        layer.setVisible(true);
        below.setMouseTransparent(true);
        layer.getScene().focusOwnerProperty().addListener(keepFocusInside);
        first.requestFocus();
        showing.set(true);
    }

    /** Closes what shows, if anything does. */
    public void close() {
        if (shown.isEmpty()) {
            return;
        }
        layer.getScene().focusOwnerProperty().removeListener(keepFocusInside);
        shown = Optional.empty();
        layer.getChildren().clear();
        layer.setVisible(false);
        below.setMouseTransparent(false);
        focusBefore.filter(n -> n.getScene() == layer.getScene()).ifPresent(Node::requestFocus);
        focusBefore = Optional.empty();
        Runnable closed = onClosed;
        onClosed = () -> { };
        closed.run();
        showing.set(shown.isPresent());
    }

    private void leave() {
        if (mayClose.getAsBoolean()) {
            close();
        }
    }

    public boolean isShowing() {
        return shown.isPresent();
    }

    public ReadOnlyBooleanProperty showingProperty() {
        return showing.getReadOnlyProperty();
    }

    private void keepInside(Node owner) {
        shown.filter(dialog -> owner != null && !inside(owner, dialog)).ifPresent(dialog -> firstIn(dialog)
                .ifPresent(Node::requestFocus));
    }

    private static boolean inside(Node node, Node root) {
        for (Node n = node; n != null; n = n.getParent()) {
            if (n == root) {
                return true;
            }
        }
        return false;
    }

    /** The keyboard goes there when the dialog that shows closes, instead of to where it was. */
    void returnTo(Node place) {
        focusBefore = Optional.of(place);
    }

    /** True while the keyboard is somewhere in there. */
    public static boolean holdsFocus(Node root) {
        return root.getScene() != null && inside(root.getScene().getFocusOwner(), root);
    }

    /** The first node in there that the keyboard can reach. */
    public static Optional<Node> firstIn(Node node) {
        if (node.isFocusTraversable() && !node.isDisabled() && node.isVisible()) {
            return Optional.of(node);
        }
        return switch (node) {
            case Parent parent -> parent.getChildrenUnmodifiable().stream()
                    .flatMap(child -> firstIn(child).stream()).findFirst();
            default -> Optional.empty();
        };
    }
}
