package dev.pitwall.ui.setup;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Export;
import dev.pitwall.ui.SavedFile;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.scene.Node;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;

/** Puts everything that would be changed on a card into a file for another tool. */
final class ExportMenu {

    private final Node place;
    private final MenuButton menu;
    private final Texts texts;
    private final SavedFile saved;
    private final Supplier<Optional<CardPlan>> plan;
    private final Tooltip why = new Tooltip();

    /**
     * @param place around the button, which gets no mouse events while it is disabled
     * @param plan  what shows now
     */
    ExportMenu(Node place, MenuButton menu, Texts texts, SavedFile saved, Supplier<Optional<CardPlan>> plan) {
        this.place = place;
        this.menu = menu;
        this.texts = texts;
        this.saved = saved;
        this.plan = plan;
    }

    void offer(List<Export> exports) {
        menu.getItems().setAll(exports.stream().map(this::item).toList());
    }

    /** It is of use while any step of the card has something to change. */
    void draw() {
        boolean something = plan.get().filter(p -> !p.changes().isEmpty()).isPresent();
        boolean off = !something || menu.getItems().isEmpty();
        menu.setDisable(off);
        Tooltip.uninstall(place, why);
        if (off) {
            why.setText(texts.get(menu.getItems().isEmpty() ? "setup.export.none" : "setup.export.why"));
            Tooltip.install(place, why);
        }
    }

    private MenuItem item(Export export) {
        MenuItem item = new MenuItem(known("setup.export.", export, export.kind()));
        item.setOnAction(_ -> plan.get().ifPresent(p -> saved.save(menu, texts.get("setup.export"),
                known("setup.export.file.", export, "pitwall." + export.kind()), export.render(p))));
        return item;
    }

    private String known(String family, Export export, String otherwise) {
        String key = family + export.kind();
        return texts.has(key) ? texts.get(key) : otherwise;
    }
}
