package dev.pitwall.link.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ServerDriver;
import dev.pitwall.engine.live.ServerDriver.Ability;
import dev.pitwall.engine.live.ServerDriver.Loaded;
import dev.pitwall.engine.live.ServerDriver.Phase;
import dev.pitwall.engine.live.ServerDriver.Progress;
import dev.pitwall.engine.live.ServerDriver.Stay;
import dev.pitwall.engine.live.ServerDriver.Where;
import dev.pitwall.lab.models.ModelServers;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.LoadTrouble;
import dev.pitwall.lab.world.World;
import dev.pitwall.link.ScriptedServer;
import dev.pitwall.link.ScriptedServer.Reply;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Loads and unloads on the lab's model servers, over their sockets. */
class ModelServerDriverTest {
    private static final Duration SOON = Duration.ofSeconds(8);
    private static final ModelName SMALL = new ModelName("llama3.2:3b");
    private static final ModelName EMBEDS = new ModelName("nomic-embed-text:latest");
    private static final ModelName CODER = new ModelName("ggml-org/Qwen2.5-Coder-3B-Instruct-GGUF:Q4_K_M");

    private final LabHttp http = new LabHttp();
    private final List<Progress> told = new ArrayList<>();
    private World world;
    private ModelServers servers;
    private ServerDriver driver;

    private LabModelServer serve(String scene, String name) throws Exception {
        world = new World(new LabClock(InstantSource.system()), 1);
        world.clock().speed(20);
        SceneWorld.fill(world, new SceneFile().bundled(scene));
        servers = new ModelServers(world, http);
        driver = driver(servers.backend(name).orElseThrow(), world.clock());
        return world.read(w -> w.servers.get(name));
    }

    private static ServerDriver driver(java.net.URI uri, InstantSource clock) {
        return new ModelServerDriver(new UrlWay("ollama", uri, new NetworkTrouble(new Words())),
                new Limits(Duration.ofSeconds(2), Duration.ofSeconds(5)), clock);
    }

    @AfterEach
    void close() {
        if (driver != null) {
            driver.close();
        }
        if (servers != null) {
            servers.close();
        }
        http.close();
    }

    private List<String> loaded() throws Exception {
        return driver.read().loaded().stream().map(l -> l.model().text()).toList();
    }

    @Test
    void ollamaLoadsKeepsAndLetsGo() throws Exception {
        LabModelServer server = serve("garage", "ollama-c");
        driver.load(SMALL, Stay.USUAL, told::add);
        Loaded there = driver.read().loaded().getFirst();
        assertThat(there.model()).isEqualTo(SMALL);
        assertThat(there.vramBytes()).isEqualTo(there.sizeBytes());
        assertThat(server.loaded.getFirst().options).isEmpty();

        driver.load(SMALL, Stay.ALWAYS, told::add);
        assertThat(driver.read().loaded().getFirst().expires().orElseThrow()).isAfter(world.clock().instant().plus(Duration.ofDays(40_000)));
        driver.load(SMALL, Stay.NO_LONGER, told::add);
        assertThat(driver.read().loaded().getFirst().expires().orElseThrow()).isBefore(world.clock().instant().plus(Duration.ofHours(1)));
        assertThat(server.begun).containsExactly(Map.entry(SMALL.text(), 1));

        driver.unload(SMALL, SOON);
        assertThat(loaded()).isEmpty();
        driver.unload(SMALL, SOON);
        assertThat(driver.show(SMALL).orElseThrow()).contains("model_info");
    }

    @Test
    void aModelIsMeasuredOnItsCardAndOnTheProcessorAndComesBackAsItWas() throws Exception {
        LabModelServer server = serve("garage", "ollama-c");
        driver.load(SMALL, Stay.USUAL, told::add);
        double onCard = driver.measure(SMALL, Where.AS_LOADED).tokensPerSecond();
        assertThat(server.begun).containsExactly(Map.entry(SMALL.text(), 1));
        double onProcessor = driver.measure(SMALL, Where.PROCESSOR).tokensPerSecond();
        assertThat(onProcessor).isBetween(3.0, 5.0);
        assertThat(onCard).isGreaterThan(8 * onProcessor);
        assertThat(driver.read().loaded().getFirst().vramBytes()).hasValue(0);
        driver.load(SMALL, Stay.USUAL, told::add);
        Loaded back = driver.read().loaded().getFirst();
        assertThat(back.vramBytes()).isEqualTo(back.sizeBytes());
        assertThat(server.begun).containsExactly(Map.entry(SMALL.text(), 3));
    }

    @Test
    void aModelThatOnlyEmbedsIsLoadedByItsOwnCall() throws Exception {
        serve("garage", "ollama-a");
        driver.unload(EMBEDS, SOON);
        driver.load(EMBEDS, Stay.USUAL, told::add);
        assertThat(loaded()).contains(EMBEDS.text());
    }

    @Test
    void interruptingALoadEndsItAtTheServer() throws Exception {
        LabModelServer server = serve("garage", "ollama-c");
        world.change(w -> server.loadTrouble = LoadTrouble.HANGS);
        Thread load = Thread.ofVirtual().start(() -> assertThatThrownBy(() -> driver.load(SMALL, Stay.USUAL, told::add)));
        await().until(() -> world.read(w -> server.loaded.size() == 1));
        assertThat(loaded()).isEmpty();
        load.interrupt();
        await().until(() -> world.read(w -> server.loaded.isEmpty()));
    }

    @Test
    void ollamasRefusalsHaveTheirKinds() throws Exception {
        LabModelServer server = serve("garage", "ollama-c");
        assertThat(trouble(new ModelName("nope:latest")).kind()).isEqualTo(Kind.MISSING);
        world.change(w -> server.loadTrouble = LoadTrouble.FAILS);
        assertThat(trouble(SMALL).what()).contains("llama-server process has terminated");
        world.change(w -> server.longestQueue = 0);
        assertThat(trouble(SMALL).kind()).isEqualTo(Kind.BUSY);
        world.change(w -> w.servers.get("ollama-c").loaded.add(busy(server)));
        assertThat(Troubles.of(() -> driver.unload(SMALL, Duration.ofMillis(300))).kind()).isEqualTo(Kind.BUSY);
    }

    private static LabModelServer.Loaded busy(LabModelServer server) {
        LabModelServer.Loaded loaded = new LabModelServer.Loaded(server.installed.stream()
                .filter(m -> m.name().equals(SMALL.text())).findFirst().orElseThrow());
        loaded.busy = 1;
        return loaded;
    }

    private Loaded coder() throws Exception {
        return driver.read().loaded().stream().filter(l -> l.model().equals(CODER)).findFirst().orElseThrow();
    }

    private Trouble trouble(ModelName model) {
        return Troubles.of(() -> driver.load(model, Stay.USUAL, told::add));
    }

    @Test
    void aPullTellsHowFarItIsAndAnErrorInTheMiddleIsOne() throws Exception {
        serve("garage", "ollama-c");
        world.clock().speed(1000);
        ModelName embeds = new ModelName("nomic-embed-text:latest");
        driver.pull(embeds, told::add);
        assertThat(told.getLast().stage()).isEqualTo("success");
        assertThat(told).anyMatch(p -> p.total() > 200_000_000 && p.share().isPresent());
        assertThat(driver.read().installed()).anyMatch(i -> i.model().equals(embeds));
        assertThat(Troubles.of(() -> driver.pull(new ModelName("nobody/knows:it"), told::add)).kind()).isEqualTo(Kind.REMOTE);
    }

    @Test
    void aRoutersLoadIsFollowedToItsEnd() throws Exception {
        LabModelServer server = serve("metal", "llama");
        assertThat(driver.read().mostLoaded()).hasValue(2);
        driver.load(CODER, Stay.USUAL, told::add);
        assertThat(told).allMatch(p -> p.stage().equals("loading") || p.stage().equals("text_model"))
                .anyMatch(p -> p.stage().equals("text_model") && p.share().isPresent());
        assertThat(driver.read().loaded()).anySatisfy(l -> {
            assertThat(l.model()).isEqualTo(CODER);
            assertThat(l.phase()).isEqualTo(Phase.LOADED);
            assertThat(l.vramBytes()).isEmpty();
            assertThat(l.requests()).hasValue(0);
            assertThat(l.tokensPerSecond()).hasValue(0);
        });
        assertThat(driver.measure(CODER, Where.AS_LOADED).tokensPerSecond()).isGreaterThan(8);
        assertThat(Troubles.of(() -> driver.measure(CODER, Where.PROCESSOR)).kind()).isEqualTo(Kind.RIGHTS);
        await().until(() -> world.read(_ -> server.loaded.stream().allMatch(l -> l.busy == 0)));
        world.change(w -> server.loaded.stream().filter(l -> l.model.name().equals(CODER.text())).forEach(l -> {
            l.busy = 1;
            l.answers.add(new LabModelServer.Answer(7, w.clock().instant(), 50, 100_000));
        }));
        await().untilAsserted(() -> assertThat(coder().tokensPerSecond().orElse(0)).isBetween(40.0, 60.0));
        world.change(w -> server.loaded.forEach(l -> l.asleep = true));
        assertThat(driver.read().loaded()).extracting(Loaded::phase).containsOnly(Phase.SLEEPING);
        driver.unload(CODER, SOON);
        driver.unload(CODER, SOON);
        assertThat(loaded()).doesNotContain(CODER.text());
        world.change(w -> server.loadTrouble = LoadTrouble.FAILS);
        assertThat(trouble(CODER).what()).contains("exit code 1");
    }

    @Test
    void aRoutersLoadThatIsGivenUpIsWaitedForUntilItsProcessIsGone() throws Exception {
        AtomicInteger looksAfter = new AtomicInteger(-1);
        CountDownLatch loading = new CountDownLatch(1);
        try (ScriptedServer scripted = ScriptedServer.plain(request -> switch (request.path()) {
            case "/props" -> Reply.json("{\"role\":\"router\",\"max_instances\":4,\"build_info\":\"b11669\"}");
            case "/models/load" -> Reply.json("{\"success\":true}");
            case "/models/unload" -> {
                looksAfter.set(0);
                yield Reply.json("{\"success\":true}");
            }
            case "/models" -> {
                loading.countDown();
                boolean gone = looksAfter.get() >= 0 && looksAfter.incrementAndGet() > 2;
                yield Reply.json("{\"object\":\"list\",\"data\":[{\"id\":\"a\",\"status\":{\"value\":\"%s\"}}]}"
                        .formatted(gone ? "unloaded" : "loading"));
            }
            default -> Reply.of(404, "Not Found", "text/plain", "no");
        })) {
            driver = driver(scripted.uri(), InstantSource.system());
            Thread load = Thread.ofVirtual().start(() -> assertThatThrownBy(() ->
                    driver.load(new ModelName("a"), Stay.USUAL, told::add)).isInstanceOf(InterruptedException.class));
            loading.await();
            load.interrupt();
            load.join();
            assertThat(looksAfter.get()).isEqualTo(3);
        }
    }

    @Test
    void aServerOfOneModelIsOnlyLookedAt() throws Exception {
        try (ScriptedServer scripted = ScriptedServer.plain(request -> switch (request.path()) {
            case "/props" -> Reply.json("{\"default_generation_settings\":{\"n_ctx\":4096},\"model_path\":\"/m/a.gguf\",\"build_info\":\"b1\"}");
            case "/v1/models" -> Reply.json("{\"object\":\"list\",\"data\":[{\"id\":\"a.gguf\",\"owned_by\":\"llamacpp\",\"meta\":{\"n_params\":8000000000,\"size\":4900000000}}]}");
            default -> Reply.of(404, "Not Found", "text/plain", "no");
        })) {
            driver = driver(scripted.uri(), InstantSource.system());
            assertThat(loaded()).containsExactly("a.gguf");
            assertThat(driver.read().abilities()).containsExactly(Ability.MEASURE);
            assertThat(trouble(new ModelName("a.gguf")).kind()).isEqualTo(Kind.RIGHTS);
        }
    }
}
