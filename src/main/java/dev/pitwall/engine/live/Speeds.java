package dev.pitwall.engine.live;

import dev.pitwall.engine.live.Placed.Use;
import dev.pitwall.engine.live.Preview.Possible;
import dev.pitwall.engine.live.Preview.Refused;
import dev.pitwall.engine.live.ProviderView.By;
import dev.pitwall.engine.live.ServerDriver.Ability;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Measures how fast models are, and knows how fast they were. To compute without the card, Ollama loads a model anew
 * (facts: models.md 5.2, the placement trap): so nothing else is done on the server meanwhile, what is seen of the model then
 * counts for nothing, and it is loaded again without options, which is how its clients ask for it.
 */
final class Speeds {
    /** A time to stay that lies further ahead means for ever (facts: models.md 5.1). */
    private static final Duration FOR_EVER = Duration.ofDays(36_525);
    /** The answers themselves: mostly that of the processor. */
    private static final Duration ANSWERS = Duration.ofSeconds(20);

    private final Wall wall;
    private final Map<PlacementId, MeasuredSpeed> known = new LinkedHashMap<>();
    /** What an earlier run left on the processor, until its server is seen. */
    private final Map<PlacementId, Away> left = new LinkedHashMap<>();

    /** @param kept the oldest first; @param away what an earlier run did not put back */
    Speeds(Wall wall, List<MeasuredSpeed> kept, List<Away> away) {
        this.wall = wall;
        away.forEach(a -> left.put(a.what(), a));
        kept.forEach(speed -> known.put(speed.what(), speed));
    }

    /** Of the model that has this name there now. */
    Optional<MeasuredSpeed> of(Server server, ModelName model) {
        Optional<String> digest = wall.facts(server, model, OptionalLong.empty()).digest();
        return Optional.ofNullable(known.get(new PlacementId(server.id, model)))
                .filter(speed -> speed.digest().isEmpty() || digest.isEmpty() || speed.digest().equals(digest));
    }

    Preview preview(PlacementId what) {
        Optional<Server> found = wall.server(what.provider());
        Optional<Placed> placed = found.flatMap(s -> Optional.ofNullable(s.placed.get(what.model()))).filter(Placed::here);
        if (placed.isEmpty()) {
            return refused(Preview.Why.NOT_THERE, "refused.notthere", what.model(), what.provider());
        }
        Server server = found.orElseThrow();
        if (server.hold.isPresent()) {
            return refused(Preview.Why.HELD, "refused.held", server.id);
        }
        if (!server.live()) {
            return refused(Preview.Why.SERVER_DOWN, "refused.down", server.id);
        }
        if (!server.can(Ability.MEASURE)) {
            return refused(Preview.Why.UNSUPPORTED, "refused.nomeasure", server.id);
        }
        if (server.measuring.isPresent()) {
            return refused(Preview.Why.BUSY, "refused.measuring", server.measuring.get().model(), server.id);
        }
        boolean works = server.placed.values().stream().anyMatch(p -> p.use == Use.BUSY);
        if (works || server.moving() || !server.jobs.isEmpty()) {
            return refused(Preview.Why.BUSY, "refused.measure.busy", server.id);
        }
        return possible(server, placed.get());
    }

    private Possible possible(Server server, Placed placed) {
        if (!server.can(Ability.MEASURE_PROCESSOR)) {
            return new Possible(Optional.empty(), List.of(), Optional.of(ANSWERS), List.of());
        }
        Duration about = server.loadTime(wall.need(server, placed.model).bytes()).multipliedBy(2).plus(ANSWERS);
        List<String> interrupts = new ArrayList<>();
        interrupts.add(wall.words.say("interrupts.measure", placed.model, wall.span(about)));
        if (placed.by == By.OTHERS || placed.reloaded.isPresent()) {
            interrupts.add(wall.words.say("interrupts.options", placed.model));
        }
        return new Possible(Optional.empty(), List.of(), Optional.of(about), interrupts);
    }

    private Refused refused(Preview.Why why, String key, Object... values) {
        return new Refused(why, wall.words.say(key, values), Optional.empty());
    }

    /** Its preview was no refusal. */
    Entry begin(Wish wish, PlacementId what, Instant now) {
        Server server = wall.servers.get(what.provider());
        Placed placed = server.placed.get(what.model());
        boolean both = server.can(Ability.MEASURE_PROCESSOR);
        Entry entry = wall.diary.add(now, Entry.Kind.MEASURED, Optional.empty(), Optional.of(what),
                wall.words.say("measuring.title", what.model()), wall.words.say(both ? "measuring.words" : "measuring.here",
                        what.provider()), Optional.of(wish));
        server.measuring = Optional.of(new Server.Measuring(what.model(), entry.number()));
        placed.use = Use.BUSY;
        server.foreign.changed();
        boolean keeps = wall.pins.contains(what) || placed.seen.flatMap(ServerDriver.Loaded::expires)
                .filter(e -> e.isAfter(now.plus(FOR_EVER))).isPresent();
        wall.effects.add(new Effect.MeasureSpeed(what, both ? ServerDriver.Course.BOTH : ServerDriver.Course.HERE,
                keeps ? ServerDriver.Stay.ALWAYS : ServerDriver.Stay.USUAL));
        return entry;
    }

    /** What a measurement of an earlier run left on the processor goes back; what is no longer there is forgotten. */
    void seen(Server server, Instant now) {
        if (server.measuring.isPresent()) {
            return;
        }
        left.values().stream().filter(a -> a.what().provider().equals(server.id)).findFirst().ifPresent(away -> {
            ModelName model = away.what().model();
            Optional<ServerDriver.Loaded> loaded = server.state.stream().flatMap(s -> s.loaded().stream())
                    .filter(l -> l.model().equals(model)).findFirst();
            Optional<Placed> placed = Optional.ofNullable(server.placed.get(model)).filter(Placed::here);
            if (loaded.isEmpty() || loaded.get().vramBytes().orElse(0) > 0) {
                left.remove(away.what());
                wall.effects.add(new Effect.IsBack(away.what()));
            } else if (placed.isPresent() && !server.moving()) {
                left.remove(away.what());
                Entry entry = wall.diary.add(now, Entry.Kind.MEASURED, Optional.empty(), Optional.of(away.what()),
                        wall.words.say("putback.title", model), wall.words.say("putback.words", server.id), Optional.empty());
                server.measuring = Optional.of(new Server.Measuring(model, entry.number()));
                placed.get().use = Use.BUSY;
                server.foreign.changed();
                wall.effects.add(new Effect.PutBack(away));
            }
        });
    }

    void ended(PlacementId what, SpeedOutcome outcome, Instant now) {
        wall.server(what.provider()).filter(s -> s.measuring.filter(m -> m.model().equals(what.model())).isPresent())
                .ifPresent(server -> {
                    long entry = server.measuring.orElseThrow().entry();
                    server.measuring = Optional.empty();
                    server.foreign.changed();
                    Optional.ofNullable(server.placed.get(what.model())).ifPresent(placed -> {
                        placed.use = Use.IDLE;
                        placed.usedAt = now;
                        // A look that began before this may have seen it gone, or on the processor.
                        placed.readyAt = now;
                        placed.settled = false;
                    });
                    outcome.here().ifPresent(here -> learn(server, what, here, outcome, entry, now));
                    outcome.failure().ifPresent(trouble -> say(what, entry, "speed.failed.title", trouble.sentence() + ". "
                            + trouble.next(), now));
                    outcome.notBack().ifPresent(trouble -> say(what, entry, "speed.notback.title", trouble.sentence() + ". "
                            + trouble.next(), now));
                });
    }

    private void learn(Server server, PlacementId what, double here, SpeedOutcome outcome, long entry, Instant now) {
        known.remove(what);
        known.put(what, new MeasuredSpeed(what, wall.facts(server, what.model(), OptionalLong.empty()).digest(), here,
                outcome.onProcessor(), now));
        wall.effects.add(new Effect.Speeds(List.copyOf(known.values())));
        wall.diary.add(now, Entry.Kind.MEASURED, Optional.of(entry), Optional.of(what), wall.words.say("speed.title", what.model()),
                outcome.onProcessor().isPresent() ? wall.words.say("speed.both", rate(here), server.id,
                        rate(outcome.onProcessor().getAsDouble())) : wall.words.say("speed.here", rate(here), server.id),
                Optional.empty());
    }

    private void say(PlacementId what, long entry, String title, String words, Instant now) {
        wall.diary.add(now, Entry.Kind.FAILED, Optional.of(entry), Optional.of(what), wall.words.say(title, what.model()), words,
                Optional.empty());
    }

    private static String rate(double tokensPerSecond) {
        return tokensPerSecond < 10 ? String.format(Locale.ROOT, "%.1f", tokensPerSecond)
                : Long.toString(Math.round(tokensPerSecond));
    }
}
