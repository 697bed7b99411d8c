package dev.pitwall.ui.setup;

import dev.pitwall.ui.words.Texts;
import java.util.function.Consumer;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.ToggleGroup;

/** The card that shows, and the menu of the others. */
final class CardChooser {

    /** The controls, and the place around them. */
    record Parts(Node place, MenuButton menu, Label name, Label size, Label where) {
    }

    private final Parts parts;
    private final Texts texts;
    private final Consumer<String> choose;

    /** @param choose takes the id of the card that was chosen */
    CardChooser(Parts parts, Texts texts, Consumer<String> choose) {
        this.parts = parts;
        this.texts = texts;
        this.choose = choose;
    }

    void show(SetupPage page) {
        parts.place().setVisible(page.card().isPresent());
        page.card().ifPresent(card -> {
            parts.name().setText(card.name());
            parts.size().setText(card.size());
            parts.where().setText(card.place());
            parts.menu().setAccessibleText(texts.get("setup.card.spoken", card.name(), card.place()));
        });
        ToggleGroup group = new ToggleGroup();
        parts.menu().getItems().setAll(page.cards().stream().map(card -> item(card, page, group)).toList());
    }

    private RadioMenuItem item(CardEntry card, SetupPage page, ToggleGroup group) {
        RadioMenuItem item = new RadioMenuItem(texts.get("setup.card.item", card.name(), card.place()));
        item.setMnemonicParsing(false);
        item.setToggleGroup(group);
        item.setSelected(page.card().filter(card::equals).isPresent());
        item.setOnAction(_ -> choose.accept(card.id()));
        return item;
    }
}
