package dev.pitwall.engine.policy;

import dev.pitwall.engine.Board;
import dev.pitwall.engine.Model;
import dev.pitwall.engine.Placement;
import dev.pitwall.engine.Provider;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Which providers are worth a closer look. In a small fleet all; in a large one those where the model fits tightest or
 * with most to spare, and those with the placements that were least worth keeping at their last use. So the time of a
 * decision does not grow with the fleet.
 */
final class Proposals {
    private static final int ALL = 48;
    private static final int TIGHTEST = 12;
    private static final int ROOMIEST = 4;
    private static final int LEAST_WORTH = 24;

    private record Worth(double seconds, long number, Placement placement) {
    }

    private record Room(double mib, int index, Provider provider) {
    }

    private final Board board;
    private final NavigableSet<Worth> leastWorth = new TreeSet<>(
            Comparator.comparingDouble(Worth::seconds).thenComparingLong(Worth::number));
    private final Map<Placement, Worth> worths = new HashMap<>();
    private final NavigableSet<Room> rooms = new TreeSet<>(
            Comparator.comparingDouble(Room::mib).thenComparingInt(Room::index));
    private final Map<Provider, Room> roomOf = new HashMap<>();
    private long number;

    Proposals(Board board) {
        this.board = board;
        board.providers().forEach(this::room);
    }

    /** In the order of the fleet. */
    Collection<Provider> of(Model model) {
        if (board.providers().size() <= ALL) {
            return board.providers();
        }
        NavigableSet<Provider> near = new TreeSet<>(Comparator.comparingInt(Provider::index));
        rooms.tailSet(new Room(board.providers().getFirst().needMiB(model), -1, null), true).stream()
                .limit(TIGHTEST).forEach(r -> near.add(r.provider()));
        rooms.descendingSet().stream().limit(ROOMIEST).forEach(r -> near.add(r.provider()));
        leastWorth.stream().limit(LEAST_WORTH).forEach(w -> near.add(w.placement().provider()));
        return near;
    }

    /** A placement was made or used; so much its going would cost. */
    void worth(Placement placement, double seconds) {
        if (board.providers().size() > ALL && !placement.pinned()) {
            forget(placement);
            Worth worth = new Worth(seconds, number++, placement);
            worths.put(placement, worth);
            leastWorth.add(worth);
        }
    }

    void gone(Placement placement) {
        forget(placement);
        room(placement.provider());
    }

    /** Its free memory has changed. */
    void room(Provider provider) {
        if (board.providers().size() > ALL) {
            Room before = roomOf.get(provider);
            if (before != null) {
                rooms.remove(before);
            }
            Room room = new Room(provider.freeMiB(), provider.index(), provider);
            roomOf.put(provider, room);
            rooms.add(room);
        }
    }

    private void forget(Placement placement) {
        Worth worth = worths.remove(placement);
        if (worth != null) {
            leastWorth.remove(worth);
        }
    }
}
