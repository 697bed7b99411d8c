package dev.pitwall.ui.board;

import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.page.CardNodes;
import dev.pitwall.ui.theme.Motion;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/**
 * One card: its head with the bar, the models on it, what others use, and free room. Only rows in sight exist as nodes, and
 * new ones are made a few a frame. The same node shows other cards as the wall scrolls.
 */
final class ColumnCard extends Region implements CardNodes.Growing {

    private static final PseudoClass CURSOR = PseudoClass.getPseudoClass("cursor");
    private static final PseudoClass TARGET = PseudoClass.getPseudoClass("target");
    private static final PseudoClass REFUSED = PseudoClass.getPseudoClass("refused");
    private static final PseudoClass HELD = PseudoClass.getPseudoClass("held");
    private static final PseudoClass SILENT = PseudoClass.getPseudoClass("silent");
    private static final double MENU = 24;
    private static final double GAP = 8;
    private static final int ROWS_A_FRAME = 3;

    /** What the page does when something on a card is asked for. */
    interface Handler extends PlacementRow.Handler {
        void cardMenu(ColumnLine column, Node beside);
    }

    private final Texts texts;
    private final Handler handler;
    private final Supplier<Motion> motion;
    private final Label index = Words.label("card-index");
    private final Label name = Words.label("card-name");
    private final Button menu = new Button();
    private final Label figures = Words.label("card-figures");
    private final Sparkline spark = new Sparkline();
    private final VramBar bar = new VramBar();
    private final Label free = Words.label("card-free");
    private final Label total = Words.label("card-total");
    private final Region line = new Region();
    private final RemarkBox hold = new RemarkBox("card-hold");
    private final RemarkBox trouble = new RemarkBox("card-trouble");
    private final Label empty = Words.label("card-empty");
    private final AnswerPanel answer;
    private final Map<PlacementId, PlacementRow> rows = new HashMap<>();
    private final List<PlacementRow> spare = new ArrayList<>();
    private final List<OthersRow> others = new ArrayList<>();
    private Optional<ColumnLine> shown = Optional.empty();
    private Marks marks = Marks.NONE;
    private double sightTop;
    private double sightBottom;

    /**
     * What is marked on a card besides what is true of it.
     *
     * @param target  what is carried would be put down here
     * @param victims what each model that would have to go says
     */
    record Marks(Optional<At> cursor, Optional<Answer> answer, boolean target, Map<ModelName, String> victims,
                 List<PlacementId> chosen, Optional<Carry> carry, AnswerPanel.Say say) {
        static final Marks NONE = new Marks(Optional.empty(), Optional.empty(), false, Map.of(), List.of(),
                Optional.empty(), AnswerPanel.Say.ALL);
    }

    /** @param motion whether rows move to their places now */
    ColumnCard(Texts texts, Handler handler, Supplier<Motion> motion) {
        this.texts = texts;
        this.handler = handler;
        this.motion = motion;
        this.answer = new AnswerPanel(texts);
        getStyleClass().add("card-column");
        setAccessibleRole(AccessibleRole.LIST_VIEW);
        menu.setGraphic(new FontIcon(Feather.MORE_HORIZONTAL));
        menu.getStyleClass().setAll("icon-button");
        menu.setFocusTraversable(false);
        menu.setAccessibleText(texts.get("board.card.menu"));
        Words.explain(menu, texts.get("board.card.menu"));
        menu.setOnAction(_ -> shown.ifPresent(c -> handler.cardMenu(c, menu)));
        line.getStyleClass().add("card-line");
        Words.set(empty, texts.get("board.card.empty"));
        empty.setWrapText(true);
        answer.setVisible(false);
        getChildren().addAll(index, name, menu, figures, spark, bar, free, total, line, hold, trouble, empty, answer);
        getChildren().forEach(n -> n.setManaged(false));
        bar.setOnMouseMoved(e -> light(bar.at(e.getX())));
        bar.setOnMouseExited(_ -> light(Optional.empty()));
    }

    Optional<ColumnLine> column() {
        return shown;
    }

    /** What it says to what is carried. */
    Optional<Answer> answer() {
        return marks.answer();
    }

    Button menu() {
        return menu;
    }

    VramBar bar() {
        return bar;
    }

    /** The row of a model, while it is in sight. */
    Optional<PlacementRow> row(PlacementId id) {
        return Optional.ofNullable(rows.get(id));
    }

    /** Shows another card, or the same one as it is now. */
    void show(ColumnLine column, Marks next, Curve busy) {
        boolean same = shown.filter(column::equals).isPresent() && next.equals(marks);
        spark.show(busy);
        if (same) {
            return;
        }
        boolean moved = shown.map(ColumnLine::id).filter(column.id()::equals).isEmpty();
        shown = Optional.of(column);
        marks = next;
        if (moved) {
            releaseRows();
        }
        showHead(column);
        bar.show(column.bar().marking(marks.victims().keySet()), moved ? Motion.NONE : motion.get());
        showMarks(column);
        showRows(column);
        requestLayout();
    }

    private void showHead(ColumnLine column) {
        Words.set(index, column.index());
        Words.set(name, column.name());
        Words.explain(name, texts.get("board.card.tip", column.called(), column.id(), column.place()));
        Words.set(figures, column.figures());
        Words.set(free, column.free());
        Words.explain(free, column.source().isEmpty() ? "" : texts.get("board.free.source", column.source()));
        Words.set(total, column.total());
        hold.show(column.hold());
        trouble.show(column.trouble());
        pseudoClassStateChanged(HELD, column.hold().isPresent());
        pseudoClassStateChanged(SILENT, column.trouble().filter(t -> t.mark() == Mark.QUESTION).isPresent());
        setAccessibleText(column.spoken() + column.hold().map(h -> ". " + h.title()).orElse("")
                + column.trouble().map(t -> ". " + t.title()).orElse(""));
    }

    private void showMarks(ColumnLine column) {
        pseudoClassStateChanged(TARGET, marks.target());
        pseudoClassStateChanged(REFUSED, marks.answer().filter(a -> a.kind() == Answer.Kind.REFUSED).isPresent());
        pseudoClassStateChanged(CURSOR, marks.cursor().filter(at -> at.model().isEmpty()).isPresent());
        answer.setVisible(marks.answer().isPresent());
        marks.answer().ifPresent(a -> answer.show(a, marks.say(), marks.target()));
        empty.setVisible(column.placements().isEmpty() && column.foreign().isEmpty() && marks.answer().isEmpty());
    }

    private void showRows(ColumnLine column) {
        rows.entrySet().removeIf(e -> {
            boolean gone = column.placement(e.getKey().model()).isEmpty();
            if (gone) {
                release(e.getValue());
            }
            return gone;
        });
        column.placements().forEach(p -> row(p.id()).ifPresent(row -> show(row, p)));
        while (others.size() < column.foreign().size()) {
            OthersRow row = new OthersRow();
            others.add(row);
            getChildren().add(getChildren().indexOf(answer), row);
        }
        for (int i = 0; i < others.size(); i++) {
            boolean used = i < column.foreign().size();
            others.get(i).setVisible(used);
            if (used) {
                others.get(i).show(column.foreign().get(i));
            }
        }
    }

    private void show(PlacementRow row, PlacementLine line) {
        row.show(line, Optional.ofNullable(marks.victims().get(line.id().model())));
        row.cursor(marks.cursor().flatMap(At::placement).filter(line.id()::equals).isPresent());
        row.chosen(marks.chosen().contains(line.id()));
        row.lifted(marks.carry().filter(c -> c.holds(line.id())).isPresent());
    }

    private void releaseRows() {
        rows.values().forEach(this::release);
        rows.clear();
    }

    private void release(PlacementRow row) {
        row.leave();
        spare.add(row);
    }

    /** Says which part of the column can be seen; rows that left it are freed for those that came. */
    void sight(double top, double bottom) {
        sightTop = top;
        sightBottom = bottom;
        shown.ifPresent(column -> {
            ColumnSizes sizes = sizes(column);
            rows.entrySet().removeIf(e -> {
                int i = indexOf(column, e.getKey());
                boolean lifted = marks.carry().filter(c -> c.holds(e.getKey())).isPresent();
                boolean gone = !lifted && (i < 0 || !inSight(sizes, i));
                if (gone) {
                    release(e.getValue());
                }
                return gone;
            });
        });
    }

    private boolean inSight(ColumnSizes sizes, int row) {
        return sizes.bottom(row) >= sightTop && sizes.top(row) <= sightBottom;
    }

    private static int indexOf(ColumnLine column, PlacementId id) {
        for (int i = 0; i < column.placements().size(); i++) {
            if (column.placements().get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    private ColumnSizes sizes(ColumnLine column) {
        return new ColumnSizes(column, getWidth());
    }

    /** Makes the next few rows that are in sight and not there yet. */
    @Override
    public boolean grow() {
        if (shown.isEmpty()) {
            return false;
        }
        ColumnLine column = shown.get();
        ColumnSizes sizes = sizes(column);
        int made = 0;
        for (int i = 0; i < column.placements().size() && made < ROWS_A_FRAME; i++) {
            PlacementLine placement = column.placements().get(i);
            if (!rows.containsKey(placement.id()) && inSight(sizes, i)) {
                PlacementRow row = spare.isEmpty() ? newRow() : spare.removeLast();
                row.setVisible(true);
                rows.put(placement.id(), row);
                show(row, placement);
                made++;
            }
        }
        if (made > 0) {
            requestLayout();
        }
        return made > 0;
    }

    /** Ends what moves at once: for pictures. */
    void settle() {
        rows.values().forEach(PlacementRow::settle);
        bar.settle();
        requestLayout();
    }

    private PlacementRow newRow() {
        PlacementRow row = new PlacementRow(texts, handler, motion);
        row.setManaged(false);
        row.hoverProperty().addListener((_, _, over) ->
                bar.highlight(over ? row.line().map(l -> l.id().model()) : Optional.empty()));
        getChildren().add(getChildren().indexOf(answer), row);
        return row;
    }

    private void light(Optional<ModelName> model) {
        bar.highlight(model);
        rows.forEach((id, row) -> row.lit(model.filter(id.model()::equals).isPresent()));
    }

    @Override
    protected void layoutChildren() {
        if (shown.isEmpty()) {
            return;
        }
        ColumnLine column = shown.get();
        ColumnSizes sizes = sizes(column);
        double w = getWidth();
        double pad = sizes.pad();
        layoutHead(w, pad);
        double inner = Math.max(0, w - 2 * pad);
        if (hold.isVisible()) {
            hold.resizeRelocate(pad, sizes.holdTop(), inner, ColumnSizes.HOLD);
        }
        if (trouble.isVisible()) {
            trouble.resizeRelocate(pad, sizes.troubleTop(), inner, ColumnSizes.TROUBLE);
        }
        for (int i = 0; i < column.placements().size(); i++) {
            double top = sizes.top(i);
            double height = sizes.bottom(i) - top;
            row(column.placements().get(i).id()).ifPresent(row -> row.place(pad, top, inner, height, motion.get()));
        }
        for (int i = 0; i < column.foreign().size(); i++) {
            others.get(i).resizeRelocate(pad, sizes.otherTop(i), inner, ColumnSizes.OTHER);
        }
        if (empty.isVisible()) {
            empty.resizeRelocate(pad, sizes.rowsBottom(), inner, empty.prefHeight(inner));
        }
        if (answer.isVisible()) {
            double height = answer.prefHeight(inner);
            double lowest = Math.min(getHeight(), sightBottom) - height - pad;
            answer.resizeRelocate(pad, Math.max(ColumnSizes.HEAD, Math.min(sizes.rowsBottom(), lowest)), inner, height);
        }
    }

    private void layoutHead(double w, double pad) {
        double right = w - pad;
        menu.resizeRelocate(right - MENU + 4, 12, MENU, MENU);
        double x = pad;
        if (!index.getText().isEmpty()) {
            double width = index.prefWidth(-1);
            place(index, x, width, 24);
            x += width + GAP;
        }
        place(name, x, right - MENU - x, 24);
        boolean history = w > 3 * Sparkline.WIDTH;
        spark.setVisible(history);
        spark.resizeRelocate(right - Sparkline.WIDTH, 38, Sparkline.WIDTH, Sparkline.HEIGHT);
        place(figures, pad, right - pad - (history ? Sparkline.WIDTH + GAP : 0), 46);
        bar.resizeRelocate(pad, 65, right - pad, 16);
        double totalWidth = total.prefWidth(-1);
        place(free, pad, right - pad - totalWidth - GAP, 95);
        place(total, right - totalWidth, totalWidth, 95);
        line.resizeRelocate(1, ColumnSizes.HEAD - 1, Math.max(0, w - 2), 1);
    }

    private static void place(Label label, double x, double width, double middle) {
        double height = label.prefHeight(-1);
        label.resizeRelocate(x, Math.round(middle - height / 2), Math.max(0, width), height);
    }

    /** What others use of the card: it counts, and cannot be moved. */
    private static final class OthersRow extends Region {
        private final MarkIcon icon = new MarkIcon();
        private final Label owner = Words.label("others-owner");
        private final Swatch swatch = new Swatch(Fill.FOREIGN);
        private final Label size = Words.label("placement-size");

        OthersRow() {
            getStyleClass().add("others");
            setManaged(false);
            icon.show(Mark.OTHERS, OptionalDouble.empty());
            getChildren().addAll(icon, owner, swatch, size);
        }

        void show(ColumnLine.Others line) {
            Words.set(owner, line.owner());
            Words.explain(owner, line.owner());
            Words.set(size, line.size());
            setAccessibleText(line.owner() + " " + line.size() + " GiB");
        }

        @Override
        protected void layoutChildren() {
            double middle = getHeight() / 2;
            double sizeWidth = size.prefWidth(-1);
            icon.resizeRelocate(9, middle - 8, 16, 16);
            place(size, getWidth() - 11 - sizeWidth, sizeWidth, middle);
            double swatchAt = getWidth() - 11 - sizeWidth - 6 - Swatch.SIZE;
            swatch.resizeRelocate(Math.round(swatchAt), Math.round(middle - Swatch.SIZE / 2), Swatch.SIZE, Swatch.SIZE);
            place(owner, 31, swatchAt - 37, middle);
        }
    }
}
