package dev.pitwall.ui.board;

import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javafx.geometry.Side;
import javafx.scene.Node;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;

/** The menus of rows and cards: everything that a drag or a key does, by name. */
final class BoardMenus {

    /** What their items do. */
    interface Actions {
        void chooseTarget(Carry carry);

        void pin(List<PlacementId> placements);

        void evict(List<PlacementId> placements);

        void quick(PlacementLine line);

        void hold(ColumnLine column, Optional<Duration> howLong);

        void release(ColumnLine column);

        void pull(Optional<ColumnLine> to, String model);

        void figures(ColumnLine column);

        void measure(PlacementId placement);

        void stopMeasuring(PlacementId placement);

        boolean isMeasured(PlacementId placement);

        void copy(String text);

        boolean allPinned(List<PlacementId> placements);
    }

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration EVENING = Duration.ofHours(8);

    private final Texts texts;
    private final Actions actions;
    private Optional<ContextMenu> open = Optional.empty();

    BoardMenus(Texts texts, Actions actions) {
        this.texts = texts;
        this.actions = actions;
    }

    /** @param about all that the menu is about, that of the line among them */
    ContextMenu placement(PlacementLine line, List<PlacementId> about) {
        ContextMenu menu = new ContextMenu();
        boolean many = about.size() > 1;
        menu.getItems().add(item(many ? texts.get("board.menu.move.many", about.size()) : texts.get("board.menu.move"),
                () -> actions.chooseTarget(new Carry.OfCards(about))));
        menu.getItems().add(item(texts.get(actions.allPinned(about) ? "board.unpin" : "board.pin"), () -> actions.pin(about)));
        switch (line.quick()) {
            case EVICT -> menu.getItems().add(item(many ? texts.get("board.menu.evict.many", about.size())
                    : texts.get("board.menu.evict"), () -> actions.evict(about)));
            case CANCEL -> menu.getItems().add(item(texts.get("board.cancel"), () -> actions.quick(line)));
            case AGAIN -> menu.getItems().add(item(texts.get("board.again"), () -> actions.quick(line)));
            case NONE -> { }
        }
        if (!many && line.quick() == PlacementLine.Quick.EVICT) {
            menu.getItems().add(actions.isMeasured(line.id())
                    ? item(texts.get("board.menu.measure.stop"), () -> actions.stopMeasuring(line.id()))
                    : item(texts.get("board.menu.measure"), () -> actions.measure(line.id())));
        }
        menu.getItems().addAll(new SeparatorMenuItem(), item(texts.get("board.menu.copy"), () -> actions.copy(line.name())));
        return menu;
    }

    Optional<ContextMenu> shelf(ShelfLine line) {
        return switch (line) {
            case ShelfLine.OnDisk d -> Optional.of(new ContextMenu(
                    item(texts.get("board.menu.load"), () -> actions.chooseTarget(new Carry.OfShelf(d.name()))),
                    item(texts.get("board.menu.pull"), () -> actions.pull(Optional.empty(), d.name().text())),
                    new SeparatorMenuItem(), item(texts.get("board.menu.copy"), () -> actions.copy(d.name().text()))));
            case ShelfLine.OnCard c -> Optional.of(new ContextMenu(
                    item(texts.get("board.menu.move"), () -> actions.chooseTarget(new Carry.OfCards(List.of(c.id())))),
                    item(texts.get("board.menu.load"), () -> actions.chooseTarget(new Carry.OfShelf(c.id().model()))),
                    item(texts.get("board.menu.evict"), () -> actions.evict(List.of(c.id()))),
                    item(texts.get("board.menu.pull"), () -> actions.pull(Optional.empty(), c.id().model().text())),
                    new SeparatorMenuItem(), item(texts.get("board.menu.copy"), () -> actions.copy(c.id().model().text()))));
            case ShelfLine.Head _, ShelfLine.Waiting _, ShelfLine.Pull _, ShelfLine.Nothing _ -> Optional.empty();
        };
    }

    ContextMenu card(ColumnLine column) {
        ContextMenu menu = new ContextMenu();
        if (column.hold().isPresent()) {
            menu.getItems().add(item(texts.get("board.menu.release"), () -> actions.release(column)));
        } else {
            menu.getItems().addAll(item(texts.get("board.menu.hold"), () -> actions.hold(column, Optional.empty())),
                    item(texts.get("board.menu.hold.hour"), () -> actions.hold(column, Optional.of(HOUR))),
                    item(texts.get("board.menu.hold.evening"), () -> actions.hold(column, Optional.of(EVENING))));
        }
        List<PlacementId> all = column.placements().stream().filter(p -> p.quick() == PlacementLine.Quick.EVICT)
                .map(PlacementLine::id).toList();
        MenuItem evict = item(texts.get("board.menu.evict.all", all.size()), () -> actions.evict(all));
        evict.setDisable(all.isEmpty());
        menu.getItems().addAll(item(texts.get("board.menu.figures"), () -> actions.figures(column)), new SeparatorMenuItem(),
                item(texts.get("board.menu.pull.here"), () -> actions.pull(Optional.of(column), "")), evict);
        return menu;
    }

    void show(ContextMenu menu, Node beside) {
        close();
        menu.show(beside, Side.BOTTOM, 0, 4);
        open = Optional.of(menu);
    }

    void show(ContextMenu menu, Node owner, double screenX, double screenY) {
        close();
        menu.show(owner, screenX, screenY);
        open = Optional.of(menu);
    }

    void close() {
        open.ifPresent(ContextMenu::hide);
        open = Optional.empty();
    }

    private static MenuItem item(String text, Runnable action) {
        MenuItem item = new MenuItem(text);
        item.setMnemonicParsing(false);
        item.setOnAction(_ -> action.run());
        return item;
    }
}
