package dev.pitwall.engine.live;

import dev.pitwall.card.Trouble;
import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.figure.Figure;
import dev.pitwall.engine.figure.Measured;
import dev.pitwall.engine.figure.Series;
import dev.pitwall.engine.vram.ModelFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The live engine without threads, sockets and clock: it is told what happened and when, in the order of time, and hands
 * out what is to be done. The same events give the same decisions.
 */
final class LiveCore {
    private final Wall wall;
    private final Departures departures;
    private final Sight sight;
    private final Previews previews;
    private final Turns turns;
    private final Pins pins;
    private final Wishes wishes;
    private final Views views;

    LiveCore(EngineRecord.Kept kept) {
        this.wall = new Wall(kept);
        Planner planner = new Planner(wall);
        this.departures = new Departures(wall);
        this.sight = new Sight(wall, departures);
        this.previews = new Previews(wall, planner);
        this.turns = new Turns(wall, planner, departures);
        this.pins = new Pins(wall, planner, turns);
        this.wishes = new Wishes(wall, previews, planner, turns, departures);
        this.views = new Views(wall);
    }

    /** Who decides from now on. What was wanted of this engine and has not begun is refused by name when it decides no more. */
    void charge(Charge.State charge, Instant now) {
        wall.charge.turn(charge, now).ifPresent(change -> {
            switch (change) {
                case TAKEN -> { }
                case LOST -> wall.servers.values().forEach(server -> List.copyOf(server.jobs).stream()
                        .filter(job -> job.stage != Job.Stage.LOADING).forEach(job -> turns.drop(server, job, now)));
            }
        });
        wishes.charge(now);
    }

    /** Whether there is something to decide while nobody does: what a person asked for, or the mode in which it decides itself. */
    boolean claims() {
        return wall.charge.free() && (wall.mode == Mode.AUTOMATIC || wishes.waiting());
    }

    /** What is to be done since this was asked last, in order. */
    List<Effect> take() {
        List<Effect> all = new ArrayList<>(wall.effects);
        wall.effects.clear();
        return all;
    }

    WallView view(Instant now) {
        return views.view(now);
    }

    /** How many tokens a second each server makes, where it tells of all that it has in memory. */
    List<Measured> speeds() {
        return wall.servers.values().stream().filter(Server::live).flatMap(server -> server.tokensPerSecond().stream()
                .mapToObj(rate -> new Measured(new Series(server.id.text(), Figure.TOKENS), server.answeredAt, rate))).toList();
    }

    Preview preview(Wish wish, Instant now) {
        return previews.of(wish, now);
    }

    Optional<Wish> undo(Entry entry) {
        return wall.diary.undo(entry.number());
    }

    /** @param mayGo the models that the person was shown to go for it */
    Entry ask(Wish wish, Set<ModelName> mayGo, Instant now) {
        Entry entry = wishes.ask(wish, mayGo, now);
        advance(now);
        return entry;
    }

    void site(SitePicture picture, Instant now) {
        sight.site(picture, now);
        advance(now);
    }

    /** @param began when the server was asked */
    void read(ProviderId id, ServerDriver.State state, Instant began, Instant now) {
        wall.server(id).ifPresent(server -> {
            sight.read(server, state, began, now);
            wall.speeds.seen(server, now);
        });
        advance(now);
    }

    void missed(ProviderId id, Trouble trouble, Instant now) {
        wall.server(id).ifPresent(server -> sight.missed(server, trouble, now));
        advance(now);
    }

    void loadProgress(PlacementId what, long ticket, ServerDriver.Progress progress) {
        job(what, ticket).ifPresent(job -> Optional.ofNullable(wall.servers.get(what.provider()).placed.get(what.model()))
                .ifPresent(placed -> placed.progress = progress.share().isPresent() ? progress.share()
                        : OptionalDouble.empty()));
    }

    /** @param failure empty for a load that came about */
    void loadEnded(PlacementId what, long ticket, Optional<Trouble> failure, Instant now) {
        job(what, ticket).ifPresent(job -> {
            turns.ended(wall.servers.get(what.provider()), job, failure, now);
            if (failure.isEmpty() && job.from.isPresent() && wall.charge.here()) {
                wishes.arrived(job, what.provider(), now);
            }
        });
        advance(now);
    }

    private Optional<Job> job(PlacementId what, long ticket) {
        return wall.server(what.provider()).flatMap(s -> s.job(what.model()))
                .filter(j -> j.stage == Job.Stage.LOADING && j.ticket == ticket);
    }

    /** @param failure empty if the server no longer lists it */
    void unloadEnded(PlacementId what, Optional<Trouble> failure, Instant now) {
        wall.server(what.provider()).ifPresent(server -> Optional.ofNullable(server.placed.get(what.model()))
                .filter(p -> p.phase == Placed.Phase.UNLOADING).ifPresent(placed -> {
                    if (failure.isEmpty()) {
                        returns(server, placed, now);
                        departures.gone(server, placed, now);
                    } else {
                        departures.stays(server, placed, failure.get(), now);
                    }
                    server.foreign.changed();
                }));
        advance(now);
    }

    /** Only a card that says what is used can show that it came back. */
    private void returns(Server server, Placed placed, Instant now) {
        server.spot.gauge().filter(g -> g.used().isPresent()).ifPresent(_ -> {
            Returning returning = server.returning.orElseGet(() -> new Returning(server.foreign.bytes(), now));
            returning.add(placed.model, wall.memory(server, placed).bytes(), now);
            server.returning = Optional.of(returning);
        });
    }

    void speedEnded(PlacementId what, SpeedOutcome outcome, Instant now) {
        wall.speeds.ended(what, outcome, now);
        advance(now);
    }

    void pullProgress(PlacementId what, ServerDriver.Progress progress) {
        wall.server(what.provider()).ifPresent(server -> server.pulls.computeIfPresent(what.model(), (model, _) ->
                new WallView.Pulling(model, server.id, progress.stage(), progress.done(), progress.total())));
    }

    /** @param failure empty if the files are there */
    void pullEnded(PlacementId what, Optional<Trouble> failure, Instant now) {
        wall.server(what.provider()).filter(s -> s.pulls.remove(what.model()) != null).ifPresent(server ->
                wall.diary.add(now, failure.isEmpty() ? Entry.Kind.PULLED : Entry.Kind.FAILED, Optional.empty(),
                        Optional.of(what), wall.words.say(failure.isEmpty() ? "pulled.title" : "pullfailed.title", what.model()),
                        failure.map(f -> f.sentence() + ". " + f.next()).orElseGet(() ->
                                wall.words.say("pulled.words", what.model(), what.provider())), Optional.empty()));
        advance(now);
    }

    /** What an estimate of a model needs. */
    void shown(String digest, ModelFacts facts) {
        wall.needed.learn(digest, facts);
    }

    /** To be called at least once a second: waits end by time. */
    void tick(Instant now) {
        advance(now);
    }

    private void advance(Instant now) {
        if (!wall.charge.here()) {
            return;
        }
        for (Server server : List.copyOf(wall.servers.values())) {
            server.hold.flatMap(ProviderView.Hold::until).filter(now::isAfter).ifPresent(_ -> release(server, now));
            sight.returned(server, now);
            pins.advance(server, now);
            turns.advance(server, now);
        }
    }

    private void release(Server server, Instant now) {
        server.hold = Optional.empty();
        wall.holds.remove(server.id);
        wall.decided();
        wall.diary.add(now, Entry.Kind.HELD, Optional.empty(), Optional.empty(), wall.words.say("released.title", server.id),
                wall.words.say("released.time", server.id), Optional.empty());
    }
}
