package dev.pitwall.engine.live;

import dev.pitwall.engine.live.Placed.Phase;
import dev.pitwall.engine.live.Placed.Use;
import dev.pitwall.engine.live.ProviderView.Foreign;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.engine.live.ProviderView.Room;
import dev.pitwall.engine.live.ProviderView.Standing;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.engine.live.ServerDriver.Installed;
import dev.pitwall.engine.live.ServerDriver.Loaded;
import dev.pitwall.engine.live.WallView.Queued;
import dev.pitwall.engine.live.WallView.ShelfModel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Shows what the core knows. */
final class Views {
    /** A time to stay that lies further ahead means for ever (facts: models.md 5.1). */
    static final Duration FOR_EVER = Duration.ofDays(36_525);
    /** As far as a load is shown by time alone. */
    private static final double NEARLY = 0.97;
    private static final double WORTH_SAYING = 0.01;

    private final Wall wall;

    Views(Wall wall) {
        this.wall = wall;
    }

    WallView view(Instant now) {
        List<ProviderView> providers = wall.servers.values().stream().map(server -> provider(server, now)).toList();
        return new WallView(now, wall.mode, providers, shelf(), queue(), wall.servers.values().stream()
                .flatMap(s -> s.pulls.values().stream()).toList(), wall.diary.entries(), others(now));
    }

    private List<String> others(Instant now) {
        List<String> others = new ArrayList<>(wall.charge.notice(now).stream().toList());
        if (wall.charge.free() && wall.mode != Mode.AUTOMATIC && !wall.pins.isEmpty()) {
            others.add(wall.words.say("charge.free"));
        }
        others.addAll(wall.others);
        return others;
    }

    private ProviderView provider(Server server, Instant now) {
        List<PlacementView> placements = server.placed.values().stream().map(p -> placement(server, p, now))
                .sorted(Comparator.comparing((PlacementView p) -> p.memory().bytes()).reversed()
                        .thenComparing(PlacementView::model)).toList();
        String place = server.state.map(s -> (server.spot.place().isEmpty() ? "" : server.spot.place() + " · ")
                + s.software() + s.version().map(v -> " " + v).orElse("")).orElse(server.spot.place());
        return new ProviderView(server.id, server.spot.node(), place, server.spot.cards(), room(server), placements,
                server.hold, standing(server));
    }

    private Optional<Room> room(Server server) {
        return server.spot.gauge().map(gauge -> {
            long taken = wall.takenNow(server);
            long others = Math.clamp(server.foreign.bytes(), 0, Math.max(0, gauge.total() - taken));
            long reserve = Math.clamp(wall.reserve(server), 0, Math.max(0, gauge.total() - taken - others));
            long free = Math.max(0, gauge.total() - taken - others - reserve);
            String owner = server.spot.holders().isEmpty() ? wall.words.say("owner.unknown")
                    : wall.words.list(server.spot.holders());
            return new Room(gauge.total(), reserve, others > 0 ? List.of(new Foreign(owner, others)) : List.of(), free,
                    gauge.source());
        });
    }

    private Standing standing(Server server) {
        if (server.silence().isPresent()) {
            return new Standing.Silent(server.silence().get().since(), server.silence().get().trouble());
        }
        return server.current().filter(j -> j.hanging).<Standing>map(j -> new Standing.Hanging(j.began, j.model))
                .orElseGet(() -> new Standing.Live(server.answeredAt));
    }

    private PlacementView placement(Server server, Placed placed, Instant now) {
        Memory memory = placed.phase.takesMemory() ? wall.memory(server, placed) : wall.need(server, placed.model);
        return new PlacementView(placed.model, state(server, placed, now), memory, placed.onProcessor(),
                wall.pinning(server.id, placed.model), placed.by, notes(server, placed, now), wall.speeds.of(server, placed.model));
    }

    private State state(Server server, Placed placed, Instant now) {
        return switch (placed.phase) {
            case ASKED -> new State.Asked(placed.since);
            case LOADING -> loading(server, placed, now);
            case HERE -> placed.use == Use.BUSY ? new State.Busy(placed.requests, placed.seen
                    .map(Loaded::tokensPerSecond).orElse(OptionalDouble.empty()))
                    : new State.Idle(placed.usedAt, placed.seen.flatMap(Loaded::expires)
                            .filter(e -> e.isBefore(now.plus(FOR_EVER))));
            case UNLOADING -> new State.Unloading(placed.since);
            case FAILED -> new State.Failed(placed.since, placed.why);
            case LOST -> new State.Lost(placed.since);
        };
    }

    private static State loading(Server server, Placed placed, Instant now) {
        Optional<Job> job = server.job(placed.model);
        Duration taken = Duration.between(placed.since, now);
        OptionalDouble progress = placed.progress;
        if (progress.isEmpty() && job.isPresent() && !job.get().expected.isZero()) {
            progress = OptionalDouble.of(Math.clamp((double) taken.toMillis() / job.get().expected.toMillis(), 0, NEARLY));
        }
        Optional<Duration> left = job.map(j -> j.expected.minus(taken)).filter(d -> !d.isNegative());
        return new State.Loading(placed.since, progress, left);
    }

    private List<String> notes(Server server, Placed placed, Instant now) {
        List<String> notes = new ArrayList<>();
        placed.reloaded.ifPresent(notes::add);
        if (server.measures(placed.model)) {
            notes.add(wall.words.say("note.measuring"));
        }
        if (placed.onProcessor() >= WORTH_SAYING) {
            notes.add(wall.words.say("note.processor", Math.round(placed.onProcessor() * 100)));
        }
        placed.seen.flatMap(Loaded::expires).filter(e -> placed.phase == Phase.HERE && e.isBefore(now.minusSeconds(2)))
                .ifPresent(e -> notes.add(wall.words.say("note.expired", wall.span(e, now))));
        if (placed.seen.filter(l -> l.phase() == ServerDriver.Phase.SLEEPING).isPresent()) {
            notes.add(wall.words.say("note.asleep"));
        }
        if (placed.phase == Phase.ASKED) {
            server.job(placed.model).map(j -> j.why).filter(why -> !why.isEmpty()).ifPresent(notes::add);
        }
        return notes;
    }

    private List<ShelfModel> shelf() {
        Map<ModelName, List<Server>> at = new TreeMap<>();
        wall.servers.values().forEach(server -> server.state.stream().flatMap(s -> s.installed().stream())
                .map(Installed::model).forEach(model -> at.computeIfAbsent(model, _ -> new ArrayList<>()).add(server)));
        return at.entrySet().stream().map(e -> new ShelfModel(e.getKey(), e.getValue().stream()
                .map(server -> wall.need(server, e.getKey())).min(Comparator.comparing(Memory::basis)).orElseThrow(),
                e.getValue().stream().map(s -> s.id).toList())).toList();
    }

    private List<Queued> queue() {
        List<Queued> queue = new ArrayList<>();
        wall.servers.values().forEach(server -> server.jobs.stream().filter(j -> j.stage != Job.Stage.LOADING)
                .forEach(job -> queue.add(new Queued(job.model, Optional.of(server.id), job.asked, why(server, job)))));
        queue.sort(Comparator.comparing(Queued::since));
        return queue;
    }

    private String why(Server server, Job job) {
        if (job.stage == Job.Stage.MAKING_ROOM) {
            List<String> going = job.awaited.stream().filter(m -> Optional.ofNullable(server.placed.get(m))
                    .filter(p -> p.phase == Phase.UNLOADING).isPresent()).map(ModelName::text).toList();
            return going.isEmpty() ? wall.words.say("wait.memory") : wall.words.say("wait.room", wall.words.list(going));
        }
        return !job.why.isEmpty() ? job.why : server.current().map(j -> wall.words.say(j.hanging ? "wait.hangs" : "wait.turn",
                j.model)).orElseGet(() -> wall.words.say("wait.soon"));
    }
}
