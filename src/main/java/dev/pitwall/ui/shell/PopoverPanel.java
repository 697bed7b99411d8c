package dev.pitwall.ui.shell;

import javafx.scene.Node;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Region;
import javafx.util.Duration;
import org.controlsfx.control.PopOver;

/** A panel beside the thing it explains, one at a time. Esc closes it and gives the keyboard back. */
public final class PopoverPanel {

    private static final Duration FADE = Duration.millis(160);

    private static final String BRIDGE = PopoverPanel.class.getResource("/css/controlsfx.css").toExternalForm();

    private PopOver open;

    /** Shows the content beside the node; what showed before closes. */
    public void show(Node beside, Region content, PopOver.ArrowLocation arrow) {
        show(beside, content, arrow, () -> { });
    }

    /** @param closed called once, however it closes */
    public void show(Node beside, Region content, PopOver.ArrowLocation arrow, Runnable closed) {
        hide();
        content.getStyleClass().add("popover-content");
        PopOver panel = new PopOver(content);
        panel.setArrowLocation(arrow);
        panel.setDetachable(false);
        panel.setFadeInDuration(FADE);
        panel.setFadeOutDuration(FADE);
        panel.setOnHidden(_ -> closed.run());
        content.addEventHandler(KeyEvent.KEY_PRESSED, e -> {
            if (e.getCode() == KeyCode.ESCAPE || e.getCode() == KeyCode.SPACE) {
                hide();
            }
        });
        panel.show(beside);
        // The skin puts ControlsFX's own colours on the root, above every sheet of the scene, so ours go there after it.
        panel.getRoot().getStylesheets().add(BRIDGE);
        content.requestFocus();
        open = panel;
    }

    public void hide() {
        if (open != null) {
            open.hide(Duration.ZERO);
            open = null;
        }
    }
}
