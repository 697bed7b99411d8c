package dev.pitwall.engine.live;

import dev.pitwall.card.Trouble;
import dev.pitwall.engine.live.Placed.Phase;
import dev.pitwall.engine.live.Placed.Use;
import dev.pitwall.engine.live.ProviderView.By;
import dev.pitwall.engine.live.ServerDriver.Installed;
import dev.pitwall.engine.live.ServerDriver.Loaded;
import dev.pitwall.engine.live.ServerDriver.State;
import dev.pitwall.engine.vram.MeasuredLoad;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Takes in what servers and cards say, and notes what others have done meanwhile. */
final class Sight {
    /** Clocks of two machines differ; a time to stay that is over by less may not be over there. */
    private static final Duration SLACK = Duration.ofSeconds(2);
    private static final Duration LOST_SHOWS = Duration.ofMinutes(2);
    private static final Duration FAILED_SHOWS = Duration.ofMinutes(10);
    private static final Duration ASK_AGAIN = Duration.ofMinutes(5);
    /** A card that works this much is used by somebody. */
    private static final double WORKS = 0.2;
    /** Smaller changes of what others use are not worth an entry. */
    private static final long WORTH_SAYING = 256L << 20;

    private final Wall wall;
    private final Departures departures;
    private final Map<String, Instant> shows = new HashMap<>();
    private final Map<ProviderId, Long> saidForeign = new HashMap<>();

    Sight(Wall wall, Departures departures) {
        this.wall = wall;
        this.departures = departures;
    }

    /** @param began when the question was asked: what has come about since is not in the answer */
    void read(Server server, State state, Instant began, Instant now) {
        boolean first = server.state.isEmpty();
        server.silence().ifPresent(silence -> say(server, Optional.empty(), Entry.Kind.FOREIGN, "back", now, server.id,
                wall.span(silence.since(), now)));
        server.state = Optional.of(state);
        server.answeredAt = began;
        server.misses = 0;
        server.missed = Optional.empty();
        state.loaded().stream().filter(loaded -> !server.measures(loaded.model()))
                .forEach(loaded -> seen(server, loaded, first, now));
        for (Placed placed : new ArrayList<>(server.placed.values())) {
            if (!server.measures(placed.model) && state.loaded().stream().noneMatch(l -> l.model().equals(placed.model))) {
                unseen(server, placed, began, now);
            }
        }
        works(server, now);
        askFor(server, now);
    }

    void missed(Server server, Trouble trouble, Instant now) {
        boolean wasSilent = server.silence().isPresent();
        server.misses++;
        server.missed = Optional.of(new Server.Silence(server.missed.map(Server.Silence::since).orElse(now), trouble));
        if (!wasSilent && server.silence().isPresent() && server.state.isPresent()) {
            wall.diary.add(now, Entry.Kind.LOST, Optional.empty(), Optional.empty(),
                    wall.words.say("silent.title", server.id), trouble.sentence() + ". " + trouble.next(), Optional.empty());
        }
    }

    private void seen(Server server, Loaded loaded, boolean first, Instant now) {
        Placed placed = server.placed.get(loaded.model());
        if (placed == null) {
            appeared(server, loaded, first, now);
            return;
        }
        switch (placed.phase) {
            case LOADING -> loading(server, placed, loaded, now);
            case ASKED -> {
                server.job(placed.model).ifPresent(job -> {
                    job.stage = Job.Stage.NOT_LOADED;
                    server.jobs.remove(job);
                });
                comes(server, placed, loaded, now);
                say(server, Optional.of(placed.model), Entry.Kind.FOREIGN, "meanwhile", now, placed.model, server.id);
            }
            case FAILED, LOST -> {
                placed.by = placed.phase == Phase.LOST ? By.OTHERS : placed.by;
                comes(server, placed, loaded, now);
                say(server, Optional.of(placed.model), Entry.Kind.FOREIGN, "again", now, placed.model, server.id);
            }
            case HERE -> stays(server, placed, loaded, now);
            case UNLOADING -> placed.seen = Optional.of(loaded);
        }
    }

    private void appeared(Server server, Loaded loaded, boolean first, Instant now) {
        Placed placed = new Placed(loaded.model(), By.OTHERS, Phase.HERE, now);
        server.placed.put(loaded.model(), placed);
        if (loaded.phase() == ServerDriver.Phase.LOADING) {
            placed.turn(Phase.LOADING, now);
            placed.progress = loaded.progress();
        }
        placed.seen = Optional.of(loaded);
        used(placed, now);
        work(placed, loaded, now);
        server.foreign.changed();
        if (!first) {
            wasUsed(placed, loaded);
            say(server, Optional.of(loaded.model()), Entry.Kind.FOREIGN, "appeared", now, loaded.model(), server.id);
        }
    }

    private void comes(Server server, Placed placed, Loaded loaded, Instant now) {
        placed.turn(Phase.HERE, now);
        placed.readyAt = now;
        placed.seen = Optional.of(loaded);
        placed.told = Optional.empty();
        used(placed, now);
        work(placed, loaded, now);
        wasUsed(placed, loaded);
        server.foreign.changed();
    }

    /** A load of ours is over when its call is; one of others when the server says so. */
    private void loading(Server server, Placed placed, Loaded loaded, Instant now) {
        placed.seen = Optional.of(loaded);
        placed.progress = loaded.progress().isPresent() ? loaded.progress() : placed.progress;
        boolean ours = server.job(placed.model).isPresent();
        if (!ours && loaded.phase() != ServerDriver.Phase.LOADING) {
            comes(server, placed, loaded, now);
        }
    }

    private void stays(Server server, Placed placed, Loaded loaded, Instant now) {
        Optional<Loaded> before = placed.seen;
        placed.seen = Optional.of(loaded);
        boolean moved = before.filter(b -> !b.expires().equals(loaded.expires())).isPresent();
        if (moved) {
            used(placed, now);
        }
        before.filter(b -> b.contextTokens().isPresent() && loaded.contextTokens().isPresent()
                && b.contextTokens().getAsLong() != loaded.contextTokens().getAsLong()).ifPresent(b -> {
            placed.reloaded = Optional.of(wall.words.say("note.reloaded", loaded.contextTokens().getAsLong(),
                    b.contextTokens().getAsLong()));
            server.foreign.changed();
            say(server, Optional.of(placed.model), Entry.Kind.FOREIGN, "reloaded", now, placed.model,
                    loaded.contextTokens().getAsLong(), b.contextTokens().getAsLong());
        });
        work(placed, loaded, now);
        if (moved && placed.settled && before.flatMap(Loaded::expires).filter(e -> e.isBefore(now.plus(Views.FOR_EVER))).isPresent()) {
            wasUsed(placed, loaded);
        }
        placed.settled = true;
        if (loaded.expires().filter(e -> e.isAfter(now)).isPresent()) {
            // Somebody asked for it again since it was told to go.
            placed.told = Optional.empty();
        }
        learn(server, placed, loaded, now);
    }

    private void used(Placed placed, Instant now) {
        placed.usedAt = now;
        wall.uses.add(placed.model, now);
    }

    /**
     * Ollama tells of no requests. One that was used since the look before may be at it still: it is idle once a look has
     * shown no use. While the first answer after a load is given, the time to stay moves at every look (Ollama, PsHandler);
     * the time that a load of ours sets is nobody's use.
     */
    private static void wasUsed(Placed placed, Loaded loaded) {
        if (placed.here() && loaded.requests().isEmpty()) {
            placed.use = Use.BUSY;
        }
    }

    /** While it answers, the time that Ollama has written for it may lie in the past (facts: models.md 5.1). */
    private void work(Placed placed, Loaded loaded, Instant now) {
        boolean over = loaded.expires().filter(e -> e.isBefore(now.minus(SLACK))).isPresent();
        boolean busy = loaded.requests().orElse(0) > 0 || over;
        placed.requests = loaded.requests().orElse(0);
        placed.use = busy ? Use.BUSY : Use.IDLE;
        if (loaded.requests().orElse(0) > 0) {
            used(placed, now);
        } else if (over) {
            placed.usedAt = now;
        }
    }

    /** What a card does tells who works on it only where one model is alone on it, but for what a driver takes. */
    private void works(Server server, Instant now) {
        List<Placed> here = server.placed.values().stream().filter(Placed::here).toList();
        boolean works = server.spot.gauge().filter(g -> g.utilisation().orElse(0) >= WORKS).isPresent();
        if (works && here.size() == 1 && server.foreign.bytes() < Wall.RESERVE_A_CARD) {
            here.getFirst().use = Use.BUSY;
            here.getFirst().usedAt = now;
        }
    }

    /** The server's figure of a load that is all on the card; it leaves out what the driver takes. */
    private void learn(Server server, Placed placed, Loaded loaded, Instant now) {
        boolean whole = loaded.sizeBytes().isPresent() && placed.onCard().isPresent()
                && placed.onCard().getAsLong() == loaded.sizeBytes().getAsLong();
        if (whole && wall.need(server, placed.model).basis() != Memory.Basis.MEASURED && learned(server, placed,
                placed.onCard().getAsLong(), MeasuredLoad.Source.SERVER, now)) {
            wall.effects.add(new Effect.Measured(wall.needed.measured()));
        }
    }

    private boolean learned(Server server, Placed placed, long bytes, MeasuredLoad.Source source, Instant now) {
        return wall.needed.learn(wall.facts(server, placed.model, placed.context()), server.spot.cardKind(),
                wall.total(server).orElse(0), bytes, source, now);
    }

    private void unseen(Server server, Placed placed, Instant began, Instant now) {
        switch (placed.phase) {
            case HERE -> {
                if (!placed.readyAt.isAfter(began)) {
                    gone(server, placed, now);
                }
            }
            case UNLOADING -> {
                if (!placed.since.isAfter(began)) {
                    departures.gone(server, placed, now);
                    server.foreign.changed();
                }
            }
            case LOADING -> {
                if (server.job(placed.model).isEmpty()) {
                    server.placed.remove(placed.model);
                    server.foreign.changed();
                }
            }
            case LOST -> forgetAfter(server, placed, LOST_SHOWS, now);
            case FAILED -> forgetAfter(server, placed, FAILED_SHOWS, now);
            case ASKED -> {
            }
        }
    }

    private static void forgetAfter(Server server, Placed placed, Duration time, Instant now) {
        if (now.isAfter(placed.since.plus(time))) {
            server.placed.remove(placed.model);
        }
    }

    private void gone(Server server, Placed placed, Instant now) {
        server.foreign.changed();
        if (placed.told.isPresent()) {
            departures.gone(server, placed, now);
            return;
        }
        boolean timeOver = placed.seen.flatMap(Loaded::expires).filter(e -> e.isBefore(now.plus(SLACK))).isPresent();
        boolean pinned = wall.pins.contains(new PlacementId(server.id, placed.model));
        if (timeOver && !pinned) {
            server.placed.remove(placed.model);
            say(server, Optional.of(placed.model), Entry.Kind.EVICTED, "expired", now, placed.model, server.id);
            return;
        }
        placed.turn(Phase.LOST, now);
        placed.use = Use.IDLE;
        say(server, Optional.of(placed.model), Entry.Kind.LOST, pinned ? "lost.pinned" : "lost", now, placed.model, server.id);
    }

    /** Asks for what an estimate needs, one model at a time and none twice in a row. */
    private void askFor(Server server, Instant now) {
        server.state.stream().flatMap(s -> s.installed().stream())
                .filter(i -> i.digest().filter(d -> !wall.needed.knows(d)).isPresent())
                .filter(i -> shows.getOrDefault(i.digest().get(), Instant.MIN).isBefore(now.minus(ASK_AGAIN)))
                .findFirst().ifPresent(i -> ask(server, i, now));
    }

    private void ask(Server server, Installed installed, Instant now) {
        shows.put(installed.digest().orElseThrow(), now);
        wall.effects.add(new Effect.Show(new PlacementId(server.id, installed.model()), installed.digest().orElseThrow()));
    }

    /** Which servers there are, and how full their cards. */
    void site(SitePicture picture, Instant now) {
        wall.others = picture.others();
        List<ProviderId> there = picture.spots().stream().map(SitePicture.Spot::id).toList();
        wall.servers.keySet().removeIf(id -> !there.contains(id));
        Map<ProviderId, Server> known = new HashMap<>(wall.servers);
        wall.servers.clear();
        picture.spots().forEach(spot -> {
            Server server = known.computeIfAbsent(spot.id(), id -> new Server(id, spot));
            server.spot = spot;
            server.hold = Optional.ofNullable(wall.holds.get(spot.id()));
            wall.servers.put(spot.id(), server);
            card(server, now);
        });
    }

    private void card(Server server, Instant now) {
        server.spot.gauge().ifPresent(gauge -> {
            server.foreign.sample(gauge, wall.takenNow(server), !server.moving() && server.live())
                    .ifPresent(measured -> measured(server, measured, now));
            long before = saidForeign.getOrDefault(server.id, 0L);
            long others = server.foreign.bytes();
            if (server.returning.isEmpty() && Math.abs(others - before) >= WORTH_SAYING) {
                saidForeign.put(server.id, others);
                say(server, Optional.empty(), Entry.Kind.FOREIGN, others > before ? "foreign.more" : "foreign.less", now,
                        wall.gib(others), server.id, wall.gib(before));
            }
        });
    }

    /** Says what stays held after models went, and asks the card again while it may still come back. */
    void returned(Server server, Instant now) {
        if (server.returning.isEmpty()) {
            return;
        }
        Returning returning = server.returning.get();
        boolean prompt = server.spot.gauge().filter(SitePicture.Gauge::prompt).isPresent();
        switch (returning.verdict(server.foreign.settled(), prompt, now)) {
            case Returning.Verdict.Back _ -> server.returning = Optional.empty();
            case Returning.Verdict.NotYet _ -> {
                if (prompt && returning.looks(now)) {
                    wall.effects.add(new Effect.LookAtCard(server.id));
                }
            }
            case Returning.Verdict.Stays(Returning.Held held) -> {
                server.returning = Optional.empty();
                saidForeign.put(server.id, server.foreign.bytes());
                say(server, Optional.of(held.models().getLast()), Entry.Kind.FOREIGN, "held.memory", now, server.id,
                        wall.gib(held.bytes()), wall.words.list(held.models().stream().map(ModelName::text).toList()));
            }
        }
    }

    private void measured(Server server, Foreign.Measured measured, Instant now) {
        Optional.ofNullable(server.placed.get(measured.model())).filter(Placed::here).filter(p -> p.onProcessor() == 0)
                .ifPresent(placed -> {
                    Memory before = wall.need(server, placed.model);
                    if (learned(server, placed, measured.bytes(), MeasuredLoad.Source.CARD, now)) {
                        wall.effects.add(new Effect.Measured(wall.needed.measured()));
                        say(server, Optional.of(placed.model), Entry.Kind.MEASURED, "measured", now, placed.model,
                                wall.gib(measured.bytes()), wall.gib(before.bytes()), server.id);
                    }
                });
    }

    private void say(Server server, Optional<ModelName> model, Entry.Kind kind, String key, Instant now, Object... values) {
        Objects.requireNonNull(server);
        wall.diary.add(now, kind, Optional.empty(), model.map(m -> new PlacementId(server.id, m)),
                wall.words.say(key + ".title", values), wall.words.say(key + ".words", values), Optional.empty());
    }
}
