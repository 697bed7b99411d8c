package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.ssh.GarageWorld;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.LoadTrouble;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class OllamaTest {
    /** Has llama3.2:3b, llama3.1:8b and gemma3:4b installed and nothing loaded. */
    private static final String EMPTY = "ollama-c";

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient client = HttpClient.newHttpClient();
    private World world;
    private LabHttp http;
    private ModelServers servers;

    @BeforeEach
    void start() throws Exception {
        world = GarageWorld.fresh();
        http = new LabHttp();
        servers = new ModelServers(world, http);
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        servers.close();
        http.close();
    }

    private URI uri(String server, String path) {
        return servers.backend(server).orElseThrow().resolve(path);
    }

    private HttpResponse<String> get(String server, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(server, path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String path, String body) {
        return HttpRequest.newBuilder(uri(EMPTY, path)).POST(HttpRequest.BodyPublishers.ofString(body)).build();
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return client.send(request(path, body), HttpResponse.BodyHandlers.ofString());
    }

    private List<String> running() throws Exception {
        List<String> names = new ArrayList<>();
        json.readTree(get(EMPTY, "/api/ps").body()).path("models").forEach(m -> names.add(m.path("name").asText()));
        return names;
    }

    @Test
    void listsHaveTheFieldsOfVersion033() throws Exception {
        JsonNode ps = json.readTree(getClass().getResourceAsStream("/lab/ollama-ps-0.33.json"));
        JsonNode tags = json.readTree(getClass().getResourceAsStream("/lab/ollama-tags-0.33.json"));
        assertThat(shape(json.readTree(get("ollama-a", "/api/ps").body()))).isEqualTo(shape(ps));
        assertThat(shape(json.readTree(get("ollama-a", "/api/tags").body()))).isEqualTo(shape(tags));
        assertThat(get("ollama-a", "/").body()).isEqualTo("Ollama is running");
    }

    @Test
    void clientsOfOpenAisApiFindTheSameModels() throws Exception {
        JsonNode tags = json.readTree(get("ollama-a", "/api/tags").body()).path("models");
        JsonNode models = json.readTree(get("ollama-a", "/v1/models").body()).path("data");
        assertThat(models).hasSameSizeAs(tags);
        assertThat(models.get(0).path("id")).isEqualTo(tags.get(0).path("name"));
        assertThat(models.get(0).path("owned_by").asText()).isNotBlank();
    }

    private static List<String> shape(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.at("/models/0").properties().forEach(p -> names.add(p.getKey()));
        list.at("/models/0/details").properties().forEach(p -> names.add("details." + p.getKey()));
        return names;
    }

    @Test
    void aLoadBlocksAsLongAsTheModelIsBigAndShowsOnlyWhenItIsDone() throws Exception {
        world.clock().speed(20);
        Instant before = world.clock().instant();
        CompletableFuture<HttpResponse<String>> load = client.sendAsync(request("/api/generate",
                "{\"model\":\"llama3.1:8b\"}"), HttpResponse.BodyHandlers.ofString());
        await().until(() -> world.read(w -> w.servers.get(EMPTY).loaded.size() == 1));
        JsonNode done = json.readTree(load.get().body());
        assertThat(done.path("done_reason").asText()).isEqualTo("load");
        assertThat(Duration.between(before, world.clock().instant())).isGreaterThan(Duration.ofSeconds(5));
        assertThat(running()).containsExactly("llama3.1:8b");
    }

    @Test
    void anUnloadAnswersAtOnceAndABusyModelFinishesFirst() throws Exception {
        world.clock().speed(20);
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(request("/api/generate",
                "{\"model\":\"llama3.2:3b\",\"prompt\":\"hello\"}"), HttpResponse.BodyHandlers.ofString());
        await().until(() -> running().contains("llama3.2:3b"));
        assertThat(post("/api/generate", "{\"model\":\"llama3.2:3b\",\"keep_alive\":0}").body())
                .contains("\"done_reason\":\"unload\"");
        List<String> lines = answer.get().body().lines().toList();
        assertThat(lines).hasSizeGreaterThan(20);
        assertThat(json.readTree(lines.getLast()).path("eval_count").asInt()).isEqualTo(lines.size() - 1);
        await().until(() -> running().isEmpty());
        assertThat(post("/api/generate", "{\"model\":\"llama3.2:3b\",\"keep_alive\":0}").statusCode()).isEqualTo(200);
    }

    @Test
    void makesRoomByUnloadingTheShortestKept() throws Exception {
        world.clock().speed(200);
        post("/api/generate", "{\"model\":\"llama3.2:3b\",\"keep_alive\":-1}");
        post("/api/generate", "{\"model\":\"gemma3:4b\",\"keep_alive\":\"2h\"}");
        assertThat(running()).containsExactly("llama3.2:3b", "gemma3:4b");
        post("/api/generate", "{\"model\":\"llama3.1:8b\"}");
        assertThat(running()).containsExactly("llama3.1:8b");
    }

    @Test
    void aModelGoesWhenItsTimeIsOver() throws Exception {
        world.clock().speed(200);
        post("/api/generate", "{\"model\":\"llama3.2:3b\",\"keep_alive\":\"30s\"}");
        await().until(() -> running().isEmpty());
    }

    @Test
    void aClientThatHangsUpEndsItsLoad() throws Exception {
        HttpClient impatient = HttpClient.newHttpClient();
        impatient.sendAsync(request("/api/generate", "{\"model\":\"llama3.1:8b\"}"), HttpResponse.BodyHandlers.ofString());
        await().until(() -> world.read(w -> w.servers.get(EMPTY).loaded.size() == 1));
        impatient.shutdownNow();
        await().until(() -> world.read(w -> w.servers.get(EMPTY).loaded.isEmpty()));
    }

    @Test
    void errorsAreOllamasOwn() throws Exception {
        assertThat(post("/api/generate", "{\"model\":\"nope\"}").body())
                .isEqualTo("{\"error\":\"model 'nope:latest' not found\"}");
        assertThat(post("/api/generate", "").body()).isEqualTo("{\"error\":\"missing request body\"}");
        assertThat(post("/api/show", "{}").body()).isEqualTo("{\"error\":\"model is required\"}");
        HttpResponse<String> noUnit = post("/api/generate", "{\"model\":\"llama3.2:3b\",\"keep_alive\":\"-1\"}");
        assertThat(noUnit.statusCode()).isEqualTo(400);
        assertThat(post("/api/generate", "{\"model\":\"llama3.2:3b\",\"think\":true,\"prompt\":\"x\"}").body())
                .contains("does not support thinking");
        HttpResponse<String> pull = post("/api/pull", "{\"model\":\"nope\"}");
        assertThat(pull.statusCode()).isEqualTo(200);
        assertThat(pull.body()).endsWith("{\"error\":\"pull model manifest: file does not exist\"}\n");
    }

    @Test
    void aPullInstallsAndADeleteRemoves() throws Exception {
        world.clock().speed(500);
        assertThat(post("/api/pull", "{\"model\":\"smollm2:135m\"}").body()).endsWith("{\"status\":\"success\"}\n");
        assertThat(get(EMPTY, "/api/tags").body()).contains("smollm2:135m");
        HttpRequest delete = HttpRequest.newBuilder(uri(EMPTY, "/api/delete"))
                .method("DELETE", HttpRequest.BodyPublishers.ofString("{\"model\":\"smollm2:135m\"}")).build();
        assertThat(client.send(delete, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        assertThat(client.send(delete, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(404);
    }

    @Test
    void aServerThatIsDownRefusesAndComesBack() throws Exception {
        world.change(w -> w.servers.get(EMPTY).up = false);
        await().untilAsserted(() -> assertThatThrownBy(() -> get(EMPTY, "/")).isInstanceOf(ConnectException.class));
        world.change(w -> w.servers.get(EMPTY).up = true);
        await().ignoreExceptions().until(() -> get(EMPTY, "/").statusCode() == 200);
    }

    private HttpResponse<String> load(String model, String options) throws Exception {
        return post("/api/generate", "{\"model\":\"" + model + "\",\"options\":" + options + "}");
    }

    private JsonNode firstRunning() throws Exception {
        return json.readTree(get(EMPTY, "/api/ps").body()).at("/models/0");
    }

    @Test
    void otherOptionsThrowTheModelOutAndLoadItAfresh() throws Exception {
        world.clock().speed(500);
        load("llama3.2:3b", "{\"num_ctx\":16384}");
        assertThat(firstRunning().path("context_length").asInt()).isEqualTo(16384);
        long big = firstRunning().path("size_vram").asLong();
        Instant before = world.clock().instant();
        post("/api/generate", "{\"model\":\"llama3.2:3b\"}");
        assertThat(Duration.between(before, world.clock().instant())).isGreaterThan(Duration.ofSeconds(2));
        assertThat(firstRunning().path("context_length").asInt()).isEqualTo(4096);
        assertThat(firstRunning().path("size_vram").asLong()).isLessThan(big);
        assertThat(running()).hasSize(1);
    }

    @Test
    void aNumberOfLayersKeepsTheRestOnTheProcessor() throws Exception {
        world.clock().speed(500);
        load("llama3.2:3b", "{\"num_gpu\":0}");
        assertThat(firstRunning().path("size_vram").asLong()).isZero();
        assertThat(firstRunning().path("size").asLong()).isPositive();
        load("llama3.2:3b", "{\"num_gpu\":14}");
        assertThat(firstRunning().path("size_vram").asLong()).isPositive().isLessThan(firstRunning().path("size").asLong());
    }

    @Test
    void aDerivedTagHasTheSameWeightsAndParametersOfItsOwn() throws Exception {
        world.clock().speed(500);
        assertThat(post("/api/create", "{\"model\":\"long\",\"from\":\"llama3.2:3b\",\"parameters\":"
                + "{\"num_ctx\":8192}}").body()).endsWith("{\"status\":\"success\"}\n");
        assertThat(post("/api/show", "{\"model\":\"long\"}").body()).contains("num_ctx 8192");
        post("/api/generate", "{\"model\":\"long\"}");
        assertThat(firstRunning().path("context_length").asInt()).isEqualTo(8192);
        post("/api/generate", "{\"model\":\"llama3.2:3b\"}");
        assertThat(running()).as("two tags over one file share one runner").containsExactly("llama3.2:3b");
    }

    @Test
    void aFullQueueIsSaid() throws Exception {
        world.change(w -> w.servers.get(EMPTY).longestQueue = 0);
        HttpResponse<String> busy = post("/api/generate", "{\"model\":\"llama3.2:3b\"}");
        assertThat(busy.statusCode()).isEqualTo(503);
        assertThat(busy.body()).contains("server busy, please try again.  maximum pending requests exceeded");
    }

    @Test
    void aLoadThatHangsDoesNotShowInTheHealth() throws Exception {
        world.clock().speed(500);
        world.change(w -> w.servers.get(EMPTY).loadTrouble = LoadTrouble.HANGS);
        CompletableFuture<HttpResponse<String>> load = client.sendAsync(request("/api/generate",
                "{\"model\":\"llama3.2:3b\"}"), HttpResponse.BodyHandlers.ofString());
        await().until(() -> world.read(w -> w.servers.get(EMPTY).loaded.size() == 1));
        assertThat(get(EMPTY, "/api/tags").statusCode()).isEqualTo(200);
        assertThat(running()).isEmpty();
        assertThat(load).isNotDone();
        world.change(w -> w.servers.get(EMPTY).loadTrouble = LoadTrouble.NONE);
        assertThat(load.get().body()).contains("\"done_reason\":\"load\"");
        world.change(w -> w.servers.get(EMPTY).loadTrouble = LoadTrouble.FAILS);
        HttpResponse<String> died = post("/api/generate", "{\"model\":\"gemma3:4b\"}");
        assertThat(died.statusCode()).isEqualTo(500);
        assertThat(died.body()).contains("llama-server process has terminated: exit status 1");
    }

    @Test
    void aForeignHostNameIsForbidden() throws Exception {
        try (java.net.Socket socket = new java.net.Socket("127.0.0.1", uri(EMPTY, "/").getPort())) {
            socket.getOutputStream().write("GET /api/tags HTTP/1.1\r\nHost: ollama.example.com\r\n\r\n".getBytes());
            byte[] answer = new byte[64];
            int length = socket.getInputStream().read(answer);
            assertThat(new String(answer, 0, length)).startsWith("HTTP/1.1 403 ");
        }
    }

    @Test
    void clientsOfOpenAisApiChat() throws Exception {
        world.clock().speed(500);
        JsonNode answer = json.readTree(post("/v1/chat/completions", "{\"model\":\"llama3.2:3b\",\"messages\":"
                + "[{\"role\":\"user\",\"content\":\"hello\"}]}").body());
        assertThat(answer.at("/choices/0/message/content").asText()).isNotBlank();
    }

    @Test
    void anOldVersionLacksWhatCameLater() throws Exception {
        world.change(w -> w.servers.get("ollama-a").version = "0.9.0");
        assertThat(json.readTree(get("ollama-a", "/api/ps").body()).at("/models/0").has("context_length")).isFalse();
        assertThat(json.readTree(get("ollama-a", "/api/tags").body()).at("/models/0").has("capabilities")).isFalse();
    }

    @Test
    void serversComeAndGoWhileTheLabRuns() throws Exception {
        ModelServers.appear(world, new ModelServers.Appearance("late", "llm", "rke2-worker-dc1-gpu-a", "pve1/0000:01:00",
                "0.33.0", LabModelServer.Kind.OLLAMA));
        await().until(() -> servers.backend("llm", "late", 11434).isPresent());
        await().ignoreExceptions().until(() -> get("late", "/api/tags").body().contains("\"models\":[]"));
        URI address = servers.backend("late").orElseThrow();
        ModelServers.vanish(world, "late");
        await().until(() -> servers.backend("late").isEmpty());
        assertThatThrownBy(() -> client.send(HttpRequest.newBuilder(address).build(),
                HttpResponse.BodyHandlers.ofString())).isInstanceOf(ConnectException.class);

        ModelServers.appear(world, new ModelServers.Appearance("late", "llm", "rke2-worker-dc1-gpu-a", "pve1/0000:01:00",
                "0.33.0", LabModelServer.Kind.OLLAMA));
        await().until(() -> servers.backend("late").isPresent());
        assertThat(servers.backend("late")).as("a client finds it where it was").contains(address);
    }
}
