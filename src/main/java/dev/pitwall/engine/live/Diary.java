package dev.pitwall.engine.live;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The log of the engine, newest first, and what would take an entry back. */
final class Diary {
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final Map<Long, Supplier<Optional<Wish>>> undos = new HashMap<>();
    private final Consumer<Effect> effects;
    private long next;

    /** @param earlier newest first */
    Diary(List<Entry> earlier, Consumer<Effect> effects) {
        entries.addAll(earlier);
        next = earlier.stream().mapToLong(Entry::number).max().orElse(0) + 1;
        this.effects = effects;
    }

    /** The number that the next entry will have. */
    long next() {
        return next;
    }

    Entry add(Instant at, Entry.Kind kind, Optional<Long> because, Optional<PlacementId> placement, String title,
              String words, Optional<Wish> wish) {
        Entry entry = new Entry(next++, at, kind, because, placement, title, words, wish);
        entries.addFirst(entry);
        while (entries.size() > WallView.LOG) {
            undos.remove(entries.removeLast().number());
        }
        effects.accept(new Effect.Logged(entry));
        return entry;
    }

    void undo(long number, Wish by) {
        undo(number, () -> Optional.of(by));
    }

    /** @param by asked each time: what takes an order back depends on how far it is */
    void undo(long number, Supplier<Optional<Wish>> by) {
        undos.put(number, by);
    }

    Optional<Wish> undo(long number) {
        return back(number).get();
    }

    /** What takes an entry back now and later. */
    Supplier<Optional<Wish>> back(long number) {
        return undos.getOrDefault(number, Optional::empty);
    }

    List<Entry> entries() {
        return List.copyOf(entries);
    }
}
