package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.LoadTrouble;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The router of the scene metal over its socket; the shapes are those of llama-server's own documentation and source. */
class RouterTest {
    private static final String LOADED = "ggml-org/Mistral-7B-Instruct-v0.3-GGUF:Q4_K_M";
    private static final String CODER = "ggml-org/Qwen2.5-Coder-3B-Instruct-GGUF:Q4_K_M";
    private static final String GEMMA = "ggml-org/gemma-3-12b-it-GGUF:Q4_K_M";

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient client = HttpClient.newHttpClient();
    private World world;
    private LabHttp http;
    private ModelServers servers;

    @BeforeEach
    void start() throws Exception {
        world = new World(new LabClock(InstantSource.system()), 1);
        SceneWorld.fill(world, new SceneFile().bundled("metal"));
        http = new LabHttp();
        servers = new ModelServers(world, http);
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        servers.close();
        http.close();
    }

    private URI uri(String path) {
        return servers.backend("llama").orElseThrow().resolve(path);
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(path)).method(method, HttpRequest.BodyPublishers.ofString(body))
                .build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode get(String path) throws Exception {
        return json.readTree(send("GET", path, "").body());
    }

    private HttpResponse<String> model(String path, String model) throws Exception {
        return send("POST", path, "{\"model\":\"" + model + "\"}");
    }

    private JsonNode entry(String model) throws Exception {
        for (JsonNode entry : get("/models").path("data")) {
            if (entry.path("id").asText().equals(model)) {
                return entry;
            }
        }
        throw new AssertionError("no model " + model);
    }

    private String status(String model) throws Exception {
        return entry(model).at("/status/value").asText();
    }

    private void server(Consumer<LabModelServer> change) {
        world.change(w -> change.accept(w.servers.get("llama")));
    }

    @Test
    void aLoadIsSaidToHaveBegunAndIsFollowed() throws Exception {
        assertThat(model("/models/load", CODER).body()).isEqualTo("{\"success\":true}");
        JsonNode loading = entry(CODER).path("status");
        assertThat(loading.path("value").asText()).isEqualTo("loading");
        assertThat(loading.at("/progress/stages/0").asText()).isEqualTo("text_model");
        assertThat(loading.at("/progress/value").asDouble()).isBetween(0.0, 1.0);
        assertThat(model("/models/load", CODER).body()).isEqualTo(
                "{\"error\":{\"code\":400,\"message\":\"model is already running\",\"type\":\"invalid_request_error\"}}");
        world.clock().speed(100);
        await().until(() -> status(CODER).equals("loaded"));
        assertThat(entry(CODER).at("/meta/n_params").asLong()).isPositive();
        assertThat(get("/models").toString()).as("no figure of memory anywhere").doesNotContain("vram", "memory");
    }

    @Test
    void errorsAreItsOwn() throws Exception {
        assertThat(model("/models/load", "nope").body())
                .isEqualTo("{\"error\":{\"code\":404,\"message\":\"model is not found\",\"type\":\"not_found_error\"}}");
        assertThat(model("/models/unload", "nope").statusCode()).isEqualTo(400);
        assertThat(model("/models/unload", CODER).body()).contains("model is not running");
        assertThat(send("POST", "/models/load", "{}").body()).contains("model name is missing from the request");
        assertThat(model("/v1/chat/completions", "nope").body()).contains("model 'nope' not found");
        assertThat(send("GET", "/metrics", "").statusCode()).isEqualTo(501);
        assertThat(get("/props?autoload=false&model=" + CODER.replace(":", "%3A").replace("/", "%2F")).toString())
                .contains("model is not loaded");
    }

    @Test
    void tooManyModelsPushTheLeastRecentlyUsedOneOut() throws Exception {
        world.clock().speed(200);
        model("/models/load", CODER);
        await().until(() -> status(CODER).equals("loaded"));
        model("/v1/chat/completions", LOADED);
        model("/models/load", GEMMA);
        await().until(() -> status(GEMMA).equals("loaded"));
        assertThat(status(CODER)).isEqualTo("unloaded");
        assertThat(status(LOADED)).isEqualTo("loaded");
    }

    @Test
    void anUnloadEndsALoadInItsMiddle() throws Exception {
        model("/models/load", GEMMA);
        assertThat(model("/models/unload", GEMMA).body()).isEqualTo("{\"success\":true}");
        assertThat(status(GEMMA)).isEqualTo("unloaded");
        assertThat(world.<Integer>read(w -> w.servers.get("llama").loaded.size())).isEqualTo(1);
    }

    @Test
    void aFailedLoadHasAnExitCodeAndAHangingOneDoesNotShowInItsHealth() throws Exception {
        world.clock().speed(200);
        server(s -> s.loadTrouble = LoadTrouble.FAILS);
        model("/models/load", CODER);
        await().until(() -> status(CODER).equals("unloaded"));
        assertThat(entry(CODER).at("/status/failed").asBoolean()).isTrue();
        assertThat(entry(CODER).at("/status/exit_code").asInt()).isEqualTo(1);
        server(s -> s.loadTrouble = LoadTrouble.HANGS);
        model("/models/load", CODER);
        assertThat(status(CODER)).isEqualTo("loading");
        assertThat(get("/health").path("status").asText()).isEqualTo("ok");
        server(s -> s.loadTrouble = LoadTrouble.NONE);
        await().until(() -> status(CODER).equals("loaded"));
    }

    @Test
    void anIdleModelSleepsAndWakesForARequest() throws Exception {
        world.clock().speed(200);
        server(s -> s.sleepAfter = Duration.ofMinutes(2));
        await().until(() -> status(LOADED).equals("sleeping"));
        assertThat(world.<Long>read(w -> w.servers.get("llama").loaded.getFirst().cardBytes())).isZero();
        JsonNode answer = json.readTree(model("/v1/chat/completions", LOADED).body());
        assertThat(answer.at("/choices/0/message/content").asText()).isNotBlank();
        assertThat(answer.at("/usage/completion_tokens").asInt()).isPositive();
    }

    @Test
    void aChatIsStreamedAndKeepsASlotBusy() throws Exception {
        CompletableFuture<HttpResponse<String>> chat = client.sendAsync(HttpRequest.newBuilder(uri("/v1/chat/completions"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"model\":\"" + LOADED + "\",\"stream\":true,\"max_tokens\":400,"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}")).build(),
                HttpResponse.BodyHandlers.ofString());
        await().pollInterval(Duration.ofMillis(20)).until(() -> get("/slots?model=" + LOADED.replace(":", "%3A")).at("/0/is_processing").asBoolean());
        List<String> lines = chat.get().body().lines().filter(line -> !line.isBlank()).toList();
        assertThat(lines.getFirst()).startsWith("data: {").contains("chat.completion.chunk");
        assertThat(lines.getLast()).isEqualTo("data: [DONE]");
    }

    @Test
    void eventsTellOfEachStepByTheNameOfTheBuild() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        client.sendAsync(HttpRequest.newBuilder(uri("/models/sse")).build(), HttpResponse.BodyHandlers.ofLines())
                .thenAccept(r -> r.body().filter(line -> !line.isEmpty()).forEach(events::add));
        await().until(() -> http.connections().values().stream().mapToInt(Integer::intValue).sum() > 0);
        // Slowly enough that a stalled machine does not leap over a stage.
        world.clock().speed(4);
        await().until(() -> {
            model("/models/load", GEMMA);
            return events.stream().anyMatch(e -> e.contains("\"loading\""));
        });
        await().until(() -> events.stream().anyMatch(e -> e.contains("\"loaded\"")));
        model("/models/unload", GEMMA);
        await().until(() -> events.stream().anyMatch(e -> e.contains("\"exit_code\":0")));
        assertThat(events.getFirst()).isEqualTo("data: {\"model\":\"" + GEMMA
                + "\",\"event\":\"model_status\",\"data\":{\"status\":\"loading\"}}");
        assertThat(events).anyMatch(e -> e.contains("status_change") && e.contains("\"current\":\"text_model\""))
                .anyMatch(e -> e.contains("\"current\":\"mmproj_model\""));
        get("/models?reload=1");
        await().until(() -> events.contains("data: {\"model\":\"*\",\"event\":\"models_reload\",\"data\":{}}"));
        assertThat(RouterJson.eventName("b9000")).isEqualTo("model_status");
    }

    @Test
    void aModelComesFromTheHubAndGoes() throws Exception {
        world.clock().speed(50);
        String small = "ggml-org/SmolLM2-135M-Instruct-GGUF:F16";
        assertThat(model("/models", "nobody/nothing-GGUF:Q4_0").body()).contains("model validation failed, unable to download");
        assertThat(model("/models", small).body()).isEqualTo("{\"success\":true}");
        assertThat(entry(small).at("/status/progress").elements().next().path("total").asLong()).isPositive();
        await().until(() -> status(small).equals("unloaded"));
        assertThat(model("/models", small).body()).contains("model '" + small + "' already exists");
        assertThat(send("DELETE", "/models?model=" + small.replace(":", "%3A"), "").body()).isEqualTo("{\"success\":true}");
        assertThat(get("/models").toString()).doesNotContain("SmolLM2");
    }

    @Test
    void propsSayThatItIsARouter() throws Exception {
        assertThat(get("/props").path("role").asText()).isEqualTo("router");
        assertThat(get("/props").path("max_instances").asInt()).isEqualTo(2);
        List<String> ids = new ArrayList<>();
        get("/v1/models").path("data").forEach(entry -> ids.add(entry.path("id").asText()));
        assertThat(ids).containsExactlyInAnyOrder(LOADED, CODER, GEMMA);
    }
}
