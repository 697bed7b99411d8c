package dev.pitwall.ui.garage;

import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.site.Connection;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;

/** What the Garage shows: the towers in order, the counts of the filters, and where the keyboard is. */
final class GarageModel {

    private final TowerLines lines;
    private final FirstRead firstRead;
    private final ObjectProperty<Filter> filter = new SimpleObjectProperty<>(Filter.ALL);
    private final ObjectProperty<Sort> sort = new SimpleObjectProperty<>(Sort.HOST);
    private final ReadOnlyObjectWrapper<List<TowerLine>> towers = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Map<Filter, Integer>> counts = new ReadOnlyObjectWrapper<>(Map.of());
    private final ObjectProperty<Optional<Cursor>> cursor = new SimpleObjectProperty<>(Optional.empty());
    private List<TowerLine> all = List.of();
    private List<TowerLine> waiting = List.of();
    private boolean answered;
    private Pointer pointer = Pointer.AWAY;

    /** Whether the pointer is over the towers: then nothing may move away under it. */
    enum Pointer { AWAY, OVER }

    GarageModel(Texts texts) {
        this.lines = new TowerLines(texts);
        this.firstRead = new FirstRead(texts);
        filter.addListener((_, _, _) -> arrange());
        sort.addListener((_, _, _) -> arrange());
    }

    ObjectProperty<Filter> filterProperty() {
        return filter;
    }

    ObjectProperty<Sort> sortProperty() {
        return sort;
    }

    /** The towers that show, in order. */
    ReadOnlyObjectProperty<List<TowerLine>> towersProperty() {
        return towers.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<Map<Filter, Integer>> countsProperty() {
        return counts.getReadOnlyProperty();
    }

    ObjectProperty<Optional<Cursor>> cursorProperty() {
        return cursor;
    }

    /** What the wall has to say when it shows no tower. */
    enum Emptiness { NONE, READING, NO_CARDS, NOTHING_MATCHES }

    Emptiness emptiness() {
        if (!towers.get().isEmpty()) {
            return Emptiness.NONE;
        }
        if (!answered) {
            return Emptiness.READING;
        }
        return all.isEmpty() ? Emptiness.NO_CARDS : Emptiness.NOTHING_MATCHES;
    }

    /**
     * Takes over a view.
     *
     * @param openedAt when the site was opened
     * @param now      what ages are counted to
     */
    void show(SiteView view, Instant openedAt, Instant now) {
        answered = view.connections().stream().anyMatch(c -> c.state() != Connection.State.READING);
        waiting = firstRead.of(view, Duration.between(openedAt, now));
        all = view.cards().stream().map(c -> lines.of(c, view.connections(), openedAt, view.at(), now)).toList();
        counts.set(count());
        if (pointer == Pointer.OVER && sort.get().movesWithState()) {
            update();
        } else {
            arrange();
        }
    }

    void pointer(Pointer where) {
        pointer = where;
        if (where == Pointer.AWAY) {
            arrange();
        }
    }

    Optional<TowerLine> tower(String cardId) {
        return towers.get().stream().filter(t -> t.id().equals(cardId)).findFirst();
    }

    /** Moves the keyboard up (positive) or down in its tower; stays at the ends. */
    void moveFloor(int steps) {
        Cursor at = cursorOrFirst();
        if (at != null) {
            int floor = Math.clamp(at.floor().ordinal() + steps, 0, Floor.values().length - 1);
            cursor.set(Optional.of(new Cursor(at.cardId(), Floor.values()[floor])));
        }
    }

    /** Moves the keyboard to the same floor of another tower; stays at the ends. */
    void moveCard(int steps) {
        Cursor at = cursorOrFirst();
        if (at != null) {
            int index = Math.clamp(indexOf(at.cardId()) + steps, 0, towers.get().size() - 1);
            cursor.set(Optional.of(new Cursor(towers.get().get(index).id(), at.floor())));
        }
    }

    /** Where the keyboard starts: at the first tower's floor that needs somebody, else at its lowest. */
    void enter() {
        cursorOrFirst();
    }

    int indexOf(String cardId) {
        for (int i = 0; i < towers.get().size(); i++) {
            if (towers.get().get(i).id().equals(cardId)) {
                return i;
            }
        }
        return 0;
    }

    private Cursor cursorOrFirst() {
        Optional<Cursor> valid = cursor.get().filter(c -> tower(c.cardId()).isPresent());
        if (valid.isEmpty() && !towers.get().isEmpty()) {
            TowerLine first = towers.get().getFirst();
            Floor floor = first.card().lowestNotOk().map(FloorStatus::floor).orElse(Floor.FIRMWARE);
            valid = Optional.of(new Cursor(first.id(), floor));
            cursor.set(valid);
        }
        return valid.orElse(null);
    }

    private Map<Filter, Integer> count() {
        Map<Filter, Integer> result = new EnumMap<>(Filter.class);
        for (Filter f : Filter.values()) {
            result.put(f, (int) all.stream().filter(f::shows).count());
        }
        return Map.copyOf(result);
    }

    /** Puts the towers into their order now, as a click or a refresh asks for. */
    void arrange() {
        towers.set(Stream.concat(placeholders(), shown().sorted(sort.get().order())).toList());
    }

    /** New content in the old order; new cards come last. Those that the filter does not count go, as their count does. */
    private void update() {
        Map<String, TowerLine> now = new LinkedHashMap<>();
        shown().sorted(sort.get().order()).forEach(t -> now.put(t.id(), t));
        List<TowerLine> kept = towers.get().stream().flatMap(t -> Optional.ofNullable(now.remove(t.id())).stream()).toList();
        towers.set(Stream.of(placeholders(), kept.stream(), now.values().stream()).flatMap(s -> s).toList());
    }

    private Stream<TowerLine> shown() {
        return all.stream().filter(filter.get()::shows);
    }

    /** No filter but the one for all counts what nobody has read yet. */
    private Stream<TowerLine> placeholders() {
        return filter.get() == Filter.ALL ? waiting.stream() : Stream.empty();
    }
}
