package dev.pitwall.ui.garage;

import dev.pitwall.ui.page.CardNodes;
import dev.pitwall.ui.page.KeyedWall;
import dev.pitwall.ui.theme.Motion;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.geometry.Bounds;
import javafx.scene.AccessibleAttribute;
import javafx.scene.layout.Region;

/** The towers in columns. Only the towers in sight exist as nodes. */
final class Wall extends KeyedWall {

    private static final double GAP = 16;
    /** Below this a tower's texts are cut. */
    private static final double NARROWEST = 380;
    private static final double NARROW_WINDOW = 1128;

    private final Texts texts;
    private final TowerCard.Handler handler;
    private final Content content = new Content();
    private final CardNodes<String, TowerCard> nodes = new CardNodes<>(content);
    private List<TowerLine> towers = List.of();
    private Optional<Cursor> cursor = Optional.empty();
    private double rowHeight = 28;
    private Motion motion = Motion.FULL;

    Wall(Texts texts, TowerCard.Handler handler) {
        this.texts = texts;
        this.handler = handler;
        frame(content, "wall");
    }

    void rowHeight(double height) {
        rowHeight = height;
        nodes.shown().values().forEach(t -> t.show(t.tower(), height, motion));
        nodes.shown().values().forEach(TowerCard::requestLayout);
        content.requestLayout();
    }

    void motion(Motion allowed) {
        motion = allowed;
    }

    void show(List<TowerLine> next) {
        boolean moved = !ids(next).equals(ids(towers));
        towers = next;
        for (TowerLine tower : next) {
            nodes.get(tower.id()).ifPresent(card -> card.show(tower, rowHeight, motion));
        }
        if (moved) {
            content.requestLayout();
        }
    }

    void cursor(Optional<Cursor> next) {
        cursor = next;
        drawCursor();
        next.ifPresent(c -> scrollTo(indexOf(c.cardId())));
        notifyAccessibleAttributeChanged(AccessibleAttribute.TEXT);
    }

    /** Towers beside each other. */
    int columns() {
        return content.columns();
    }

    /** Whole rows of towers in sight, at least one. */
    int rowsInSight() {
        return Math.max(1, (int) (getViewportBounds().getHeight() / content.step()));
    }

    /** The node of a tower, while it is in sight. */
    Optional<TowerCard> card(String id) {
        return nodes.get(id);
    }

    /** Makes every tower in sight now instead of a few rows a frame: for pictures. */
    void fillNow() {
        content.layoutNow();
        nodes.fillNow();
        nodes.shown().values().forEach(TowerCard::settle);
    }

    @Override
    public Object queryAccessibleAttribute(AccessibleAttribute attribute, Object... parameters) {
        if (attribute == AccessibleAttribute.TEXT) {
            return cursor.flatMap(c -> towers.stream().filter(t -> t.id().equals(c.cardId())).findFirst()
                    .map(t -> t.card().name() + ", " + t.place() + ". " + t.floor(c.floor()).spoken())).orElse("");
        }
        return super.queryAccessibleAttribute(attribute, parameters);
    }

    @Override
    protected void drawCursor() {
        nodes.shown().forEach((id, card) -> card.cursor(cursor.filter(c -> cursorShows() && c.cardId().equals(id))
                .map(Cursor::floor)));
    }

    private int indexOf(String id) {
        return ids(towers).indexOf(id);
    }

    private void scrollTo(int index) {
        double view = getViewportBounds().getHeight();
        double room = content.wholeHeight() - view;
        if (index < 0 || room <= 0) {
            return;
        }
        double top = content.topOf(index);
        double bottom = top + content.step() + GAP;
        double now = getVvalue() * room;
        double edge = content.edge();
        if (top - edge < now) {
            setVvalue(Math.max(0, (top - edge) / room));
        } else if (bottom > now + view) {
            setVvalue(Math.min(1, (bottom - view) / room));
        }
    }

    private static List<String> ids(List<TowerLine> lines) {
        return lines.stream().map(TowerLine::id).toList();
    }

    private final class Content extends Region implements CardNodes.Wall<String, TowerCard> {

        Content() {
            getStyleClass().add("wall-content");
        }

        double edge() {
            return getWidth() < NARROW_WINDOW ? 16 : 24;
        }

        int columns() {
            return Math.max(1, (int) ((getWidth() - 2 * edge() + GAP) / (NARROWEST + GAP)));
        }

        double step() {
            return TowerCard.heightFor(rowHeight) + GAP;
        }

        double topOf(int index) {
            return index / columns() * step();
        }

        double wholeHeight() {
            int rows = (towers.size() + columns() - 1) / columns();
            return rows == 0 ? 0 : rows * step();
        }

        @Override
        public TowerCard make() {
            TowerCard card = new TowerCard(texts, handler);
            card.setManaged(false);
            getChildren().add(card);
            return card;
        }

        @Override
        public void enter(String id, TowerCard card) {
            int index = indexOf(id);
            card.show(towers.get(index), rowHeight, Motion.NONE);
            place(card, index);
            drawCursor();
        }

        @Override
        public List<String> inSight() {
            return indexesInSight().stream().map(i -> towers.get(i).id()).toList();
        }

        void place(TowerCard card, int index) {
            int columns = columns();
            double width = Math.floor((getWidth() - 2 * edge() - (columns - 1) * GAP) / columns);
            card.resizeRelocate(edge() + index % columns * (width + GAP), topOf(index), width,
                    TowerCard.heightFor(rowHeight));
        }

        /** Indexes of the towers in sight, with one row more below. */
        private List<Integer> indexesInSight() {
            Bounds view = getViewportBounds();
            double top = Math.max(0, -view.getMinY());
            int first = (int) (top / step()) * columns();
            int last = ((int) ((top + view.getHeight()) / step()) + 1) * columns();
            List<Integer> result = new ArrayList<>();
            for (int i = first; i < Math.min(last, towers.size()); i++) {
                result.add(i);
            }
            return result;
        }

        void layoutNow() {
            layoutChildren();
        }

        @Override
        protected double computePrefHeight(double width) {
            return wholeHeight();
        }

        @Override
        protected void layoutChildren() {
            nodes.follow();
            indexesInSight().forEach(i -> nodes.get(towers.get(i).id()).ifPresent(card -> place(card, i)));
        }
    }
}
