package dev.pitwall.ui.connect;

import dev.pitwall.ui.Choosing;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The connections of one kind side by side: each with its state, and a button that takes it out. */
final class EntryTabs {
    private final Texts texts;
    private final ConnectModel model;
    private final FlowPane node = new FlowPane(8, 8);
    private final ToggleGroup group = new ToggleGroup();
    private List<? extends Entry> drawn = List.of();
    private final List<Tab> tabs = new ArrayList<>();

    private record Tab(Entry entry, ToggleButton button, StackPane mark, Button remove) {
    }

    EntryTabs(Texts texts, ConnectModel model) {
        this.texts = texts;
        this.model = model;
        node.getStyleClass().add("connect-tabs");
    }

    Node node() {
        return node;
    }

    /** @param last nodes after the tabs */
    void draw(List<? extends Entry> entries, Node... last) {
        if (!entries.equals(drawn)) {
            drawn = List.copyOf(entries);
            tabs.clear();
            entries.forEach(e -> tabs.add(tab(e)));
            node.getChildren().setAll(tabs.stream().map(EntryTabs::line).toList());
            node.getChildren().addAll(last);
        }
        for (Tab tab : tabs) {
            String title = tab.entry().title().isEmpty() ? texts.get("connect.unnamed") : tab.entry().title();
            tab.button().setText(title);
            tab.button().setSelected(model.current().filter(c -> c == tab.entry()).isPresent());
            Marks.show(tab.mark(), tab.entry().standing());
            String remove = texts.get("connect.entry.remove", title);
            tab.remove().setAccessibleText(remove);
            tab.remove().setTooltip(new Tooltip(remove));
        }
    }

    private Tab tab(Entry entry) {
        StackPane mark = Marks.place();
        ToggleButton button = new ToggleButton();
        button.setGraphic(mark);
        button.setMnemonicParsing(false);
        button.setToggleGroup(group);
        button.getStyleClass().add("connect-tab");
        Choosing.whenChosen(button, () -> model.show(entry));
        Button remove = new Button("", new FontIcon(Feather.X));
        remove.getStyleClass().setAll("icon-button");
        remove.setOnAction(_ -> model.remove(entry));
        return new Tab(entry, button, mark, remove);
    }

    private static Node line(Tab tab) {
        HBox line = new HBox(tab.button(), tab.remove());
        line.getStyleClass().add("connect-tab-line");
        return line;
    }
}
