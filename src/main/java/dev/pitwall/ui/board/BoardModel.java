package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the Board shows, where the keyboard is, what is chosen and what is carried. It has no controls. */
final class BoardModel {

    private final ColumnLines columnLines;
    private final ShelfLines shelfLines;
    private final WhyLines whyLines = new WhyLines();
    private final Steady steady = new Steady();
    private final Set<PlacementId> chosen = new LinkedHashSet<>();
    /** Cards that are in the words of the view that shows. */
    private final Set<ProviderId> worded = new HashSet<>();
    private Optional<WallView> view = Optional.empty();
    private Instant now = Instant.EPOCH;
    private List<ColumnLine> columns = List.of();
    private String filter = "";
    private WhyLines.Filter why = WhyLines.Filter.ALL;
    private Optional<At> cursor = Optional.empty();
    private Optional<PlacementId> anchor = Optional.empty();
    private Optional<Carry> carry = Optional.empty();
    private Drop drop = new Drop.Nowhere();

    BoardModel(Texts texts) {
        this.columnLines = new ColumnLines(texts);
        this.shelfLines = new ShelfLines(texts);
    }

    /**
     * Takes over a view. Cards out of sight keep their old words, as long as the same rows stand on them, or have outlines of
     * rows: to put a thousand rows into words that nobody sees would cost more than all that is drawn.
     *
     * @param at      what ages are counted to
     * @param inSight cards that are seen
     */
    void show(WallView next, Instant at, Set<ProviderId> inSight) {
        view = Optional.of(next);
        now = at;
        Map<ProviderId, ColumnLine> before = columns.stream().collect(Collectors.toMap(ColumnLine::id, c -> c));
        columns = next.providers().stream().map(p -> {
            List<ModelName> order = steady.order(p);
            ColumnLine old = before.get(p.id());
            if (inSight.contains(p.id())) {
                return columnLines.of(p, order, at);
            }
            return old != null && columnLines.sameRows(old, p, order) ? old : columnLines.outline(p, order, at);
        }).toList();
        worded.clear();
        worded.addAll(inSight);
        chosen.removeIf(p -> next.provider(p.provider()).flatMap(v -> v.placement(p.model())).isEmpty());
        carry = carry.filter(c -> stillThere(next, c));
    }

    /** No site shows. */
    void clear() {
        view = Optional.empty();
        columns = List.of();
        chosen.clear();
        cursor = Optional.empty();
        putBack();
    }

    private static boolean stillThere(WallView view, Carry carry) {
        return switch (carry) {
            case Carry.OfShelf _ -> true;
            case Carry.OfCards(List<PlacementId> all) -> all.stream().anyMatch(p ->
                    view.provider(p.provider()).flatMap(v -> v.placement(p.model())).isPresent());
        };
    }

    Optional<WallView> view() {
        return view;
    }

    Instant now() {
        return now;
    }

    List<ColumnLine> columns() {
        return columns;
    }

    /** The card in the words of now. */
    ColumnLine fresh(ColumnLine column) {
        worded.add(column.id());
        Optional<ColumnLine> fresh = view.flatMap(v -> v.provider(column.id()))
                .map(p -> columnLines.of(p, column.placements().stream().map(l -> l.id().model()).toList(), now));
        fresh.ifPresent(f -> columns = columns.stream().map(c -> c.id().equals(f.id()) ? f : c).toList());
        return fresh.orElse(column);
    }

    /** The card, in sight or not, in the words of now. */
    Optional<ColumnLine> column(ProviderId id) {
        return columns.stream().filter(c -> c.id().equals(id)).findFirst().map(c -> worded.contains(id) ? c : fresh(c));
    }

    /** What the shelf's lines rest on: while it stays, so do they. */
    Object shelfBasis() {
        return List.of(view.map(v -> List.of(v.shelf(), v.queue(), v.pulls(), v.log().stream().findFirst())).orElse(List.of()),
                columns.stream().map(c -> c.placements().stream().map(PlacementLine::id).toList()).toList(), filter,
                now.truncatedTo(ChronoUnit.MINUTES));
    }

    List<ShelfLine> shelf() {
        return view.map(v -> shelfLines.of(v, filter, now)).orElse(List.of());
    }

    List<WhyLine> log(Function<Entry, Optional<Wish>> undo) {
        return view.map(v -> whyLines.of(v, why, undo, now)).orElse(List.of());
    }

    void filter(String wanted) {
        filter = wanted;
    }

    void why(WhyLines.Filter wanted) {
        why = wanted;
    }

    /** Whether the pointer is over the cards: then nothing may move away under it. */
    void pointerOver(boolean over) {
        steady.hold(over);
    }

    // where the keyboard is

    Optional<At> cursor() {
        return cursor.filter(at -> column(at.provider()).isPresent()).map(at ->
                at.model().filter(m -> column(at.provider()).flatMap(c -> c.placement(m)).isEmpty()).isPresent()
                        ? new At(at.provider(), Optional.empty()) : at);
    }

    void cursor(At at) {
        cursor = Optional.of(at);
    }

    /** The keyboard has come: it starts at the first model of the first card. */
    void enter() {
        if (cursor().isEmpty() && !columns.isEmpty()) {
            ColumnLine first = columns.getFirst();
            cursor = Optional.of(at(first, 0));
        }
    }

    /** To the model above or below, or to the card's head; stays at the ends. */
    void moveRow(int steps) {
        enter();
        cursor().ifPresent(at -> column(at.provider()).ifPresent(column ->
                cursor = Optional.of(at(column, Math.clamp(row(column, at) + steps, -1, column.placements().size() - 1)))));
    }

    /** To another card, at the same height; stays at the ends. */
    void moveColumn(int steps) {
        enter();
        cursor().ifPresent(at -> {
            int index = Math.clamp(indexOf(at.provider()) + steps, 0, columns.size() - 1);
            int row = row(columns.get(indexOf(at.provider())), at);
            cursor = Optional.of(at(columns.get(index), Math.min(row, columns.get(index).placements().size() - 1)));
        });
    }

    private static At at(ColumnLine column, int row) {
        return new At(column.id(), row < 0 || column.placements().isEmpty() ? Optional.empty()
                : Optional.of(column.placements().get(row).id().model()));
    }

    private static int row(ColumnLine column, At at) {
        List<ModelName> models = column.placements().stream().map(p -> p.id().model()).toList();
        return at.model().map(models::indexOf).orElse(-1);
    }

    int indexOf(ProviderId id) {
        List<ProviderId> ids = columns.stream().map(ColumnLine::id).toList();
        return ids.indexOf(id);
    }

    // what is chosen

    boolean isChosen(PlacementId placement) {
        return chosen.contains(placement);
    }

    List<PlacementId> chosen() {
        return List.copyOf(chosen);
    }

    /** Only this one. */
    void choose(PlacementId placement) {
        chosen.clear();
        chosen.add(placement);
        anchor = Optional.of(placement);
    }

    void toggle(PlacementId placement) {
        if (!chosen.remove(placement)) {
            chosen.add(placement);
        }
        anchor = Optional.of(placement);
    }

    /** All from the one chosen last to this one, if both are on one card. */
    void chooseTo(PlacementId placement) {
        Optional<PlacementId> from = anchor.filter(a -> a.provider().equals(placement.provider()));
        Optional<ColumnLine> column = column(placement.provider());
        if (from.isEmpty() || column.isEmpty()) {
            toggle(placement);
            return;
        }
        List<PlacementId> all = column.get().placements().stream().map(PlacementLine::id).toList();
        int a = all.indexOf(from.get());
        int b = all.indexOf(placement);
        if (a < 0 || b < 0) {
            toggle(placement);
            return;
        }
        chosen.addAll(all.subList(Math.min(a, b), Math.max(a, b) + 1));
    }

    boolean chooseNone() {
        boolean any = !chosen.isEmpty();
        chosen.clear();
        return any;
    }

    /** What an action on this one is about: all that is chosen if it is among them, else it alone. */
    List<PlacementId> about(PlacementId placement) {
        if (!chosen.contains(placement)) {
            return List.of(placement);
        }
        List<PlacementId> result = new ArrayList<>(chosen);
        result.remove(placement);
        result.addFirst(placement);
        return result;
    }

    // what is carried

    Optional<Carry> carry() {
        return carry;
    }

    Drop drop() {
        return drop;
    }

    void lift(Carry what) {
        carry = Optional.of(what);
        drop = new Drop.Nowhere();
    }

    void over(Drop place) {
        drop = place;
    }

    void putBack() {
        carry = Optional.empty();
        drop = new Drop.Nowhere();
    }

    /** Chooses the card that comes next, for what is carried by the keyboard; before the first is the shelf. */
    void nextDrop(int steps) {
        int before = switch (drop) {
            case Drop.OnCard(ProviderId id) -> indexOf(id);
            case Drop.OnShelf _ -> -1;
            case Drop.Nowhere _ -> start();
        };
        boolean shelf = carry.flatMap(Carry::ontoShelf).isPresent();
        int next = Math.clamp(before + steps, shelf ? -1 : 0, Math.max(0, columns.size() - 1));
        drop = next < 0 || columns.isEmpty() ? new Drop.OnShelf() : new Drop.OnCard(columns.get(next).id());
    }

    /** Where the keyboard begins to choose: beside the card that it comes from. */
    private int start() {
        return carry.map(c -> switch (c) {
            case Carry.OfShelf _ -> -1;
            case Carry.OfCards(List<PlacementId> all) -> indexOf(all.getFirst().provider());
        }).orElse(-1);
    }

    /** What putting it down there asks for. */
    Optional<Wish> wish(Drop place) {
        return carry.flatMap(c -> switch (place) {
            case Drop.OnCard(ProviderId to) -> c.isFrom(to) ? Optional.<Wish>empty() : Optional.of(c.onto(to));
            case Drop.OnShelf _ -> c.ontoShelf();
            case Drop.Nowhere _ -> Optional.<Wish>empty();
        });
    }

    boolean isPinned(PlacementId placement) {
        return view.flatMap(v -> v.provider(placement.provider())).flatMap(p -> p.placement(placement.model()))
                .filter(p -> p.pinned() == ProviderView.Pinning.PINNED).isPresent();
    }
}
