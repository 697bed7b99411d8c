package dev.pitwall.ui.board;

import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.ui.page.CardNodes;
import dev.pitwall.ui.page.KeyedWall;
import dev.pitwall.ui.page.Turns;
import dev.pitwall.ui.theme.Motion;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javafx.geometry.Bounds;
import javafx.scene.AccessibleAttribute;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The cards beside each other under the names of their nodes. Only cards in sight exist as nodes. */
final class BoardWall extends KeyedWall {

    private final Texts texts;
    private final ColumnCard.Handler handler;
    private final Content content = new Content();
    private final CardNodes<ProviderId, ColumnCard> nodes;
    private final List<GroupHead> heads = new ArrayList<>();
    private List<ColumnLine> columns = List.of();
    private Function<ProviderId, Curve> curves = _ -> Curve.NOTHING;
    private Function<ColumnLine, ColumnCard.Marks> marks = _ -> ColumnCard.Marks.NONE;
    private Predicate<ProviderId> kept = _ -> false;
    private UnaryOperator<ColumnLine> fresh = UnaryOperator.identity();
    private Optional<String> spoken = Optional.empty();
    private Motion motion = Motion.FULL;
    private WallLayout layout = new WallLayout(List.of(), 0, 0);

    BoardWall(Texts texts, ColumnCard.Handler handler, Turns turns) {
        this.texts = texts;
        this.handler = handler;
        this.nodes = new CardNodes<>(content, turns);
        frame(content, "board-wall");
    }

    /**
     * @param marked what is marked on a card besides what is true of it
     * @param keep   cards whose nodes stay out of sight too: a node that is dragged from must not leave the scene
     * @param newly  what a card says now that has come into sight
     */
    void marks(Function<ColumnLine, ColumnCard.Marks> marked, Predicate<ProviderId> keep, UnaryOperator<ColumnLine> newly) {
        marks = marked;
        fresh = newly;
        kept = keep;
    }

    /** Whether rows move to their places. */
    void motion(Motion allowed) {
        motion = allowed;
    }

    void show(List<ColumnLine> next) {
        columns = next;
        content.measure();
        remark();
        content.requestLayout();
    }

    /** @param busy how busy a card was lately; asked for cards in sight only */
    void curves(Function<ProviderId, Curve> busy) {
        curves = busy;
    }

    /** Marks anew what is in sight. */
    @Override
    protected void drawCursor() {
        remark();
    }

    void remark() {
        for (ColumnLine column : columns) {
            nodes.get(column.id()).ifPresent(card -> show(card, column));
        }
    }

    private void show(ColumnCard card, ColumnLine column) {
        card.show(column, marks.apply(column), curves.apply(column.id()));
    }

    /** What a screen reader says of the place of the keyboard. */
    void speak(String text) {
        spoken = Optional.of(text);
        notifyAccessibleAttributeChanged(AccessibleAttribute.TEXT);
    }

    @Override
    public Object queryAccessibleAttribute(AccessibleAttribute attribute, Object... parameters) {
        return attribute == AccessibleAttribute.TEXT ? spoken.orElse("") : super.queryAccessibleAttribute(attribute, parameters);
    }

    Optional<ColumnCard> card(ProviderId id) {
        return nodes.get(id);
    }

    /** The card at a place of the scene. */
    Optional<ProviderId> cardAt(double sceneX, double sceneY) {
        if (!contains(sceneToLocal(sceneX, sceneY))) {
            return Optional.empty();
        }
        return nodes.shown().entrySet().stream().filter(e -> e.getValue().contains(e.getValue().sceneToLocal(sceneX, sceneY)))
                .map(Map.Entry::getKey).findFirst();
    }

    /** The row that a node is in. */
    Optional<PlacementLine> rowOf(Node node) {
        for (Node n = node; n != null; n = n.getParent()) {
            switch (n) {
                case PlacementRow row -> {
                    return row.line();
                }
                default -> { }
            }
        }
        return Optional.empty();
    }

    /** The card that a node is in. */
    Optional<ColumnLine> columnOf(Node node) {
        for (Node n = node; n != null; n = n.getParent()) {
            switch (n) {
                case ColumnCard card -> {
                    return card.column();
                }
                default -> { }
            }
        }
        return Optional.empty();
    }

    /** Where the row of a placement is in the scene, while it is in sight. */
    Optional<Bounds> seenAt(PlacementId id) {
        Bounds view = localToScene(getLayoutBounds());
        return card(id.provider()).flatMap(card -> card.row(id)).filter(row -> row.isVisible() && row.getWidth() > 0)
                .map(row -> row.localToScene(row.getLayoutBounds())).filter(b -> view.contains(b.getCenterX(), b.getCenterY()));
    }

    /** Cards in sight. */
    Set<ProviderId> inSight() {
        return Set.copyOf(nodes.shown().keySet());
    }

    /** Cards beside each other. */
    int across() {
        return layout.across();
    }

    /** Brings a card into sight, or the row of a model on it. */
    void scrollTo(ProviderId id, Optional<PlacementId> placement) {
        int index = indexOf(id);
        double view = getViewportBounds().getHeight();
        double room = layout.height() - view;
        if (index < 0 || room <= 0) {
            return;
        }
        WallLayout.Place place = layout.places().get(index);
        ColumnSizes sizes = new ColumnSizes(columns.get(index), place.width());
        double top = place.y() - WallLayout.GROUP;
        double bottom = place.y() + Math.min(place.height(), ColumnSizes.HEAD);
        if (placement.isPresent()) {
            List<PlacementId> ids = columns.get(index).placements().stream().map(PlacementLine::id).toList();
            int row = ids.indexOf(placement.get());
            top = row <= 0 ? top : place.y() + sizes.top(row);
            bottom = row < 0 ? bottom : place.y() + sizes.bottom(row);
        }
        double now = getVvalue() * room;
        if (top < now) {
            setVvalue(Math.max(0, top / room));
        } else if (bottom + WallLayout.GAP > now + view) {
            setVvalue(Math.min(1, (bottom + WallLayout.GAP - view) / room));
        }
    }

    private int indexOf(ProviderId id) {
        return columns.stream().map(ColumnLine::id).toList().indexOf(id);
    }

    /** Moves what is in sight by so many pixels. */
    void scrollBy(double pixels) {
        double room = layout.height() - getViewportBounds().getHeight();
        if (room > 0) {
            setVvalue(Math.clamp(getVvalue() + pixels / room, 0, 1));
        }
    }

    /** Makes everything in sight now instead of a few rows a frame: for pictures. */
    void fillNow() {
        content.layoutNow();
        nodes.fillNow();
        nodes.shown().values().forEach(ColumnCard::settle);
    }

    /** The name of a node above its cards. */
    private final class GroupHead extends HBox {
        /** Share of the line that a long place keeps beside a long name. */
        private static final double PLACE = 0.25;

        private final NameLabel name = new NameLabel("group-name");
        private final Label place = Words.label("group-place");

        GroupHead() {
            super(8);
            getStyleClass().add("group-head");
            setManaged(false);
            NameLine words = new NameLine(name, place, NameLine.Ends.TOGETHER, 8, PLACE);
            HBox.setHgrow(words, Priority.ALWAYS);
            getChildren().addAll(new FontIcon(Feather.SERVER), words);
        }

        void show(ColumnLine column, boolean goesOn) {
            name.name(column.group(), group -> goesOn ? texts.get("board.group.more", group) : group);
            Words.set(place, column.place());
            Words.explain(name, column.group() + " · " + column.place());
            Words.explain(place, column.group() + " · " + column.place());
        }
    }

    private final class Content extends Region implements CardNodes.Wall<ProviderId, ColumnCard> {

        Content() {
            getStyleClass().add("board-wall-content");
        }

        @Override
        public ColumnCard make() {
            ColumnCard card = new ColumnCard(texts, handler, () -> motion);
            card.setManaged(false);
            getChildren().add(card);
            return card;
        }

        @Override
        public void enter(ProviderId id, ColumnCard card) {
            int index = indexOf(id);
            show(card, fresh.apply(columns.get(index)));
            place(card, index);
        }

        @Override
        public List<ProviderId> inSight() {
            return layout.inSight(top(), top() + getViewportBounds().getHeight()).stream().map(i -> columns.get(i).id()).toList();
        }

        @Override
        public boolean keeps(ProviderId card) {
            return kept.test(card);
        }

        private double top() {
            return Math.max(0, -getViewportBounds().getMinY());
        }

        private void measure() {
            layout = new WallLayout(columns, getWidth(), getViewportBounds().getHeight());
        }

        void place(ColumnCard card, int index) {
            WallLayout.Place place = layout.places().get(index);
            card.resizeRelocate(place.x(), place.y(), place.width(), place.height());
            Bounds view = getViewportBounds();
            card.sight(top() - place.y(), top() - place.y() + view.getHeight());
        }

        void layoutNow() {
            layoutChildren();
        }

        @Override
        protected double computePrefHeight(double width) {
            return new WallLayout(columns, width < 0 ? getWidth() : width, getViewportBounds().getHeight()).height();
        }

        @Override
        protected void layoutChildren() {
            measure();
            nodes.follow();
            for (int i = 0; i < columns.size(); i++) {
                int index = i;
                nodes.get(columns.get(i).id()).ifPresent(card -> place(card, index));
            }
            heads();
        }

        private void heads() {
            List<WallLayout.Head> wanted = layout.headsInSight(top(), top() + getViewportBounds().getHeight());
            while (heads.size() < wanted.size()) {
                GroupHead head = new GroupHead();
                heads.add(head);
                getChildren().add(head);
            }
            for (int i = 0; i < heads.size(); i++) {
                heads.get(i).setVisible(i < wanted.size());
                if (i < wanted.size()) {
                    WallLayout.Head head = wanted.get(i);
                    heads.get(i).show(columns.get(head.column()), head.goesOn());
                    heads.get(i).resizeRelocate(head.x(), head.y(), head.width(), WallLayout.HEAD);
                }
            }
        }
    }
}
