package dev.pitwall.engine.live;

import dev.pitwall.engine.live.Paper.Item;
import dev.pitwall.engine.live.Paper.Work;
import dev.pitwall.engine.live.Placed.Phase;
import dev.pitwall.engine.live.Preview.Figures;
import dev.pitwall.engine.live.Preview.Possible;
import dev.pitwall.engine.live.Preview.Refused;
import dev.pitwall.engine.live.Preview.Victim;
import dev.pitwall.engine.live.Preview.Why;
import dev.pitwall.engine.live.ProviderView.Pinning;
import dev.pitwall.engine.live.ServerDriver.Ability;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What would come of wishes, of several each with those before it. */
final class Previews {
    private static final Possible NOTHING_MORE = new Possible(Optional.empty(), List.of(), Optional.empty(), List.of());

    private final Wall wall;
    private final Planner planner;

    Previews(Wall wall, Planner planner) {
        this.wall = wall;
        this.planner = planner;
    }

    Preview of(Wish wish, Instant now) {
        if (!wall.charge.here() && !wall.charge.open()) {
            return new Refused(Why.NOT_IN_CHARGE, wall.charge.words(), Optional.empty());
        }
        return new Sheet(now).preview(wish, now);
    }

    /** Looks at wishes one after the other, each on what the ones before leave. */
    private final class Sheet {
        private final Map<ProviderId, Paper> papers;
        private final Map<ProviderId, Boolean> held = new LinkedHashMap<>();
        private final Map<PlacementId, Pinning> pins = new LinkedHashMap<>();

        Sheet(Instant now) {
            this.papers = queued(now);
        }

        /** Loads that wait are counted as if they had come about: they are before this one. */
        private Map<ProviderId, Paper> queued(Instant now) {
            Map<ProviderId, Paper> all = wall.papers();
            wall.servers.values().forEach(server -> server.jobs.stream().filter(j -> j.stage == Job.Stage.WAITING)
                    .forEach(job -> Optional.ofNullable(all.get(server.id)).ifPresent(paper -> {
                        Preview first = planner.load(server, job, all, now);
                        if (first instanceof Possible possible) {
                            all.put(server.id, after(paper, server, job.model, possible, now));
                        }
                    })));
            return all;
        }

        private Paper after(Paper paper, Server server, ModelName model, Possible possible, Instant now) {
            Paper left = paper;
            for (Victim victim : possible.victims()) {
                left = left.without(victim.model());
            }
            return left.with(new Item(model, wall.need(server, model).bytes(), Work.MOVING,
                    wall.pinning(server.id, model), now));
        }

        Preview preview(Wish wish, Instant now) {
            return switch (wish) {
                case Wish.Place(ModelName model, ProviderId to) -> place(model, to, now);
                case Wish.Move(PlacementId what, ProviderId to) -> move(what, to, now);
                case Wish.Evict(PlacementId what) -> evict(what);
                case Wish.Pin(PlacementId what) -> pin(what, Pinning.PINNED);
                case Wish.Unpin(PlacementId what) -> pin(what, Pinning.NONE);
                case Wish.Hold(ProviderId provider, Optional<Instant> _) -> hold(provider, true);
                case Wish.Release(ProviderId provider) -> hold(provider, false);
                case Wish.Cancel(PlacementId what) -> cancel(what);
                case Wish.Pull(ModelName model, ProviderId to) -> pull(model, to);
                case Wish.CancelPull(ModelName model, ProviderId to) -> wall.server(to).filter(s -> s.pulls.containsKey(model))
                        .<Preview>map(s -> NOTHING_MORE).orElseGet(() -> refused(Why.NOT_THERE, "refused.nopull", model, to));
                case Wish.MeasureSpeed(PlacementId what) -> wall.speeds.preview(what);
                case Wish.SetMode(Mode mode) -> mode == Mode.AUTOMATIC && wall.charge.open() ? new Possible(Optional.empty(),
                        List.of(), Optional.empty(), List.of(wall.words.say("charge.takes"))) : NOTHING_MORE;
                case Wish.All(List<Wish> wishes) -> all(wishes, now);
            };
        }

        private Preview all(List<Wish> wishes, Instant now) {
            List<Victim> victims = new ArrayList<>();
            List<String> interrupts = new ArrayList<>();
            Optional<Figures> figures = Optional.empty();
            Duration about = Duration.ZERO;
            boolean timed = false;
            for (Wish wish : wishes) {
                switch (preview(wish, now)) {
                    case Refused refused -> {
                        return refused;
                    }
                    case Possible possible -> {
                        victims.addAll(possible.victims());
                        interrupts.addAll(possible.interrupts());
                        figures = possible.figures().isPresent() ? possible.figures() : figures;
                        about = about.plus(possible.about().orElse(Duration.ZERO));
                        timed |= possible.about().isPresent();
                    }
                }
            }
            return new Possible(figures, victims, timed ? Optional.of(about) : Optional.empty(), interrupts);
        }

        private Preview place(ModelName model, ProviderId to, Instant now) {
            Optional<Refused> refused = wall.server(to).map(s -> refusesLoad(s, model))
                    .orElseGet(() -> Optional.of(noServer(to)));
            if (refused.isPresent()) {
                return refused.get();
            }
            Server server = wall.servers.get(to);
            if (papers.containsKey(to) && papers.get(to).has(model) || there(server, model)) {
                return refused(Why.ALREADY_THERE, "refused.there", model, to);
            }
            Preview preview = planner.load(server, model, papers, Job.Room.MAY_EVICT, now);
            if (preview instanceof Possible possible) {
                papers.put(to, after(papers.get(to), server, model, possible, now));
            }
            return preview;
        }

        private boolean there(Server server, ModelName model) {
            return Optional.ofNullable(server.placed.get(model)).filter(p -> p.phase == Phase.ASKED
                    || p.phase == Phase.LOADING).isPresent();
        }

        private Optional<Refused> refusesLoad(Server server, ModelName model) {
            if (held(server)) {
                return Optional.of(refused(Why.HELD, "refused.held", server.id));
            }
            if (!server.live()) {
                return Optional.of(refused(Why.SERVER_DOWN, "refused.down", server.id));
            }
            if (!server.can(Ability.LOAD)) {
                return Optional.of(refused(Why.UNSUPPORTED, "refused.readonly", server.id));
            }
            return server.installed(model).isPresent() ? Optional.empty()
                    : Optional.of(refused(Why.NOT_INSTALLED, "refused.files", server.id, model));
        }

        private Preview move(PlacementId what, ProviderId to, Instant now) {
            Optional<Server> from = wall.server(what.provider());
            if (from.filter(s -> Optional.ofNullable(s.placed.get(what.model())).filter(Placed::here).isPresent()).isEmpty()) {
                return refused(Why.NOT_THERE, "refused.notthere", what.model(), what.provider());
            }
            if (what.provider().equals(to)) {
                return refused(Why.ALREADY_THERE, "refused.there", what.model(), to);
            }
            if (held(from.get())) {
                return refused(Why.HELD, "refused.held", what.provider());
            }
            if (!from.get().can(Ability.LOAD)) {
                return refused(Why.UNSUPPORTED, "refused.readonly", what.provider());
            }
            return place(what.model(), to, now);
        }

        private Preview evict(PlacementId what) {
            Optional<Server> server = wall.server(what.provider());
            Optional<Placed> placed = server.flatMap(s -> Optional.ofNullable(s.placed.get(what.model())))
                    .filter(Placed::here);
            if (server.filter(s -> s.job(what.model()).isPresent()).isPresent()) {
                return refused(Why.NOT_THERE, "refused.loading", what.model(), what.provider());
            }
            if (placed.isEmpty()) {
                return refused(Why.NOT_THERE, "refused.notthere", what.model(), what.provider());
            }
            if (server.get().measures(what.model())) {
                return refused(Why.BUSY, "refused.measuring", what.model(), what.provider());
            }
            if (held(server.get())) {
                return refused(Why.HELD, "refused.held", what.provider());
            }
            if (!server.get().live()) {
                return refused(Why.SERVER_DOWN, "refused.down", what.provider());
            }
            if (!server.get().can(Ability.LOAD)) {
                return refused(Why.UNSUPPORTED, "refused.readonly", what.provider());
            }
            if (pins.getOrDefault(what, wall.pinning(what.provider(), what.model())) == Pinning.PINNED) {
                return refused(Why.PINNED, "refused.unpin", what.model(), what.provider());
            }
            papers.computeIfPresent(what.provider(), (_, paper) -> paper.without(what.model()));
            // Ollama waits for the answer in progress; a router ends the process (facts: models.md 5.2, 5.3).
            boolean breaksOff = placed.filter(p -> p.use == Placed.Use.BUSY).isPresent()
                    && server.get().state.filter(s -> s.software().equals("Ollama")).isEmpty();
            return new Possible(Optional.empty(), List.of(), Optional.of(Planner.COMES_BACK), breaksOff
                    ? List.of(wall.words.say("interrupts", what.model())) : List.of());
        }

        private Preview pin(PlacementId what, Pinning wanted) {
            Optional<Server> server = wall.server(what.provider());
            boolean pinned = pins.getOrDefault(what, wall.pinning(what.provider(), what.model())) == Pinning.PINNED;
            boolean there = server.filter(s -> Optional.ofNullable(s.placed.get(what.model()))
                    .filter(p -> p.phase != Phase.FAILED).isPresent()).isPresent() || papers.containsKey(what.provider())
                    && papers.get(what.provider()).has(what.model());
            if (wanted == Pinning.PINNED && pinned) {
                return refused(Why.ALREADY_THERE, "refused.pinnedalready", what.model(), what.provider());
            }
            if (wanted == Pinning.PINNED && !there || wanted == Pinning.NONE && !pinned) {
                return refused(Why.NOT_THERE, wanted == Pinning.PINNED ? "refused.notthere" : "refused.notpinned",
                        what.model(), what.provider());
            }
            if (wanted == Pinning.PINNED && server.filter(s -> s.can(Ability.LOAD)).isEmpty()) {
                return refused(Why.UNSUPPORTED, "refused.readonly", what.provider());
            }
            pins.put(what, wanted);
            return NOTHING_MORE;
        }

        private Preview hold(ProviderId provider, boolean wanted) {
            Optional<Server> server = wall.server(provider);
            if (server.isEmpty()) {
                return noServer(provider);
            }
            if (!wanted && !held(server.get())) {
                return refused(Why.NOT_THERE, "refused.notheld", provider);
            }
            held.put(provider, wanted);
            return NOTHING_MORE;
        }

        private boolean held(Server server) {
            return held.getOrDefault(server.id, server.hold.isPresent());
        }

        private Preview cancel(PlacementId what) {
            if (wall.server(what.provider()).filter(s -> s.measures(what.model())).isPresent()) {
                return NOTHING_MORE;
            }
            Optional<Job> job = wall.server(what.provider()).flatMap(s -> s.job(what.model()));
            papers.computeIfPresent(what.provider(), (_, paper) -> paper.without(what.model()));
            return job.filter(j -> !j.cancelled).<Preview>map(j -> NOTHING_MORE)
                    .orElseGet(() -> refused(Why.NOT_THERE, "refused.noload", what.model(), what.provider()));
        }

        private Preview pull(ModelName model, ProviderId to) {
            Optional<Server> server = wall.server(to);
            if (server.isEmpty()) {
                return noServer(to);
            }
            if (!server.get().live()) {
                return refused(Why.SERVER_DOWN, "refused.down", to);
            }
            if (!server.get().can(Ability.PULL)) {
                return refused(Why.UNSUPPORTED, "refused.nopulls", to);
            }
            return server.get().pulls.containsKey(model) ? refused(Why.ALREADY_THERE, "refused.pulling", model, to)
                    : NOTHING_MORE;
        }

        private Refused noServer(ProviderId id) {
            return refused(Why.SERVER_DOWN, "refused.noserver", id);
        }

        private Refused refused(Why why, String key, Object... values) {
            return new Refused(why, wall.words.say(key, values), Optional.empty());
        }
    }
}
