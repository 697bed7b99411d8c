package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.net.ClientPresence;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Installed;
import dev.pitwall.lab.world.LabModelServer.Loaded;
import dev.pitwall.lab.world.World;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** One Ollama over HTTP. Which answers it gives, and how it errs, follows version 0.33 (facts: models.md 5.1, 5.2). */
final class OllamaApi implements HttpHandler {
    private static final int CLIENT_CLOSED = 499;

    private final World world;
    private final Runner runner;
    private final ModelLibrary library;
    private final OllamaJson shapes;
    private final Pulling pulling;
    private final OpenAiChat chat;
    private final ObjectMapper json = new ObjectMapper();

    OllamaApi(World world, String name, Runner runner, ModelLibrary library) {
        this.world = world;
        this.runner = runner;
        this.library = library;
        this.shapes = new OllamaJson(library);
        this.pulling = new Pulling(world, name, library);
        this.chat = new OpenAiChat(world, OpenAiChat.Timings.NOT_TOLD);
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws IOException {
        if (!LocalHosts.allow(exchange.getHostName())) {
            exchange.setStatusCode(403);
            exchange.endExchange();
            return;
        }
        runner.expire();
        String call = exchange.getRequestMethod() + " " + exchange.getRequestPath();
        try {
            switch (call) {
                case "GET /", "HEAD /" -> text(exchange, "Ollama is running");
                case "GET /api/version" -> {
                    String version = world.read(w -> runner.server(w).version);
                    send(exchange, json.createObjectNode().put("version", version));
                }
                case "GET /api/tags" -> tags(exchange);
                case "GET /v1/models" -> openAiModels(exchange);
                case "GET /api/ps" -> running(exchange);
                case "POST /api/show" -> {
                    Installed model = installed(model(body(exchange)));
                    send(exchange, shapes.show(model, parameters(model)));
                }
                case "POST /api/generate" -> generate(exchange, body(exchange), Form.GENERATE);
                case "POST /api/chat" -> generate(exchange, body(exchange), Form.CHAT);
                case "POST /api/embed" -> embed(exchange, body(exchange));
                case "POST /api/embeddings" -> embedOne(exchange, body(exchange));
                case "POST /v1/chat/completions" -> openAiChat(exchange, body(exchange));
                case "POST /api/create" -> create(exchange, body(exchange));
                case "POST /api/pull" -> pull(exchange, body(exchange));
                case "DELETE /api/delete" -> delete(exchange, body(exchange));
                default -> {
                    exchange.setStatusCode(404);
                    text(exchange, "404 page not found");
                }
            }
        } catch (OllamaRefusal e) {
            exchange.setStatusCode(e.status());
            send(exchange, json.createObjectNode().put("error", e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exchange.setStatusCode(CLIENT_CLOSED);
            send(exchange, json.createObjectNode().put("error", "request canceled"));
        }
    }

    private enum Form { GENERATE, CHAT }

    private void tags(HttpServerExchange exchange) throws IOException {
        ObjectNode answer = json.createObjectNode();
        ArrayNode models = answer.putArray("models");
        OllamaVersion version = version();
        installed().forEach(m -> models.add(shapes.tag(m, version)));
        send(exchange, answer);
    }

    /** The list as clients of OpenAI's API ask for it (facts: ollama openai/openai.go). */
    private void openAiModels(HttpServerExchange exchange) throws IOException {
        ObjectNode answer = json.createObjectNode().put("object", "list");
        ArrayNode models = answer.putArray("data");
        installed().forEach(m -> models.add(shapes.openAiModel(m)));
        send(exchange, answer);
    }

    /** The newest first. */
    private List<Installed> installed() {
        return world.read(w -> runner.server(w).installed.stream()
                .sorted(Comparator.comparing(Installed::modifiedAt).reversed()).toList());
    }

    private OllamaVersion version() {
        return OllamaVersion.of(world.read(w -> runner.server(w).version));
    }

    /** Since 0.30 a model appears only when its load is complete; the longest stay comes first. */
    private void running(HttpServerExchange exchange) throws IOException {
        ObjectNode answer = json.createObjectNode();
        ArrayNode models = answer.putArray("models");
        world.read(w -> {
            Instant now = w.clock().instant();
            OllamaVersion version = OllamaVersion.of(runner.server(w).version);
            runner.server(w).loaded.stream().filter(l -> l.isReady(now) || version.showsLoading())
                    .sorted(Comparator.comparing((Loaded l) -> l.expiresAt).reversed())
                    .forEach(l -> models.add(shapes.running(l, CardRoom.onCard(w, runner.server(w), l),
                            new RunnerOptions(l.options).context(l.model), version, now)));
            return models;
        });
        send(exchange, answer);
    }

    /** Without a prompt: a load, or with a keep-alive of zero an unload. */
    private void generate(HttpServerExchange exchange, JsonNode request, Form form)
            throws IOException, OllamaRefusal, InterruptedException {
        Installed model = installed(model(request));
        Optional<KeepAlive> keep = request.hasNonNull("keep_alive") ? Optional.of(KeepAlive.of(request.get("keep_alive")))
                : Optional.empty();
        String prompt = form == Form.GENERATE ? request.path("prompt").asText("") : messages(request);
        if (prompt.isEmpty() && keep.filter(KeepAlive::isNow).isPresent()) {
            runner.unload(model.name());
            send(exchange, done(model, form, "unload"));
            return;
        }
        if (!shapes.capabilities(model).contains("completion")) {
            throw OllamaRefusal.bad("\"" + shortName(model) + "\" does not support "
                    + (form == Form.GENERATE ? "generate" : "chat"));
        }
        if (request.path("think").asBoolean() && !shapes.capabilities(model).contains("thinking")) {
            throw OllamaRefusal.bad("\"" + shortName(model) + "\" does not support thinking");
        }
        runner.forgetUnload(model.name());
        Runner.Lease lease = runner.acquire(model, options(request, model), keep, new ClientPresence(exchange));
        try {
            if (prompt.isEmpty()) {
                send(exchange, done(model, form, "load"));
            } else {
                answer(exchange, request, model, form, prompt, lease);
            }
        } finally {
            runner.release(lease.model());
        }
    }

    private RunnerOptions options(JsonNode request, Installed model) {
        return RunnerOptions.of(request.path("options"), parameters(model));
    }

    /** What the model's manifest sets. */
    private Map<String, String> parameters(Installed model) {
        return world.read(w -> Optional.ofNullable(runner.server(w).derived.get(model.name()))
                .map(LabModelServer.Derived::parameters).orElse(Map.of()));
    }

    /** OpenAI's form knows neither keep_alive nor the options of the runner (facts: models.md 5.2). */
    private void openAiChat(HttpServerExchange exchange, JsonNode request)
            throws IOException, OllamaRefusal, InterruptedException {
        Installed model = installed(model(request));
        runner.forgetUnload(model.name());
        Runner.Lease lease = runner.acquire(model, options(json.createObjectNode(), model), Optional.empty(),
                new ClientPresence(exchange));
        try {
            chat.send(exchange, request, model.name(), world.read(w -> Answering.of(library, model,
                    w.cards.get(runner.server(w).card), CardRoom.share(w, runner.server(w), lease.model()),
                    OpenAiChat.prompt(request), OpenAiChat.most(request))));
        } finally {
            runner.release(lease.model());
        }
    }

    private static String messages(JsonNode request) {
        StringBuilder text = new StringBuilder();
        request.path("messages").forEach(m -> text.append(m.path("content").asText()).append('\n'));
        return text.toString().strip();
    }

    private ObjectNode done(Installed model, Form form, String reason) {
        ObjectNode node = piece(model, form, "");
        return node.put("done", true).put("done_reason", reason);
    }

    private ObjectNode piece(Installed model, Form form, String text) {
        ObjectNode node = json.createObjectNode().put("model", model.name())
                .put("created_at", OllamaJson.time(world.clock().instant()));
        if (form == Form.GENERATE) {
            node.put("response", text);
        } else {
            node.putObject("message").put("role", "assistant").put("content", text);
        }
        return node;
    }

    private void answer(HttpServerExchange exchange, JsonNode request, Installed model, Form form, String prompt,
                        Runner.Lease lease) throws IOException, InterruptedException {
        Answering answering = world.read(w -> Answering.of(library, model, w.cards.get(runner.server(w).card),
                CardRoom.share(w, runner.server(w), lease.model()), prompt,
                request.path("options").path("num_predict").asInt()));
        Instant began = world.clock().instant();
        Duration reading = seconds(answering.promptTokens() / answering.promptTokensPerSecond());
        world.clock().await(began.plus(reading));
        boolean stream = request.path("stream").asBoolean(true);
        StringBuilder whole = new StringBuilder();
        Optional<OutputStream> out = stream ? Optional.of(ndjson(exchange)) : Optional.empty();
        for (int i = 0; i < answering.tokens().size(); i++) {
            world.clock().await(began.plus(reading).plus(seconds((i + 1) / answering.tokensPerSecond())));
            whole.append(answering.tokens().get(i));
            if (out.isPresent()) {
                line(out.get(), piece(model, form, answering.tokens().get(i)).put("done", false));
            }
        }
        Duration writing = seconds(answering.tokens().size() / answering.tokensPerSecond());
        ObjectNode end = piece(model, form, stream ? "" : whole.toString()).put("done", true).put("done_reason", "stop")
                .put("total_duration", lease.loadTime().plus(reading).plus(writing).toNanos())
                .put("load_duration", Math.max(lease.loadTime().toNanos(), 0))
                .put("prompt_eval_count", answering.promptTokens()).put("prompt_eval_duration", reading.toNanos())
                .put("eval_count", answering.tokens().size()).put("eval_duration", writing.toNanos());
        if (out.isPresent()) {
            line(out.get(), end);
            out.get().close();
        } else {
            send(exchange, end);
        }
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    private void embed(HttpServerExchange exchange, JsonNode request)
            throws IOException, OllamaRefusal, InterruptedException {
        Installed model = installed(model(request));
        Optional<KeepAlive> keep = request.hasNonNull("keep_alive") ? Optional.of(KeepAlive.of(request.get("keep_alive")))
                : Optional.empty();
        runner.forgetUnload(model.name());
        Runner.Lease lease = runner.acquire(model, options(request, model), keep, new ClientPresence(exchange));
        try {
            ObjectNode answer = json.createObjectNode().put("model", model.name());
            ArrayNode embeddings = answer.putArray("embeddings");
            JsonNode input = request.path("input");
            int tokens = 0;
            for (JsonNode text : input.isArray() ? input : json.createArrayNode().add(input)) {
                embedding(embeddings.addArray(), text.asText(), length(model));
                tokens += text.asText().length() / 4 + 1;
            }
            send(exchange, answer.put("total_duration", lease.loadTime().plusMillis(14).toNanos())
                    .put("load_duration", lease.loadTime().toNanos()).put("prompt_eval_count", tokens));
        } finally {
            runner.release(lease.model());
        }
    }

    /** The older call, for one text. */
    private void embedOne(HttpServerExchange exchange, JsonNode request)
            throws IOException, OllamaRefusal, InterruptedException {
        Installed model = installed(model(request));
        Optional<KeepAlive> keep = request.hasNonNull("keep_alive") ? Optional.of(KeepAlive.of(request.get("keep_alive")))
                : Optional.empty();
        runner.forgetUnload(model.name());
        Runner.Lease lease = runner.acquire(model, options(request, model), keep, new ClientPresence(exchange));
        try {
            ObjectNode answer = json.createObjectNode();
            embedding(answer.putArray("embedding"), request.path("prompt").asText(), length(model));
            send(exchange, answer);
        } finally {
            runner.release(lease.model());
        }
    }

    private int length(Installed model) {
        return library.byDigest(model.digest()).map(ModelLibrary.Entry::embeddingLength).orElse(768);
    }

    /** A unit vector that depends on the text alone; it means nothing. */
    private static void embedding(ArrayNode out, String text, int length) {
        double[] values = new Random(text.hashCode()).doubles(length, -1, 1).toArray();
        double norm = Math.sqrt(Arrays.stream(values).map(v -> v * v).sum());
        Arrays.stream(values).forEach(v -> out.add((float) (v / norm)));
    }

    private void pull(HttpServerExchange exchange, JsonNode request)
            throws IOException, OllamaRefusal, InterruptedException {
        String model = model(request);
        if (request.path("stream").asBoolean(true)) {
            try (OutputStream out = ndjson(exchange)) {
                pulling.pull(model, status -> line(out, status));
            }
            return;
        }
        ObjectNode[] last = new ObjectNode[1];
        pulling.pull(model, status -> last[0] = status);
        if (last[0].has("error")) {
            throw new OllamaRefusal(500, last[0].path("error").asText());
        }
        send(exchange, last[0]);
    }

    private void delete(HttpServerExchange exchange, JsonNode request) throws OllamaRefusal {
        Installed model = installed(model(request));
        runner.unload(model.name());
        world.change(w -> {
            runner.server(w).installed.removeIf(m -> m.name().equals(model.name()));
            runner.server(w).derived.remove(model.name());
        });
        exchange.endExchange();
    }

    /** Other parameters over the same weights: a new manifest, no new blob. */
    private void create(HttpServerExchange exchange, JsonNode request) throws IOException, OllamaRefusal {
        String name = model(request);
        if (request.path("from").asText("").isEmpty()) {
            throw OllamaRefusal.bad("neither 'from' or 'files' was specified");
        }
        Installed from = installed(model(json.createObjectNode().put("model", request.path("from").asText())));
        world.change(w -> Derivation.put(runner.server(w), name, from, request.path("parameters"), w.clock().instant()));
        try (OutputStream out = ndjson(exchange)) {
            for (String status : List.of("using existing layer sha256:" + from.digest(), "writing manifest", "success")) {
                line(out, json.createObjectNode().put("status", status));
            }
        }
    }

    /** A name without a tag means {@code latest}. */
    private static String model(JsonNode request) throws OllamaRefusal {
        String model = request.path("model").asText(request.path("name").asText(""));
        if (model.isEmpty()) {
            throw OllamaRefusal.bad("model is required");
        }
        return model.substring(model.lastIndexOf('/') + 1).contains(":") ? model : model + ":latest";
    }

    private Installed installed(String model) throws OllamaRefusal {
        return world.read(w -> runner.server(w).installed.stream().filter(m -> m.name().equals(model)).findFirst())
                .orElseThrow(() -> OllamaRefusal.notFound(model));
    }

    private static String shortName(Installed model) {
        return model.name().replaceFirst(":latest$", "");
    }

    private JsonNode body(HttpServerExchange exchange) throws IOException, OllamaRefusal {
        byte[] body = exchange.getInputStream().readAllBytes();
        if (body.length == 0) {
            throw OllamaRefusal.bad("missing request body");
        }
        try {
            return json.readTree(body);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw OllamaRefusal.bad("invalid character in request body: it is not JSON");
        }
    }

    private static void text(HttpServerExchange exchange, String text) {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain; charset=utf-8");
        exchange.getResponseSender().send(text, StandardCharsets.UTF_8);
    }

    private void send(HttpServerExchange exchange, ObjectNode body) throws IOException {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json; charset=utf-8");
        exchange.getResponseSender().send(json.writeValueAsString(body), StandardCharsets.UTF_8);
    }

    private static OutputStream ndjson(HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/x-ndjson");
        return exchange.getOutputStream();
    }

    private void line(OutputStream out, ObjectNode body) throws IOException {
        out.write((json.writeValueAsString(body) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
