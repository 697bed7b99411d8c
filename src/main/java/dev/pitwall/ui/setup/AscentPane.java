package dev.pitwall.ui.setup;

import dev.pitwall.ui.words.Texts;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.text.TextAlignment;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** Below the list of steps: makes several of them in one run. */
final class AscentPane extends VBox {

    private final Label word = new Label();
    private final Button together = new Button();
    private final MenuButton walk = new MenuButton();
    private final Map<Node, Tooltip> tips = new HashMap<>();
    private final Consumer<String> onWalk;
    private Optional<AscentBar> drawn = Optional.empty();

    /** @param onWalk takes the id of the last step wanted */
    AscentPane(Texts texts, Runnable onTogether, Consumer<String> onWalk) {
        this.onWalk = onWalk;
        getStyleClass().add("ascent");
        word.getStyleClass().add("secondary");
        word.setWrapText(true);
        word.setMinHeight(USE_PREF_SIZE);
        together.setId("together");
        together.setMnemonicParsing(false);
        together.setWrapText(true);
        together.setTextAlignment(TextAlignment.CENTER);
        together.setMinHeight(USE_PREF_SIZE);
        together.setOnAction(_ -> onTogether.run());
        walk.setId("walk");
        walk.setMnemonicParsing(false);
        walk.setGraphic(new FontIcon(Feather.TRENDING_UP));
        walk.getStyleClass().add("flat-menu");
        walk.setAccessibleHelp(texts.get("setup.walk.help"));
        for (ButtonBase button : new ButtonBase[] {together, walk}) {
            button.setMaxWidth(Double.MAX_VALUE);
        }
        getChildren().addAll(word, new StackPane(together), new StackPane(walk));
        managedProperty().bind(visibleProperty());
        setVisible(false);
    }

    void show(Optional<AscentBar> bar) {
        if (bar.equals(drawn)) {
            return;
        }
        boolean sameWalks = bar.map(AscentBar::walks).equals(drawn.map(AscentBar::walks));
        drawn = bar;
        setVisible(bar.isPresent());
        bar.ifPresent(b -> {
            word.setText(b.word());
            show(together, b.together());
            show(walk, b.walk());
            // A menu that is open keeps its items under the pointer while the card is read again.
            if (!sameWalks) {
                walk.getItems().setAll(b.walks().stream().map(this::item).toList());
            }
        });
    }

    private MenuItem item(AscentBar.Walk wanted) {
        MenuItem item = new MenuItem(wanted.why().isEmpty() ? wanted.text() : wanted.text() + "\n" + wanted.why());
        item.setDisable(!wanted.why().isEmpty());
        item.setMnemonicParsing(false);
        item.setOnAction(_ -> onWalk.accept(wanted.last()));
        return item;
    }

    /** A disabled button gets no mouse events, so the place around it says why; one that is cut off says all it says. */
    private void show(ButtonBase button, Actions.Button wanted) {
        button.setText(wanted.text());
        button.setDisable(wanted.off());
        if (!wanted.why().isEmpty()) {
            button.setAccessibleHelp(wanted.why());
        }
        Node place = button.getParent();
        Tooltip before = tips.remove(place);
        if (before != null) {
            Tooltip.uninstall(place, before);
        }
        Tooltip tip = new Tooltip(wanted.off() ? wanted.why() : wanted.text());
        tips.put(place, tip);
        Tooltip.install(place, tip);
    }
}
