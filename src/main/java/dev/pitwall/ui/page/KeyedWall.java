package dev.pitwall.ui.page;

import javafx.scene.AccessibleRole;
import javafx.scene.control.ScrollPane;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;

/** Cards that are scrolled and gone through with keys. It remembers whether the keyboard is what moves here. */
public abstract class KeyedWall extends ScrollPane {

    private boolean keyboard;

    /** To be called once. @param content laid out anew as other parts of it come into sight */
    protected final void frame(Region content, String styleClass) {
        getStyleClass().add(styleClass);
        setFitToWidth(true);
        setHbarPolicy(ScrollBarPolicy.NEVER);
        setContent(content);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.LIST_VIEW);
        viewportBoundsProperty().addListener((_, _, _) -> content.requestLayout());
        vvalueProperty().addListener((_, _, _) -> content.requestLayout());
        focusedProperty().addListener((_, _, _) -> drawCursor());
        focusVisibleProperty().addListener((_, _, here) -> keyboard(keyboard || here));
        addEventFilter(KeyEvent.KEY_PRESSED, _ -> keyboard(true));
        addEventFilter(MouseEvent.MOUSE_PRESSED, _ -> keyboard(false));
    }

    /** Draws the place of the keyboard, or draws it no more. */
    protected abstract void drawCursor();

    /** Whether the keyboard is what moves here: JavaFX forgets that when focus is given by code, as it is after a search. */
    public final void keyboard(boolean used) {
        keyboard = used;
        drawCursor();
    }

    /** True while the place of the keyboard is shown. */
    public final boolean cursorShows() {
        return isFocused() && keyboard;
    }
}
