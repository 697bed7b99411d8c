package dev.pitwall.engine.live;

import dev.pitwall.card.Trouble;
import dev.pitwall.engine.live.Job.Stage;
import dev.pitwall.engine.live.Placed.Phase;
import dev.pitwall.engine.live.Preview.Possible;
import dev.pitwall.engine.live.Preview.Refused;
import dev.pitwall.engine.live.Preview.Victim;
import dev.pitwall.engine.live.ProviderView.By;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Brings loads on their way, one after the other on each server: makes room, begins, watches, and ends them. */
final class Turns {
    /** A load waits that long for models that are at work, as Kubemoot does (facts: models.md 1.4). */
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** Others may fill the room that was made; then it is given up. */
    private static final int PLANS = 3;
    /** A load that takes that many times what it should has hung, if it also takes this long more. */
    private static final int TOO_LONG = 3;
    private static final Duration AND_MORE = Duration.ofSeconds(20);
    /** As long as Ollama itself gives a load that stalls (facts: models.md 2.1). */
    private static final Duration GIVE_UP = Duration.ofMinutes(5);

    private final Wall wall;
    private final Planner planner;
    private final Departures departures;
    private long tickets;

    Turns(Wall wall, Planner planner, Departures departures) {
        this.wall = wall;
        this.planner = planner;
        this.departures = departures;
    }

    /** Takes a load into the line. */
    Job want(Server server, ModelName model, By by, long entry, Job.Room room, Optional<PlacementId> from, Instant now) {
        Job job = new Job(model, by, entry, now, room, from);
        server.jobs.add(job);
        server.placed.put(model, new Placed(model, by, Phase.ASKED, now));
        return job;
    }

    void advance(Server server, Instant now) {
        server.current().ifPresent(job -> {
            switch (job.stage) {
                case MAKING_ROOM -> afterRoom(server, job, now);
                case LOADING -> watch(server, job, now);
                case WAITING, LOADED, NOT_LOADED -> {
                }
            }
        });
        for (Job job : List.copyOf(server.jobs)) {
            if (server.current().isEmpty() && server.jobs.contains(job)) {
                consider(server, job, now);
            }
            if (job.looking.isPresent()) {
                // Its turn has come; whoever is behind it does not take its room meanwhile.
                return;
            }
        }
    }

    private void consider(Server server, Job job, Instant now) {
        if (server.hold.isPresent()) {
            wait(job, wall.words.say("wait.held", server.id));
            return;
        }
        if (!server.live()) {
            wait(job, wall.words.say("wait.down", server.id));
            return;
        }
        if (server.measuring.isPresent()) {
            wait(job, wall.words.say("wait.measuring", server.measuring.get().model()));
            return;
        }
        switch (planner.load(server, job, wall.papers(), now)) {
            case Possible possible -> begin(server, job, possible, now);
            case Refused refused -> {
                job.looking = Optional.empty();
                boolean mayChange = refused.why() == Preview.Why.BUSY && job.room != Job.Room.ONLY_FREE
                        && now.isBefore(job.asked.plus(PATIENCE));
                if (mayChange) {
                    waitAloud(server, job, refused.words(), now);
                } else {
                    refuse(server, job, refused, now);
                }
            }
        }
    }

    private static void wait(Job job, String why) {
        job.why = why;
    }

    private void waitAloud(Server server, Job job, String why, Instant now) {
        if (!job.saidThatItWaits) {
            job.saidThatItWaits = true;
            wall.diary.add(now, Entry.Kind.WAITED, Optional.of(job.entry), Optional.of(id(server, job.model)),
                    wall.words.say("waited.title", job.model), why, Optional.empty());
        }
        job.why = why;
    }

    /** Another decides, or nobody knows who: what has not begun is not begun here. */
    void drop(Server server, Job job, Instant now) {
        refuse(server, job, new Refused(Preview.Why.NOT_IN_CHARGE, wall.charge.words(), Optional.empty()), now);
    }

    private void refuse(Server server, Job job, Refused refused, Instant now) {
        end(server, job, Stage.NOT_LOADED);
        server.placed.remove(job.model);
        wall.diary.add(now, Entry.Kind.REFUSED, Optional.of(job.entry), Optional.of(id(server, job.model)),
                wall.words.say("refused.title", job.model), refused.words(), Optional.empty());
    }

    /** Sends the victims away, if there are any; none goes before all of them are known to be enough. */
    private void begin(Server server, Job job, Possible possible, Instant now) {
        if (possible.victims().isEmpty() && fitsNow(server, job)) {
            job.looking = Optional.empty();
            load(server, job, now);
            return;
        }
        if (!possible.victims().isEmpty() && !looked(server, job, now)) {
            return;
        }
        if (++job.plans > PLANS) {
            refuse(server, job, new Refused(Preview.Why.BUSY, wall.words.say("refused.filled", server.id),
                    possible.figures()), now);
            return;
        }
        job.stage = Stage.MAKING_ROOM;
        job.awaited.clear();
        job.roomAt = Instant.MIN;
        server.placed.values().stream().filter(p -> p.phase == Phase.UNLOADING).forEach(p -> job.awaited.add(p.model));
        possible.victims().forEach(victim -> evict(server, job, victim, now));
    }

    /** Who is idle is asked again right before anybody is told to go: by an older look it may be at work by now. */
    private boolean looked(Server server, Job job, Instant now) {
        if (job.looking.isEmpty()) {
            job.looking = Optional.of(now);
            wait(job, wall.words.say("wait.looking", server.id));
            wall.effects.add(new Effect.LookAtServer(server.id));
        }
        boolean fresh = !server.answeredAt.isBefore(job.looking.get());
        job.looking = fresh ? Optional.empty() : job.looking;
        return fresh;
    }

    private boolean fitsNow(Server server, Job job) {
        long total = wall.total(server).orElse(0);
        return wall.takenNow(server) + wall.need(server, job.model).bytes()
                <= total - wall.reserve(server) - server.foreign.bytes();
    }

    private void evict(Server server, Job job, Victim victim, Instant now) {
        job.awaited.add(victim.model());
        job.agreed.remove(victim.model());
        departures.tell(server, server.placed.get(victim.model()), Departures.Cause.ROOM, Optional.of(job), wall.words.say(
                job.room == Job.Room.AS_AGREED ? "evicted.for.agreed" : "evicted.for", job.model, wall.gib(victim.bytes()),
                victim.idle().map(wall::span).orElse("")), Optional.empty(), now);
    }

    private void afterRoom(Server server, Job job, Instant now) {
        boolean stillGoing = job.awaited.stream().map(server.placed::get).anyMatch(p -> p != null
                && p.phase == Phase.UNLOADING);
        if (stillGoing) {
            return;
        }
        if (job.roomAt.equals(Instant.MIN)) {
            job.roomAt = now.plus(Planner.COMES_BACK);
        }
        boolean comes = server.returning.isPresent() && server.spot.gauge().filter(SitePicture.Gauge::prompt).isPresent();
        if (now.isBefore(job.roomAt) || comes && now.isBefore(job.roomAt.plus(Returning.LIMIT))) {
            return;
        }
        job.stage = Stage.WAITING;
        job.awaited.clear();
        if (!server.live() || server.hold.isPresent()) {
            return;
        }
        consider(server, job, now);
    }

    private void load(Server server, Job job, Instant now) {
        Memory need = wall.need(server, job.model);
        job.stage = Stage.LOADING;
        job.ticket = ++tickets;
        job.began = now;
        job.expected = server.loadTime(need.bytes());
        job.why = "";
        server.placed.computeIfAbsent(job.model, m -> new Placed(m, job.by, Phase.LOADING, now)).turn(Phase.LOADING, now);
        // From here on the card shows the new model too, and says nothing of those before it.
        server.returning = Optional.empty();
        server.foreign.loading(job.model);
        boolean keeps = wall.pins.contains(id(server, job.model)) || job.from.filter(wall.pins::contains).isPresent();
        wall.effects.add(new Effect.Load(id(server, job.model), keeps ? ServerDriver.Stay.ALWAYS
                : ServerDriver.Stay.USUAL, job.ticket));
    }

    private void watch(Server server, Job job, Instant now) {
        Duration taken = Duration.between(job.began, now);
        boolean late = taken.compareTo(job.expected.multipliedBy(TOO_LONG).plus(AND_MORE)) > 0;
        if (late && server.live() && !job.hanging) {
            job.hanging = true;
            wall.diary.add(now, Entry.Kind.FAILED, Optional.of(job.entry), Optional.of(id(server, job.model)),
                    wall.words.say("hangs.title", job.model), wall.words.say("hangs.words", server.id, wall.span(taken),
                            wall.span(job.expected)), Optional.empty());
        }
        if (!job.cancelled && taken.compareTo(GIVE_UP.plus(job.expected)) > 0) {
            job.cancelled = true;
            wall.effects.add(new Effect.CancelLoad(id(server, job.model), job.ticket));
        }
    }

    /** Gives a load up, wherever it is. */
    void cancel(Server server, Job job) {
        switch (job.stage) {
            case WAITING, MAKING_ROOM -> {
                end(server, job, Stage.NOT_LOADED);
                server.placed.remove(job.model);
            }
            case LOADING -> {
                job.cancelled = true;
                wall.effects.add(new Effect.CancelLoad(id(server, job.model), job.ticket));
            }
            case LOADED, NOT_LOADED -> { }
        }
    }

    /** @param failure empty for a load that came about */
    void ended(Server server, Job job, Optional<Trouble> failure, Instant now) {
        end(server, job, failure.isEmpty() ? Stage.LOADED : Stage.NOT_LOADED);
        Placed placed = server.placed.get(job.model);
        if (placed == null) {
            return;
        }
        if (failure.isEmpty()) {
            came(server, job, placed, now);
        } else if (placed.phase == Phase.LOADING) {
            failed(server, job, placed, failure.get(), now);
        }
    }

    private void came(Server server, Job job, Placed placed, Instant now) {
        placed.turn(Phase.HERE, now);
        placed.by = job.by;
        placed.usedAt = now;
        placed.readyAt = now;
        placed.settled = false;
        server.foreign.loaded(job.model);
        server.loadedIn(wall.need(server, job.model).bytes(), Duration.between(job.began, now));
        wall.uses.add(job.model, now);
        wall.diary.add(now, Entry.Kind.LOADED, Optional.of(job.entry), Optional.of(id(server, job.model)),
                wall.words.say("loaded.title", job.model), wall.words.say("loaded.words", server.id,
                        wall.span(Duration.between(job.began, now)), wall.span(job.expected)), Optional.empty());
    }

    private void failed(Server server, Job job, Placed placed, Trouble failure, Instant now) {
        server.foreign.changed();
        if (job.cancelled && !job.hanging) {
            server.placed.remove(job.model);
            return;
        }
        placed.turn(Phase.FAILED, now);
        placed.why = job.hanging ? wall.words.say("failed.hung", wall.span(Duration.between(job.began, now)))
                : failure.sentence();
        wall.diary.add(now, Entry.Kind.FAILED, Optional.of(job.entry), Optional.of(id(server, job.model)),
                wall.words.say("failed.title", job.model), placed.why + ". " + failure.next(), Optional.empty());
    }

    private static void end(Server server, Job job, Stage how) {
        job.stage = how;
        server.jobs.remove(job);
    }

    private static PlacementId id(Server server, ModelName model) {
        return new PlacementId(server.id, model);
    }
}
