package dev.pitwall.ui.shell;

import javafx.beans.NamedArg;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.StackPane;
import org.kordamp.ikonli.javafx.FontIcon;

/** One entry of the rail: an icon, its word, and a badge when something is open there. */
public final class RailItem extends Button {

    private static final PseudoClass CHOSEN = PseudoClass.getPseudoClass("chosen");
    private static final PseudoClass ALARM = PseudoClass.getPseudoClass("alarm");

    private final Page page;
    private final Label badge = new Label();

    public RailItem(@NamedArg("page") Page page, @NamedArg("text") String text) {
        super(text);
        this.page = page;
        badge.getStyleClass().add("badge");
        badge.setVisible(false);
        badge.setManaged(false);
        badge.pseudoClassStateChanged(ALARM, page == Page.DOCTOR);
        StackPane picture = new StackPane(new FontIcon(page.icon()), badge);
        picture.setAlignment(Pos.CENTER);
        picture.getStyleClass().add("rail-picture");
        setGraphic(picture);
        getStyleClass().setAll("rail-item");
        setMnemonicParsing(false);
    }

    Page page() {
        return page;
    }

    void chosen(boolean here) {
        pseudoClassStateChanged(CHOSEN, here);
    }

    /** @param number 0 hides the badge */
    void badge(int number, String spoken) {
        badge.setVisible(number > 0);
        badge.setText(number > 99 ? "99+" : Integer.toString(number));
        badge.autosize();
        badge.resizeRelocate(15, -4, Math.max(16, badge.prefWidth(-1)), 16);
        setAccessibleText(number > 0 ? getText() + ", " + spoken : getText());
    }
}
