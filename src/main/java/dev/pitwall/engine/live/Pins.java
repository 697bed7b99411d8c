package dev.pitwall.engine.live;

import dev.pitwall.engine.live.Placed.Phase;
import dev.pitwall.engine.live.Preview.Possible;
import dev.pitwall.engine.live.Preview.Refused;
import dev.pitwall.engine.live.ProviderView.By;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loads pinned models again that are not there. Between tries it waits longer and longer, and it tries only after a look
 * at the server has shown that the model is not there: what a cut call has left may have come about after all.
 */
final class Pins {
    private static final Duration FIRST = Duration.ofSeconds(3);
    private static final Duration SECOND = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    /** A model that stays that long has come for good: the next loss begins anew. */
    private static final Duration PROVEN = Duration.ofMinutes(2);

    private static final class Tries {
        private int count;
        private Instant next;
        private Optional<Preview.Why> told = Optional.empty();
    }

    private final Wall wall;
    private final Planner planner;
    private final Turns turns;
    private final Map<PlacementId, Tries> tries = new HashMap<>();

    Pins(Wall wall, Planner planner, Turns turns) {
        this.wall = wall;
        this.planner = planner;
        this.turns = turns;
    }

    void advance(Server server, Instant now) {
        for (PlacementId pin : List.copyOf(wall.pins)) {
            if (pin.provider().equals(server.id)) {
                look(server, pin, now);
            }
        }
        tries.keySet().retainAll(wall.pins);
    }

    private void look(Server server, PlacementId pin, Instant now) {
        Placed placed = server.placed.get(pin.model());
        boolean missing = placed == null || placed.phase == Phase.FAILED || placed.phase == Phase.LOST;
        if (!missing) {
            if (placed.here() && now.isAfter(placed.readyAt.plus(PROVEN))) {
                tries.remove(pin);
            }
            return;
        }
        if (!server.live() || server.hold.isPresent() || server.misses > 0) {
            return;
        }
        Tries mine = tries.computeIfAbsent(pin, _ -> {
            Tries fresh = new Tries();
            fresh.next = now.plus(FIRST);
            return fresh;
        });
        boolean seenSince = placed == null || server.answeredAt.isAfter(placed.since);
        if (now.isBefore(mine.next) || !seenSince) {
            return;
        }
        again(server, pin, mine, now);
    }

    private void again(Server server, PlacementId pin, Tries mine, Instant now) {
        if (server.installed(pin.model()).isEmpty()) {
            tell(pin, mine, new Refused(Preview.Why.NOT_INSTALLED, wall.words.say("refused.files", server.id, pin.model()),
                    Optional.empty()), Entry.Kind.WAITED, Optional.empty(), now);
            later(mine, now);
            return;
        }
        Job.Room room = wall.mode == Mode.AUTOMATIC ? Job.Room.MAY_EVICT : Job.Room.ONLY_FREE;
        switch (planner.load(server, pin.model(), wall.papers(), room, now)) {
            case Possible _ -> {
                mine.told = Optional.empty();
                later(mine, now);
                Entry entry = wall.diary.add(now, Entry.Kind.LOADING, Optional.empty(), Optional.of(pin),
                        wall.words.say("loading.title", pin.model()), wall.words.say("loading.pin", server.id),
                        Optional.empty());
                turns.want(server, pin.model(), By.ENGINE, entry.number(), room, Optional.empty(), now);
            }
            case Refused refused -> {
                later(mine, now);
                boolean suggests = wall.mode == Mode.SUGGEST && planner.load(server, pin.model(), wall.papers(),
                        Job.Room.MAY_EVICT, now) instanceof Possible;
                tell(pin, mine, refused, suggests ? Entry.Kind.SUGGESTED : Entry.Kind.WAITED, suggests
                        ? Optional.of(new Wish.Place(pin.model(), server.id)) : Optional.empty(), now);
            }
        }
    }

    /** A reason is said once, not at every try. */
    private void tell(PlacementId pin, Tries mine, Refused refused, Entry.Kind kind, Optional<Wish> wish, Instant now) {
        if (mine.told.filter(refused.why()::equals).isEmpty()) {
            mine.told = Optional.of(refused.why());
            wall.diary.add(now, kind, Optional.empty(), Optional.of(pin), wall.words.say(kind == Entry.Kind.SUGGESTED
                    ? "suggested.title" : "waited.title", pin.model()), wall.words.say("pin.waits", refused.words()), wish);
        }
    }

    private static void later(Tries mine, Instant now) {
        Duration pause = SECOND.multipliedBy(1L << Math.min(mine.count, 10));
        mine.count++;
        mine.next = now.plus(pause.compareTo(LONGEST) > 0 ? LONGEST : pause);
    }
}
