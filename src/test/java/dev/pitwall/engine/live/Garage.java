package dev.pitwall.engine.live;

import dev.pitwall.card.Trouble;
import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.live.ProviderView.CardView;
import dev.pitwall.engine.live.ServerDriver.Ability;
import dev.pitwall.engine.live.ServerDriver.Installed;
import dev.pitwall.engine.live.ServerDriver.Loaded;
import dev.pitwall.engine.live.ServerDriver.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/** Model servers on paper, and the core that keeps them, at a time that only moves when it is told to. */
final class Garage {
    static final long GIB = 1L << 30;
    private static final Trouble DOWN = new Trouble(Trouble.Kind.CONNECT, "ollama", "connection refused", "Start it.");
    private static final Trouble BUSY = new Trouble(Trouble.Kind.BUSY, "ollama", "it is still in memory", "Wait.");
    private static final Duration KEEP = Duration.ofMinutes(5);

    /** What goes wrong with loads. */
    enum Loads { WELL, HANG, FAIL }

    static final class Machine {
        final ProviderId id;
        final long total;
        long others;
        String source = "DCGM";
        /** What stays on the card of the next model that goes. */
        boolean leaks;
        /** Models that it keeps at once. */
        OptionalInt most = OptionalInt.empty();
        /** Whose files' size it does not tell. */
        final Set<ModelName> untold = new TreeSet<>();
        /** As Ollama does not. */
        boolean tellsRequests = true;
        boolean up = true;
        Loads loads = Loads.WELL;
        final Map<ModelName, Long> files = new TreeMap<>();
        final Map<ModelName, Instant> expires = new TreeMap<>();
        final Map<ModelName, Integer> busy = new TreeMap<>();
        final Map<ModelName, Integer> began = new TreeMap<>();
        Optional<Under> loading = Optional.empty();
        /** Told to go while at work: goes when it is done. */
        final Set<ModelName> leaving = new TreeSet<>();

        Machine(String id, long total) {
            this.id = new ProviderId(id);
            this.total = total;
        }

        long taken() {
            return expires.keySet().stream().mapToLong(files::get).sum() + loading.map(l -> files.get(l.model())).orElse(0L);
        }
    }

    record Under(ModelName model, long ticket, Instant ready) {
    }

    Instant now = Instant.parse("2026-11-30T12:00:00Z");
    LiveCore core;
    final Map<ProviderId, Machine> machines = new LinkedHashMap<>();
    final List<Effect> done = new ArrayList<>();
    EngineRecord.Kept kept = EngineRecord.Kept.NOTHING;

    /** Sees what the core wants, each time before it is done. */
    BiConsumer<LiveCore, List<Effect>> watch = (_, _) -> { };

    Garage(EngineRecord.Kept kept) {
        this.core = new LiveCore(kept);
        core.charge(new Charge.State.Here(), now);
    }

    Garage() {
        this(EngineRecord.Kept.NOTHING);
    }

    /** @param models {@code name}, GiB */
    Machine server(String name, int gib, Map<String, Integer> models) {
        Machine machine = new Machine(name, gib * GIB);
        models.forEach((model, size) -> machine.files.put(new ModelName(model), size * GIB));
        machines.put(machine.id, machine);
        return machine;
    }

    /** Time goes by, second by second; each server is asked every other second. */
    void seconds(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now = now.plusSeconds(1);
            machines.values().forEach(this::life);
            look();
            if (now.getEpochSecond() % 2 == 0) {
                read();
            }
            core.tick(now);
            perform();
        }
    }

    void look() {
        core.site(new SitePicture(machines.values().stream().map(this::spot).toList(), List.of()), now);
        perform();
    }

    void read() {
        for (Machine machine : machines.values()) {
            if (machine.up) {
                core.read(machine.id, state(machine), now, now);
            } else {
                core.missed(machine.id, DOWN, now);
            }
            perform();
        }
    }

    Entry ask(Wish wish) {
        Entry entry = core.ask(wish, core.preview(wish, now).going(), now);
        perform();
        return entry;
    }

    private SitePicture.Spot spot(Machine machine) {
        return new SitePicture.Spot(machine.id, Optional.of("node"), "pve1", List.of(new CardView(machine.id.text(), 0,
                "RTX A1000", OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty())), "RTX A1000",
                Optional.of(new SitePicture.Gauge(machine.total, OptionalLong.of(machine.others + machine.taken()),
                        OptionalDouble.empty(), machine.source, now)), List.of());
    }

    private ServerDriver.State state(Machine machine) {
        List<Loaded> loaded = machine.expires.entrySet().stream().map(e -> new Loaded(e.getKey(), Optional.of(e.getKey().text()),
                Phase.LOADED, OptionalLong.of(machine.files.get(e.getKey())), OptionalLong.of(machine.files.get(e.getKey())),
                Optional.of(e.getValue()), OptionalLong.of(4096), OptionalDouble.empty(),
                machine.tellsRequests ? OptionalInt.of(machine.busy.getOrDefault(e.getKey(), 0)) : OptionalInt.empty(), OptionalDouble.empty())).toList();
        List<Installed> installed = machine.files.entrySet().stream().map(e -> new Installed(e.getKey(),
                Optional.of(e.getKey().text()), machine.untold.contains(e.getKey()) ? OptionalLong.empty()
                : OptionalLong.of(e.getValue()), Optional.empty())).toList();
        return new ServerDriver.State("Ollama", Optional.of("0.33.0"), loaded, installed, Set.of(Ability.values()),
                machine.most);
    }

    private void life(Machine machine) {
        machine.expires.entrySet().removeIf(e -> machine.busy.getOrDefault(e.getKey(), 0) == 0
                && e.getValue().isBefore(now));
        machine.loading.filter(l -> !l.ready().isAfter(now)).ifPresent(l -> {
            machine.loading = Optional.empty();
            boolean well = machine.loads == Loads.WELL;
            if (well) {
                machine.expires.put(l.model(), now.plus(KEEP));
            }
            core.loadEnded(new PlacementId(machine.id, l.model()), l.ticket(), well ? Optional.empty() : Optional.of(DOWN), now);
            perform();
        });
    }

    /** Does what the core wants, as a server would. */
    private void perform() {
        List<Effect> effects = core.take();
        done.addAll(effects);
        watch.accept(core, effects);
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Load(PlacementId what, ServerDriver.Stay _, long ticket) -> load(what, ticket);
                case Effect.CancelLoad(PlacementId what, long ticket) -> {
                    machines.get(what.provider()).loading = Optional.empty();
                    core.loadEnded(what, ticket, Optional.of(BUSY), now);
                }
                case Effect.Unload(PlacementId what) -> unload(what);
                case Effect.LookAtServer(ProviderId provider) -> {
                    if (machines.get(provider).up) {
                        core.read(provider, state(machines.get(provider)), now, now);
                    }
                }
                case Effect.Pull(PlacementId what) -> {
                    machines.get(what.provider()).files.put(what.model(), GIB);
                    core.pullEnded(what, Optional.empty(), now);
                }
                case Effect.Decided(Mode mode, Set<PlacementId> pins, Map<ProviderId, ProviderView.Hold> holds) ->
                        kept = new EngineRecord.Kept(mode, pins, holds, List.of(), List.of(), List.of(), List.of());
                case Effect.LookAtCard _, Effect.MeasureSpeed _, Effect.CancelMeasure _, Effect.Speeds _, Effect.Keep _, Effect.CancelPull _, Effect.Show _, Effect.Measured _, Effect.Logged _,
                        Effect.PutBack _, Effect.IsBack _ -> {
                }
            }
        }
        if (!effects.isEmpty()) {
            perform();
        }
    }

    private void load(PlacementId what, long ticket) {
        Machine machine = machines.get(what.provider());
        machine.began.merge(what.model(), 1, Integer::sum);
        if (!machine.up) {
            core.loadEnded(what, ticket, Optional.of(DOWN), now);
            return;
        }
        long seconds = machine.loads == Loads.HANG ? 100_000 : 1 + machine.files.get(what.model()) / GIB;
        machine.loading = Optional.of(new Under(what.model(), ticket, now.plusSeconds(seconds)));
    }

    private void unload(PlacementId what) {
        Machine machine = machines.get(what.provider());
        boolean works = machine.busy.getOrDefault(what.model(), 0) > 0;
        if (!works && machine.expires.remove(what.model()) != null && machine.leaks) {
            machine.others += machine.files.get(what.model());
        }
        if (works) {
            machine.expires.replace(what.model(), now);
        }
        core.unloadEnded(what, works ? Optional.of(BUSY) : Optional.empty(), now);
    }

    void dies(Machine machine) {
        machine.up = false;
        machine.expires.clear();
        machine.busy.clear();
        machine.loading.ifPresent(l -> {
            machine.loading = Optional.empty();
            core.loadEnded(new PlacementId(machine.id, l.model()), l.ticket(), Optional.of(DOWN), now);
            perform();
        });
    }

    ProviderView view(Machine machine) {
        return core.view(now).provider(machine.id).orElseThrow();
    }

    List<String> here(Machine machine) {
        return view(machine).placements().stream().filter(p -> p.state() instanceof ProviderView.State.Idle
                || p.state() instanceof ProviderView.State.Busy).map(p -> p.model().text()).sorted().toList();
    }

    List<Entry> log() {
        return core.view(now).log();
    }

    long evictions() {
        return log().stream().filter(e -> e.kind() == Entry.Kind.EVICTED).count();
    }

    static PlacementId at(Machine machine, String model) {
        return new PlacementId(machine.id, new ModelName(model));
    }

    static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
    }
}
