package dev.pitwall.engine.live;

import dev.pitwall.engine.live.Preview.Possible;
import dev.pitwall.engine.live.Preview.Refused;
import dev.pitwall.engine.live.ProviderView.By;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Does what a person wants, if its preview is no refusal. */
final class Wishes {
    private final Wall wall;
    private final Previews previews;
    private final Planner planner;
    private final Turns turns;
    private final Departures departures;
    /** Asked for while nobody decided. They are done, or refused, as soon as it is known who does. */
    private final List<Asked> waiting = new ArrayList<>();

    private record Asked(Wish wish, Set<ModelName> mayGo) {
    }

    Wishes(Wall wall, Previews previews, Planner planner, Turns turns, Departures departures) {
        this.wall = wall;
        this.previews = previews;
        this.planner = planner;
        this.turns = turns;
        this.departures = departures;
    }

    /**
     * @param wish  several at once are at least one
     * @param mayGo what the person was shown to go for it: if others would have to, it is refused
     */
    Entry ask(Wish wish, Set<ModelName> mayGo, Instant now) {
        return switch (asShown(previews.of(wish, now), mayGo)) {
            case Refused refused -> wall.diary.add(now, Entry.Kind.REFUSED, Optional.empty(), placement(wish),
                    wall.words.say("refused.wish", title(wish)), refused.words(), Optional.of(wish));
            case Possible _ when wall.charge.open() && !onlyHere(wish) -> {
                waiting.add(new Asked(wish, mayGo));
                yield wall.diary.add(now, Entry.Kind.WAITED, Optional.empty(), placement(wish),
                        wall.words.say("charge.wish.title", title(wish)), wall.words.say(wall.charge.free() ? "charge.wish.words" : "charge.looking"), Optional.of(wish));
            }
            case Possible possible -> doIt(wish, possible, mayGo, now);
        };
    }

    private Preview asShown(Preview preview, Set<ModelName> mayGo) {
        return switch (preview) {
            case Possible possible when possible.victims().stream().anyMatch(v -> !mayGo.contains(v.model())) ->
                    planner.notAsShown(possible, mayGo);
            case Possible _, Refused _ -> preview;
        };
    }

    /** The mode is a matter of this engine alone: it touches no server. */
    private static boolean onlyHere(Wish wish) {
        return wish instanceof Wish.SetMode;
    }

    boolean waiting() {
        return !waiting.isEmpty();
    }

    /** Who decides may have changed. */
    void charge(Instant now) {
        if (!wall.charge.open()) {
            List<Asked> due = List.copyOf(waiting);
            waiting.clear();
            due.forEach(asked -> ask(asked.wish(), asked.mayGo(), now));
        }
    }

    private Entry doIt(Wish wish, Possible possible, Set<ModelName> mayGo, Instant now) {
        return switch (wish) {
            case Wish.Place(ModelName model, ProviderId to) -> place(wish, model, to, possible, Optional.empty(), now);
            case Wish.Move(PlacementId what, ProviderId to) -> place(wish, what.model(), to, possible, Optional.of(what), now);
            case Wish.Evict(PlacementId what) -> evict(wish, what, now);
            case Wish.Pin(PlacementId what) -> pin(wish, what, now);
            case Wish.Unpin(PlacementId what) -> unpin(wish, what, now);
            case Wish.Hold(ProviderId provider, Optional<Instant> until) -> hold(wish, provider, until, now);
            case Wish.Release(ProviderId provider) -> release(wish, provider, now);
            case Wish.Cancel(PlacementId what) -> cancel(wish, what, now);
            case Wish.Pull(ModelName model, ProviderId to) -> pull(wish, model, to, now);
            case Wish.CancelPull(ModelName model, ProviderId to) -> {
                wall.effects.add(new Effect.CancelPull(new PlacementId(to, model)));
                yield said(wish, Entry.Kind.PULLED, "pull.cancelled", now, model, to);
            }
            case Wish.MeasureSpeed(PlacementId what) -> wall.speeds.begin(wish, what, now);
            case Wish.SetMode(Mode mode) -> mode(wish, mode, now);
            case Wish.All(List<Wish> wishes) -> all(wishes, mayGo, now);
        };
    }

    private Entry all(List<Wish> wishes, Set<ModelName> mayGo, Instant now) {
        List<Entry> entries = new ArrayList<>();
        wishes.forEach(wish -> entries.add(ask(wish, mayGo, now)));
        List<Supplier<Optional<Wish>>> back = entries.reversed().stream().map(e -> wall.diary.back(e.number())).toList();
        Entry first = entries.getFirst();
        wall.diary.undo(first.number(), () -> Wish.together(back.stream().flatMap(b -> b.get().stream()).toList()));
        return first;
    }

    private Entry place(Wish wish, ModelName model, ProviderId to, Possible possible, Optional<PlacementId> from, Instant now) {
        Server server = wall.servers.get(to);
        Preview.Figures figures = possible.figures().orElseThrow();
        String words = wall.words.say(possible.victims().isEmpty() ? "loading.fits" : "loading.evicts",
                wall.gib(figures.need()), wall.gib(figures.free()), wall.words.list(possible.victims().stream()
                        .map(v -> v.model().text()).toList()), wall.span(possible.about().orElse(Duration.ZERO)));
        Entry entry = wall.diary.add(now, from.isPresent() ? Entry.Kind.MOVED : Entry.Kind.LOADING, Optional.empty(),
                Optional.of(new PlacementId(to, model)), wall.words.say(from.isPresent() ? "moving.title" : "placing.title",
                        model, to), words, Optional.of(wish));
        Job job = turns.want(server, model, By.PERSON, entry.number(), Job.Room.AS_AGREED, from, now);
        possible.victims().forEach(v -> job.agreed.add(v.model()));
        wall.diary.undo(entry.number(), () -> job.back(to));
        return entry;
    }

    private Entry evict(Wish wish, PlacementId what, Instant now) {
        Server server = wall.servers.get(what.provider());
        return departures.tell(server, server.placed.get(what.model()), Departures.Cause.PERSON, Optional.empty(),
                wall.words.say("evicted.person", what.provider()), Optional.of(wish), now);
    }

    /** The second half of a move: it is ready where it was moved to. */
    void arrived(Job job, ProviderId to, Instant now) {
        PlacementId from = job.from.orElseThrow();
        if (wall.pins.remove(from)) {
            wall.pins.add(new PlacementId(to, job.model));
            wall.decided();
        }
        wall.server(from.provider()).filter(s -> s.live() && s.hold.isEmpty()).ifPresent(server ->
                Optional.ofNullable(server.placed.get(from.model())).filter(Placed::here).ifPresent(placed ->
                        departures.tell(server, placed, Departures.Cause.MOVE, Optional.of(job),
                                wall.words.say("evicted.moved", from.provider()), Optional.empty(), now)));
    }

    private Entry pin(Wish wish, PlacementId what, Instant now) {
        wall.pins.add(what);
        wall.decided();
        Server server = wall.servers.get(what.provider());
        Placed placed = server.placed.get(what.model());
        // A model that others loaded may have other options than a call of ours, which would load it anew.
        if (placed != null && placed.here() && placed.by != By.OTHERS && placed.reloaded.isEmpty()) {
            wall.effects.add(new Effect.Keep(what, ServerDriver.Stay.ALWAYS));
        }
        Entry entry = said(wish, Entry.Kind.PINNED, "pinned", now, what.model(), what.provider());
        wall.diary.undo(entry.number(), new Wish.Unpin(what));
        return entry;
    }

    private Entry unpin(Wish wish, PlacementId what, Instant now) {
        wall.pins.remove(what);
        wall.decided();
        wall.server(what.provider()).map(s -> s.placed.get(what.model())).filter(p -> p.here() && p.by != By.OTHERS
                && p.reloaded.isEmpty()).ifPresent(_ -> wall.effects.add(new Effect.Keep(what, ServerDriver.Stay.NO_LONGER)));
        Entry entry = said(wish, Entry.Kind.PINNED, "unpinned", now, what.model(), what.provider());
        wall.diary.undo(entry.number(), new Wish.Pin(what));
        return entry;
    }

    private Entry hold(Wish wish, ProviderId provider, Optional<Instant> until, Instant now) {
        ProviderView.Hold hold = new ProviderView.Hold(now, until, wall.words.say("by.person"));
        wall.servers.get(provider).hold = Optional.of(hold);
        wall.holds.put(provider, hold);
        wall.decided();
        Entry entry = said(wish, Entry.Kind.HELD, "held", now, provider);
        wall.diary.undo(entry.number(), new Wish.Release(provider));
        return entry;
    }

    private Entry release(Wish wish, ProviderId provider, Instant now) {
        Optional<Instant> until = wall.servers.get(provider).hold.flatMap(ProviderView.Hold::until);
        wall.servers.get(provider).hold = Optional.empty();
        wall.holds.remove(provider);
        wall.decided();
        Entry entry = said(wish, Entry.Kind.HELD, "released", now, provider);
        wall.diary.undo(entry.number(), new Wish.Hold(provider, until));
        return entry;
    }

    private Entry cancel(Wish wish, PlacementId what, Instant now) {
        Server server = wall.servers.get(what.provider());
        if (server.measures(what.model())) {
            wall.effects.add(new Effect.CancelMeasure(what));
            return said(wish, Entry.Kind.MEASURED, "measure.cancelled", now, what.model(), what.provider());
        }
        turns.cancel(server, server.job(what.model()).orElseThrow());
        return said(wish, Entry.Kind.FAILED, "cancelled", now, what.model(), what.provider());
    }

    private Entry pull(Wish wish, ModelName model, ProviderId to, Instant now) {
        wall.servers.get(to).pulls.put(model, new WallView.Pulling(model, to, wall.words.say("pull.begins"), 0, 0));
        wall.effects.add(new Effect.Pull(new PlacementId(to, model)));
        Entry entry = said(wish, Entry.Kind.PULLED, "pulling", now, model, to);
        wall.diary.undo(entry.number(), new Wish.CancelPull(model, to));
        return entry;
    }

    private Entry mode(Wish wish, Mode mode, Instant now) {
        Mode before = wall.mode;
        wall.mode = mode;
        wall.decided();
        Entry entry = said(wish, Entry.Kind.MODE, "mode." + mode, now);
        wall.diary.undo(entry.number(), new Wish.SetMode(before));
        return entry;
    }

    private Entry said(Wish wish, Entry.Kind kind, String key, Instant now, Object... values) {
        return wall.diary.add(now, kind, Optional.empty(), placement(wish), wall.words.say(key + ".title", values),
                wall.words.say(key + ".words", values), Optional.of(wish));
    }

    private static Optional<PlacementId> placement(Wish wish) {
        return switch (wish) {
            case Wish.Place(ModelName model, ProviderId to) -> Optional.of(new PlacementId(to, model));
            case Wish.Move(PlacementId what, ProviderId to) -> Optional.of(new PlacementId(to, what.model()));
            case Wish.Evict(PlacementId what) -> Optional.of(what);
            case Wish.Pin(PlacementId what) -> Optional.of(what);
            case Wish.Unpin(PlacementId what) -> Optional.of(what);
            case Wish.Cancel(PlacementId what) -> Optional.of(what);
            case Wish.MeasureSpeed(PlacementId what) -> Optional.of(what);
            case Wish.Pull(ModelName model, ProviderId to) -> Optional.of(new PlacementId(to, model));
            case Wish.CancelPull(ModelName model, ProviderId to) -> Optional.of(new PlacementId(to, model));
            case Wish.All(List<Wish> wishes) -> wishes.stream().map(Wishes::placement).flatMap(Optional::stream).findFirst();
            case Wish.Hold _, Wish.Release _, Wish.SetMode _ -> Optional.empty();
        };
    }

    private String title(Wish wish) {
        return switch (wish) {
            case Wish.Hold(ProviderId provider, Optional<Instant> _) -> wall.words.say("held.title", provider);
            case Wish.Release(ProviderId provider) -> wall.words.say("released.title", provider);
            case Wish.SetMode(Mode mode) -> wall.words.say("mode." + mode + ".title");
            case Wish.Place(ModelName model, ProviderId to) -> wall.words.say("placing.title", model, to);
            case Wish.Move(PlacementId what, ProviderId to) -> wall.words.say("moving.title", what.model(), to);
            case Wish.Evict(PlacementId what) -> wall.words.say("evicted.title", what.model());
            case Wish.Pin(PlacementId what) -> wall.words.say("pinned.title", what.model());
            case Wish.Unpin(PlacementId what) -> wall.words.say("unpinned.title", what.model());
            case Wish.Cancel(PlacementId what) -> wall.words.say("cancelled.title", what.model());
            case Wish.MeasureSpeed(PlacementId what) -> wall.words.say("measuring.title", what.model());
            case Wish.Pull(ModelName model, ProviderId to) -> wall.words.say("pulling.title", model, to);
            case Wish.CancelPull(ModelName model, ProviderId to) -> wall.words.say("pull.cancelled.title", model, to);
            case Wish.All(List<Wish> wishes) -> wishes.isEmpty() ? "" : title(wishes.getFirst());
        };
    }
}
