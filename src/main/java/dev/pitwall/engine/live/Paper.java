package dev.pitwall.engine.live;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A provider on paper: what is there, or will be once what is under way has come about.
 *
 * @param most  models that the server keeps at once; empty where it knows no such limit
 * @param items what takes memory and stays
 */
record Paper(long total, long reserve, long foreign, OptionalInt most, List<Item> items) {

    /** @param bytes of the cards @param idleSince has no meaning while it is busy */
    record Item(ModelName model, long bytes, Work work, ProviderView.Pinning pinning, Instant idleSince) {
        boolean evictable() {
            return work == Work.IDLE && pinning == ProviderView.Pinning.NONE;
        }
    }

    /** Whether something uses it or works on it. */
    enum Work { IDLE, BUSY, MOVING }

    Paper {
        items = List.copyOf(items);
    }

    /** Bytes that nothing has; below 0 where more is taken than there is. */
    long free() {
        return total - reserve - foreign - items.stream().mapToLong(Item::bytes).sum();
    }

    /** Bytes that models could have if the card were empty but for others. */
    long room() {
        return total - reserve - foreign;
    }

    /** Whether the server would let one go by itself, whichever, before it loads another. */
    boolean full() {
        return most.isPresent() && items.size() >= most.getAsInt();
    }

    boolean has(ModelName model) {
        return items.stream().anyMatch(i -> i.model().equals(model));
    }

    Paper with(Item item) {
        return new Paper(total, reserve, foreign, most, Stream.concat(items.stream(), Stream.of(item)).toList());
    }

    /** The same where nothing may go but these. */
    Paper sparingAllBut(Set<ModelName> mayGo) {
        return new Paper(total, reserve, foreign, most, items.stream().map(i -> mayGo.contains(i.model()) ? i
                : new Item(i.model(), i.bytes(), i.work(), ProviderView.Pinning.PINNED, i.idleSince())).toList());
    }

    Paper without(ModelName model) {
        return new Paper(total, reserve, foreign, most, items.stream().filter(i -> !i.model().equals(model)).toList());
    }
}
