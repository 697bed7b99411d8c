package dev.pitwall.engine.live;

import dev.pitwall.card.Trouble;
import dev.pitwall.engine.live.Placed.Phase;
import java.time.Instant;
import java.util.Optional;

/** Models that are told to go. That one has gone is said when it was seen, and only then can it be taken back. */
final class Departures {

    /** For whom one goes. */
    enum Cause { PERSON, ROOM, MOVE }

    /** A model was told to go. */
    static final class Told {
        private final long entry;
        private final Optional<Job> job;
        private final Cause cause;
        private final Instant at;
        private boolean gone;

        private Told(long entry, Optional<Job> job, Cause cause, Instant at) {
            this.entry = entry;
            this.job = job;
            this.cause = cause;
            this.at = at;
        }
    }

    private final Wall wall;

    Departures(Wall wall) {
        this.wall = wall;
    }

    /**
     * Tells it.
     *
     * @param job   the load it goes for, if there is one
     * @param words why
     * @param wish  what was asked, of a person
     */
    Entry tell(Server server, Placed placed, Cause cause, Optional<Job> job, String words, Optional<Wish> wish, Instant now) {
        PlacementId what = new PlacementId(server.id, placed.model);
        Entry entry = wall.diary.add(now, Entry.Kind.LEAVING, job.map(j -> j.entry), Optional.of(what),
                wall.words.say("leaving.title", placed.model), words, wish);
        Told told = new Told(entry.number(), job, cause, now);
        placed.turn(Phase.UNLOADING, now);
        placed.told = Optional.of(told);
        server.foreign.changed();
        wall.effects.add(new Effect.Unload(what));
        if (cause == Cause.PERSON) {
            Wish back = new Wish.Place(what.model(), what.provider());
            wall.diary.undo(entry.number(), () -> told.gone ? Optional.of(back) : Optional.empty());
        }
        return entry;
    }

    /** The server has it no more. */
    void gone(Server server, Placed placed, Instant now) {
        server.placed.remove(placed.model);
        placed.told.ifPresent(told -> {
            told.gone = true;
            Entry entry = wall.diary.add(now, Entry.Kind.EVICTED, Optional.of(told.job.map(j -> j.entry).orElse(told.entry)),
                    Optional.of(new PlacementId(server.id, placed.model)), wall.words.say("evicted.title", placed.model),
                    wall.words.say("evicted.gone", server.id, wall.span(told.at, now)), Optional.empty());
            if (told.cause == Cause.ROOM) {
                told.job.ifPresent(job -> job.gone.add(placed.model));
                wall.diary.undo(entry.number(), new Wish.Place(placed.model, server.id));
            }
        });
    }

    /** A model that answers goes when it is done; until then it is there. */
    void stays(Server server, Placed placed, Trouble failure, Instant now) {
        placed.turn(Phase.HERE, now);
        placed.use = Placed.Use.BUSY;
        placed.usedAt = now;
        wall.diary.add(now, Entry.Kind.FAILED, placed.told.map(t -> t.job.map(j -> j.entry).orElse(t.entry)),
                Optional.of(new PlacementId(server.id, placed.model)), wall.words.say("stays.title", placed.model),
                failure.sentence() + ". " + failure.next(), Optional.empty());
    }
}
