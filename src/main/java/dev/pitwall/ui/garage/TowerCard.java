package dev.pitwall.ui.garage;

import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.page.CardNodes;
import dev.pitwall.ui.theme.Motion;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.css.PseudoClass;
import javafx.geometry.Side;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Button;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** One tower: the head with the state that matters, and ten rows. The same node shows other cards as the wall scrolls. */
final class TowerCard extends Region implements CardNodes.Growing {

    private static final double HEAD = 64;
    private static final double PADDING = 8;
    /** The border and the room inside it. */
    private static final double EDGE = 17;
    /** From the right edge to the middle of the menu's three dots. */
    private static final double MENU_AT = 21;
    private static final double LINE = 1;
    private static final double GAP = 8;
    private static final double MENU = 24;
    private static final int ROWS_A_FRAME = 3;

    /** What the wall does when something on a tower is asked for. */
    interface Handler {
        void act(TowerLine tower, Floor floor, FloorAction action);

        void open(TowerLine tower, Floor floor);

        void showReadings(TowerLine tower, Floor floor);

        void copyId(TowerLine tower);

        void copyText(TowerLine tower);

        void pointAt(TowerLine tower, Floor floor);

        /** Where a floor's statement comes from, in one line; empty if nothing was read for it. */
        String origin(TowerLine tower, Floor floor);
    }

    private final Texts texts;
    private final Handler handler;
    private final Region headLine = new Region();
    private final Label name = new Label();
    private final Label size = new Label();
    private final Label place = new Label();
    private final HBox state = new HBox(6);
    private final MarkIcon stateIcon = new MarkIcon();
    private final Label stateWord = new Label();
    private final Button menu = new Button();
    private final List<FloorRow> rows = new ArrayList<>();
    private double rowHeight = 28;
    private TowerLine tower;

    TowerCard(Texts texts, Handler handler) {
        this.texts = texts;
        this.handler = handler;
        getStyleClass().add("tower");
        setAccessibleRole(AccessibleRole.LIST_VIEW);
        headLine.getStyleClass().add("tower-head-line");
        name.getStyleClass().add("tower-name");
        size.getStyleClass().add("tower-size");
        place.getStyleClass().add("tower-place");
        state.getStyleClass().add("tower-state");
        stateWord.setMinWidth(USE_PREF_SIZE);
        state.getChildren().addAll(stateIcon, stateWord);
        menu.setGraphic(new FontIcon(Feather.MORE_HORIZONTAL));
        menu.getStyleClass().setAll("icon-button");
        menu.setAccessibleText(texts.get("garage.menu"));
        menu.setTooltip(new Tooltip(texts.get("garage.menu")));
        menu.setFocusTraversable(false);
        menu.setOnAction(_ -> showMenu());
        FullText.on(name, name);
        FullText.on(place, place);
        getChildren().addAll(headLine, name, size, place, state, menu);
        for (Floor floor : Floor.values()) {
            FloorRow row = new FloorRow(texts, action -> handler.act(tower, floor, action),
                    () -> handler.origin(tower, floor));
            row.setOnMouseClicked(e -> {
                if (e.isStillSincePress()) {
                    handler.pointAt(tower, floor);
                    handler.open(tower, floor);
                }
            });
            row.hoverProperty().addListener((_, _, over) -> {
                if (over) {
                    handler.pointAt(tower, floor);
                }
            });
            rows.add(row);
        }
    }

    /** Puts the next few rows into the scene. */
    @Override
    public boolean grow() {
        List<FloorRow> missing = rows.reversed().stream().filter(row -> row.getParent() == null).toList();
        getChildren().addAll(missing.subList(0, Math.min(ROWS_A_FRAME, missing.size())));
        return !missing.isEmpty();
    }

    /** Height of a tower with rows of this height. */
    static double heightFor(double rowHeight) {
        return HEAD + LINE + PADDING + Floor.values().length * rowHeight + PADDING + LINE;
    }

    void show(TowerLine next, double height, Motion motion) {
        rowHeight = height;
        if (next.equals(tower)) {
            return;
        }
        boolean same = tower != null && tower.id().equals(next.id());
        tower = next;
        set(name, next.card().name());
        set(size, next.size());
        set(place, next.place());
        set(stateWord, next.word());
        stateIcon.show(next.mark(), next.progress());
        for (FloorState s : FloorState.values()) {
            state.pseudoClassStateChanged(
                    PseudoClass.getPseudoClass(s.name().toLowerCase(Locale.ROOT).replace('_', '-')), s == next.state());
        }
        setAccessibleText(texts.get("garage.spoken", next.card().name(), next.place(), next.word()));
        for (Floor floor : Floor.values()) {
            int above = floor.ordinal() + 1;
            Optional<FloorLine> lineAbove =
                    above < Floor.values().length ? Optional.of(next.floors().get(above)) : Optional.empty();
            rows.get(floor.ordinal()).show(next.floor(floor), lineAbove, same ? motion : Motion.NONE);
        }
        requestLayout();
    }

    void cursor(Optional<Floor> here) {
        rows.forEach(r -> r.cursor(here.filter(f -> rows.get(f.ordinal()) == r).isPresent()));
    }

    /** Ends what moves at once: for pictures. */
    void settle() {
        rows.forEach(FloorRow::settle);
    }

    FloorRow row(Floor floor) {
        return rows.get(floor.ordinal());
    }

    TowerLine tower() {
        return tower;
    }

    void showMenu() {
        ContextMenu items = new ContextMenu(
                item("garage.menu.copy-id", () -> handler.copyId(tower)),
                item("garage.menu.copy-text", () -> handler.copyText(tower)),
                item("garage.menu.readings", () -> handler.showReadings(tower, tower.card().lowestNotOk()
                        .map(f -> f.floor()).orElse(Floor.FIRMWARE))));
        items.show(menu, Side.BOTTOM, 0, 4);
    }

    private MenuItem item(String key, Runnable action) {
        MenuItem item = new MenuItem(texts.get(key));
        item.setOnAction(_ -> action.run());
        return item;
    }

    private static void set(Label label, String value) {
        if (!value.equals(label.getText())) {
            label.setText(value);
        }
    }

    @Override
    protected double computePrefHeight(double width) {
        return heightFor(rowHeight);
    }

    @Override
    protected void layoutChildren() {
        double w = getWidth();
        menu.resizeRelocate(w - MENU_AT - MENU / 2, 13, MENU, MENU);
        double right = w - MENU_AT - MENU / 2 - GAP;
        double wanted = state.prefWidth(-1);
        double sw = Math.min(wanted, Math.max(0, right - EDGE - 80));
        state.resizeRelocate(snapPositionX(right - sw), 15, sw, 20);
        right -= sw + GAP;
        double sizeWidth = size.prefWidth(-1);
        double nw = Math.min(name.prefWidth(-1), Math.max(40, right - EDGE - GAP - sizeWidth));
        name.resizeRelocate(EDGE, 15, nw, 20);
        size.resizeRelocate(EDGE + nw + GAP, 17, Math.max(0, Math.min(sizeWidth, right - EDGE - nw - GAP)), 16);
        place.resizeRelocate(EDGE, 38, Math.max(0, w - 2 * EDGE), 16);
        headLine.resizeRelocate(1, HEAD, Math.max(0, w - 2), LINE);
        double y = HEAD + LINE + PADDING;
        for (FloorRow row : rows.reversed()) {
            row.resizeRelocate(1, y, Math.max(0, w - 2), rowHeight);
            y += rowHeight;
        }
    }
}
