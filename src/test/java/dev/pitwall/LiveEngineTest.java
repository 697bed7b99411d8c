package dev.pitwall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.Observed;
import dev.pitwall.card.SiteFacts;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.figure.FigureHistory;
import dev.pitwall.engine.figure.FigureLog;
import dev.pitwall.engine.live.Away;
import dev.pitwall.engine.live.Drivers;
import dev.pitwall.engine.live.EnginePace;
import dev.pitwall.engine.live.EngineRecord;
import dev.pitwall.engine.live.Entry;
import dev.pitwall.engine.live.MeasuredSpeed;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.PlacementId;
import dev.pitwall.engine.live.ProviderId;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.ProviderView.PlacementView;
import dev.pitwall.engine.live.ProviderView.Standing;
import dev.pitwall.engine.live.ProviderView.State;
import dev.pitwall.engine.live.ServerDriver;
import dev.pitwall.engine.live.SiteEngine;
import dev.pitwall.engine.live.Wish;
import dev.pitwall.lab.models.ModelServers;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.LoadTrouble;
import dev.pitwall.lab.world.World;
import dev.pitwall.link.SiteDrivers;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Connection;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.Site;
import dev.pitwall.site.SiteView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The live engine at a model server of the lab, over its socket, at the lab's time. */
class LiveEngineTest {
    private static final ProviderId OLLAMA = new ProviderId("ollama-c");
    private static final ModelName SMALL = new ModelName("llama3.2:3b");
    private static final ModelName GEMMA = new ModelName("gemma3:4b");
    private static final ModelName LLAMA = new ModelName("llama3.1:8b");
    private static final PlacementId PINNED = new PlacementId(OLLAMA, SMALL);

    private final LabHttp http = new LabHttp();
    private final List<List<Away>> left = new CopyOnWriteArrayList<>();
    private World world;
    private ModelServers servers;
    private LabModelServer server;
    private SiteEngine engine;
    private UnaryOperator<Drivers> around = UnaryOperator.identity();

    @BeforeEach
    void start() throws Exception {
        world = new World(new LabClock(InstantSource.system()), 1);
        world.clock().speed(20);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        servers = new ModelServers(world, http);
        server = world.read(w -> w.servers.get(OLLAMA.text()));
    }

    /** @param kept what an earlier run has left */
    private void engine(EngineRecord.Kept kept) {
        Site site = new Site("id", "garage", List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), false);
        Drivers real = new SiteDrivers(site, TimeLimits.usual(), new NetworkTrouble(new Words()), world.clock());
        engine = new SiteEngine(new OneCard(site), around.apply(real), () -> new RememberedEngine(kept, left), new FigureLog("garage", () -> FigureHistory.NONE, world.clock()),
                Charge.ALONE, world.clock(),
                new EnginePace(Duration.ofMillis(40), Duration.ofMillis(40), Duration.ofMillis(20)));
        engine.start();
        await().until(() -> engine.view().provider(OLLAMA).filter(p -> p.standing() instanceof Standing.Live).isPresent()
                && !engine.view().shelf().isEmpty());
    }

    private static EngineRecord.Kept pinned(Mode mode) {
        return new EngineRecord.Kept(mode, Set.of(PINNED), Map.of(), List.of(), List.of(), List.of(), List.of());
    }

    @AfterEach
    void close() {
        engine.close();
        servers.close();
        http.close();
    }

    private ProviderView ollama() {
        return engine.view().provider(OLLAMA).orElseThrow();
    }

    private Optional<State> state(ModelName model) {
        return ollama().placement(model).map(PlacementView::state);
    }

    private void idle(ModelName model) {
        await().until(() -> state(model).filter(State.Idle.class::isInstance).isPresent());
    }

    private Map<String, Integer> begun() {
        return world.read(_ -> Map.copyOf(server.begun));
    }

    private List<Entry.Kind> kinds() {
        return engine.view().log().stream().map(Entry::kind).toList();
    }

    @Test
    void aWishIsDoneAndItsVictimGoesFirst() {
        engine(EngineRecord.Kept.NOTHING);
        engine.ask(new Wish.Place(SMALL, OLLAMA));
        idle(SMALL);
        Entry entry = engine.ask(new Wish.Place(LLAMA, OLLAMA));
        assertThat(entry.words()).contains(SMALL.text() + " goes first");
        idle(LLAMA);
        assertThat(state(SMALL)).isEmpty();
        assertThat(begun()).isEqualTo(Map.of(SMALL.text(), 1, LLAMA.text(), 1));
        assertThat(kinds()).contains(Entry.Kind.EVICTED, Entry.Kind.LOADED);
        assertThat(ollama().placement(LLAMA).orElseThrow().memory().bytes()).isBetween(5L << 30, 7L << 30);
    }

    @Test
    void whoAClientHasJustLoadedIsNotToldToGoForWhatWasShownWithoutIt() {
        engine(EngineRecord.Kept.NOTHING);
        engine.ask(new Wish.Place(SMALL, OLLAMA));
        idle(SMALL);
        Wish wish = new Wish.Place(LLAMA, OLLAMA);
        Set<ModelName> shown = engine.preview(wish).going();
        assertThat(shown).containsExactly(SMALL);
        world.change(w -> {
            LabModelServer.Loaded loaded = new LabModelServer.Loaded(server.installed.stream()
                    .filter(m -> m.name().equals(GEMMA.text())).findFirst().orElseThrow());
            loaded.readyAt = w.clock().instant();
            loaded.expiresAt = w.clock().instant().plusSeconds(300);
            server.loaded.add(loaded);
        });
        engine.ask(wish, shown);
        await().until(() -> engine.view().log().stream().anyMatch(e -> e.kind() == Entry.Kind.REFUSED));
        List<String> there = world.read(_ -> server.loaded.stream().map(l -> l.model.name()).toList());
        assertThat(there).contains(SMALL.text(), GEMMA.text());
        assertThat(kinds()).doesNotContain(Entry.Kind.LEAVING);
        assertThat(engine.view().queue()).isEmpty();
    }

    @Test
    void theSpeedOfAModelIsMeasuredOnItsCardAndOnTheProcessor() {
        engine(EngineRecord.Kept.NOTHING);
        engine.ask(new Wish.Place(SMALL, OLLAMA));
        idle(SMALL);
        engine.ask(new Wish.MeasureSpeed(PINNED));
        await().until(() -> ollama().placement(SMALL).flatMap(PlacementView::speed).isPresent());
        idle(SMALL);
        MeasuredSpeed speed = ollama().placement(SMALL).flatMap(PlacementView::speed).orElseThrow();
        assertThat(speed.here()).isGreaterThan(5 * speed.onProcessor().orElseThrow());
        assertThat(ollama().placement(SMALL).orElseThrow().onCpu()).isZero();
        assertThat(begun()).isEqualTo(Map.of(SMALL.text(), 3));
        assertThat(kinds()).doesNotContain(Entry.Kind.LOST, Entry.Kind.FAILED);
    }

    @Test
    void aModelThatIsMeasuredOnTheProcessorGoesBackToItsCardWhenPitwallIsClosed() {
        engine(EngineRecord.Kept.NOTHING);
        engine.ask(new Wish.Place(SMALL, OLLAMA));
        idle(SMALL);
        engine.ask(new Wish.MeasureSpeed(PINNED));
        await().until(() -> onProcessor(SMALL));
        assertThat(left).last().isEqualTo(List.of(new Away(PINNED, ServerDriver.Stay.USUAL)));

        engine.close();

        assertThat(onProcessor(SMALL)).isFalse();
        assertThat(begun()).isEqualTo(Map.of(SMALL.text(), 3));
        assertThat(left.getLast()).isEmpty();
    }

    @Test
    void whatAnEarlierRunLeftOnTheProcessorGoesBackToItsCard() {
        world.change(w -> {
            LabModelServer.Loaded loaded = new LabModelServer.Loaded(server.installed.stream()
                    .filter(m -> m.name().equals(SMALL.text())).findFirst().orElseThrow());
            loaded.readyAt = w.clock().instant();
            loaded.expiresAt = w.clock().instant().plusSeconds(3000);
            loaded.cardShare = 0;
            loaded.options = Map.of("num_gpu", "0");
            server.loaded.add(loaded);
        });
        PlacementId elsewhere = new PlacementId(OLLAMA, GEMMA);
        engine(new EngineRecord.Kept(Mode.SUGGEST, Set.of(), Map.of(), List.of(), List.of(),
                List.of(new Away(PINNED, ServerDriver.Stay.USUAL), new Away(elsewhere, ServerDriver.Stay.USUAL)), List.of()));

        await().until(() -> !onProcessor(SMALL) && !left.isEmpty() && left.getLast().isEmpty());
        idle(SMALL);
        assertThat(ollama().placement(SMALL).orElseThrow().onCpu()).isZero();
        assertThat(state(GEMMA)).isEmpty();
        assertThat(engine.view().log().stream().map(Entry::title)).contains("Putting " + SMALL.text() + " back on its card");
    }

    private boolean onProcessor(ModelName model) {
        return world.read(_ -> server.loaded.stream().anyMatch(l -> l.model.name().equals(model.text()) && l.cardShare == 0));
    }

    @Test
    void aServerThatDiesIsSaidAndItsPinComesBackOnce() {
        engine(pinned(Mode.SUGGEST));
        idle(SMALL);
        world.change(w -> {
            server.up = false;
            server.loaded.clear();
        });
        await().until(() -> ollama().standing() instanceof Standing.Silent);
        world.change(w -> server.up = true);
        await().until(() -> begun().equals(Map.of(SMALL.text(), 2)));
        idle(SMALL);
        await().during(Duration.ofMillis(600)).until(() -> begun().equals(Map.of(SMALL.text(), 2)));
        assertThat(kinds()).contains(Entry.Kind.LOST);
    }

    @Test
    void aModelThatSomebodyElseUnloadedIsLostAndComesBackOnlyIfItIsPinned() {
        engine(pinned(Mode.SUGGEST));
        idle(SMALL);
        engine.ask(new Wish.Place(GEMMA, OLLAMA));
        idle(GEMMA);
        world.change(w -> server.loaded.clear());
        await().until(() -> state(GEMMA).filter(State.Lost.class::isInstance).isPresent());
        await().until(() -> begun().get(SMALL.text()) == 2);
        idle(SMALL);
        assertThat(begun()).containsEntry(GEMMA.text(), 1);
    }

    @Test
    void aLoadThatHangsIsShownAsHangingWhileTheServerAnswers() {
        engine(EngineRecord.Kept.NOTHING);
        world.change(w -> server.loadTrouble = LoadTrouble.HANGS);
        engine.ask(new Wish.Place(SMALL, OLLAMA));
        engine.ask(new Wish.Place(GEMMA, OLLAMA));
        await().until(() -> ollama().standing() instanceof Standing.Hanging);
        assertThat(engine.view().queue()).extracting(q -> q.model()).containsExactly(GEMMA);
        engine.ask(new Wish.Cancel(new PlacementId(OLLAMA, SMALL)));
        world.change(w -> server.loadTrouble = LoadTrouble.NONE);
        idle(GEMMA);
        assertThat(begun()).isEqualTo(Map.of(SMALL.text(), 1, GEMMA.text(), 1));
    }

    @Test
    void aModelThatOthersLoadOrHaveAtWorkIsSeen() {
        engine(EngineRecord.Kept.NOTHING);
        world.change(w -> {
            LabModelServer.Loaded loaded = new LabModelServer.Loaded(server.installed.stream()
                    .filter(m -> m.name().equals(SMALL.text())).findFirst().orElseThrow());
            loaded.readyAt = w.clock().instant();
            loaded.expiresAt = w.clock().instant().minusSeconds(60);
            loaded.busy = 1;
            server.loaded.add(loaded);
        });
        await().until(() -> state(SMALL).filter(State.Busy.class::isInstance).isPresent());
        PlacementView there = ollama().placement(SMALL).orElseThrow();
        assertThat(there.by()).isEqualTo(ProviderView.By.OTHERS);
        assertThat(there.notes()).anyMatch(note -> note.contains("answering, or about to go"));
        assertThat(begun()).isEmpty();
    }

    /** What is still asked of the cluster must not go on after its connections are closed. */
    @Test
    void closingEndsTheQuestionAboutKubemootFirst() {
        CountDownLatch asked = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicBoolean endedFirst = new AtomicBoolean();
        around = real -> new Drivers() {
            @Override
            public ServerDriver driver(String name, Endpoint endpoint) {
                return real.driver(name, endpoint);
            }

            @Override
            public OptionalInt kubemoot() throws InterruptedException {
                asked.countDown();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    ended.set(true);
                }
                return OptionalInt.empty();
            }

            @Override
            public void close() {
                endedFirst.set(ended.get());
                real.close();
            }
        };
        engine(EngineRecord.Kept.NOTHING);
        await().until(() -> asked.getCount() == 0);
        engine.close();
        assertThat(endedFirst).isTrue();
    }

    @Test
    void aModelThatGivesItsFirstAnswerIsAtWorkThoughItsTimeToStayIsAhead() {
        engine(EngineRecord.Kept.NOTHING);
        world.change(w -> {
            LabModelServer.Loaded loaded = new LabModelServer.Loaded(server.installed.stream()
                    .filter(m -> m.name().equals(SMALL.text())).findFirst().orElseThrow());
            loaded.readyAt = w.clock().instant();
            loaded.expiresAt = loaded.readyAt.plusSeconds(300);
            loaded.busy = 1;
            server.loaded.add(loaded);
        });
        await().until(() -> state(SMALL).filter(State.Busy.class::isInstance).isPresent());
        await().during(Duration.ofMillis(400)).until(() -> state(SMALL).filter(State.Busy.class::isInstance).isPresent());
        world.change(w -> {
            server.loaded.getFirst().busy = 0;
            server.loaded.getFirst().usedAt = w.clock().instant();
        });
        idle(SMALL);
    }

    /** A site with one server on one card, as its sources would tell it. */
    private final class OneCard implements LiveSite {
        private final Site site;

        OneCard(Site site) {
            this.site = site;
        }

        @Override
        public Site site() {
            return site;
        }

        @Override
        public SiteView view() {
            return new SiteView(site, world.clock().instant(), List.of(new Card("pve3/0000:01:00", "pve3", Optional.empty(),
                    "RTX A1000", Optional.of("GPU-1"), OptionalLong.of(8188), Optional.empty(), Optional.of("node"),
                    Optional.of(OLLAMA.text()), Arrays.stream(Floor.values()).map(floor -> new FloorStatus(floor, FloorState.OK,
                    "", Optional.empty(), List.of(), Optional.empty())).toList())), List.of());
        }

        @Override
        public Optional<SiteFacts> facts() {
            Instant now = world.clock().instant();
            long used = world.read(_ -> server.loaded.stream().mapToLong(l -> l.cardBytes() >> 20).sum());
            GpuDevice gpu = new GpuDevice(OptionalInt.of(0), Optional.of("RTX A1000"), Optional.of("GPU-1"), Optional.empty(),
                    Optional.empty(), OptionalLong.of(8188), OptionalLong.of(used), OptionalDouble.empty(),
                    OptionalDouble.empty(), OptionalDouble.empty(), OptionalInt.empty());
            return Optional.of(new SiteFacts(now, Map.of(), Map.of(), Optional.empty(), Optional.of(Observed.fresh("dcgm",
                    new TelemetryReport(List.of(new TelemetryReport.Sample("node", gpu, Optional.empty(), now))), now)),
                    Map.of(OLLAMA.text(), Observed.reading(OLLAMA.text())), Map.of(), Map.of()));
        }

        @Override
        public Map<String, Endpoint> modelServers() {
            return Map.of(OLLAMA.text(), new Endpoint.Url(servers.backend(OLLAMA.text()).orElseThrow()));
        }

        @Override
        public Map<String, String> nodes() {
            return Map.of();
        }

        @Override
        public void readAgain() {
            // It is read at every look.
        }

        @Override
        public void readAgain(Connection.Kind kind, String name) {
            // It is read at every look.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
