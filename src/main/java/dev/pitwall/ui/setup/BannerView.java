package dev.pitwall.ui.setup;

import dev.pitwall.ui.icon.MarkIcon;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** What is said above a step, with what can be done about it. */
final class BannerView extends HBox {

    BannerView(Banner banner, Consumer<Banner.Act> act) {
        getStyleClass().add("banner");
        pseudoClassStateChanged(PseudoClass.getPseudoClass(banner.tone().pseudo()), true);
        setAlignment(Pos.TOP_LEFT);
        MarkIcon mark = new MarkIcon();
        mark.show(banner.mark(), OptionalDouble.empty());
        HBox markPlace = new HBox(mark);
        markPlace.getStyleClass().add("banner-mark");
        VBox words = new VBox(2, label(banner.text(), "banner-text"));
        if (!banner.next().isEmpty()) {
            words.getChildren().add(label(banner.next(), "secondary"));
        }
        words.getStyleClass().add("banner-words");
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        getChildren().addAll(markPlace, words);
        for (Banner.Offer offer : banner.offers()) {
            Button button = new Button(offer.text());
            button.getStyleClass().add("banner-offer");
            if (offer.act() == Banner.Act.CLOSE || offer.act() == Banner.Act.JOURNAL) {
                button.getStyleClass().add("flat");
            }
            button.setMinWidth(USE_PREF_SIZE);
            button.setOnAction(_ -> act.accept(offer.act()));
            getChildren().add(button);
        }
    }

    private static Label label(String text, String styleClass) {
        Label label = new Label(text);
        label.setWrapText(true);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
