package dev.pitwall.lab.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.net.ClientPresence;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Answer;
import dev.pitwall.lab.world.LabModelServer.Loaded;
import dev.pitwall.lab.world.World;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Function;

/**
 * A llama-server router over HTTP (facts: models.md 5.3). A load answers at once and is followed by polling or by events;
 * other calls are passed on to the process of the model they name, which is loaded for them.
 */
final class RouterApi implements HttpHandler {
    /** How often a listener is told of progress, in real time. */
    private static final Duration EVENTS = Duration.ofMillis(50);

    private final World world;
    private final String name;
    private final Router router;
    private final ModelLibrary library;
    private final RouterJson shapes;
    private final OpenAiChat chat;
    private final ObjectMapper json = new ObjectMapper();

    RouterApi(World world, String name, Router router, ModelLibrary library) {
        this.world = world;
        this.name = name;
        this.router = router;
        this.library = library;
        this.shapes = new RouterJson(library);
        this.chat = new OpenAiChat(world, OpenAiChat.Timings.TOLD);
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws IOException, InterruptedException {
        router.settle();
        try {
            answer(exchange, exchange.getRequestMethod() + " " + exchange.getRequestPath());
        } catch (RouterRefusal e) {
            exchange.setStatusCode(e.code());
            send(exchange, shapes.error(e));
        }
    }

    private void answer(HttpServerExchange exchange, String call) throws IOException, RouterRefusal, InterruptedException {
        switch (call) {
            case "GET /health", "GET /v1/health" -> send(exchange, shapes.object().put("status", "ok"));
            case "GET /models", "GET /v1/models" -> {
                if (query(exchange, "reload").filter("1"::equals).isPresent()) {
                    world.change(w -> router.server(w).ifPresent(server -> server.reloads++));
                }
                send(exchange, server(server -> shapes.list(server, world.clock().instant())));
            }
            case "POST /models" -> {
                router.download(model(body(exchange)));
                success(exchange);
            }
            case "DELETE /models" -> {
                router.delete(query(exchange, "model").orElseThrow(RouterApi::nameMissing));
                success(exchange);
            }
            case "POST /models/load" -> {
                router.load(model(body(exchange)));
                success(exchange);
            }
            case "POST /models/unload" -> {
                router.unload(model(body(exchange)));
                success(exchange);
            }
            case "GET /models/sse" -> events(exchange);
            case "GET /props" -> props(exchange);
            case "GET /slots" -> slots(exchange);
            case "GET /metrics" -> throw RouterRefusal.unsupported("This server does not support metrics endpoint.");
            case "POST /v1/chat/completions", "POST /chat/completions" -> chat(exchange, body(exchange));
            case "POST /v1/embeddings", "POST /embeddings", "POST /completion", "POST /v1/completions" -> throw
                    RouterRefusal.unsupported("the practice lab's llama-server answers chats only");
            default -> throw RouterRefusal.noSuchFile();
        }
    }

    private void events(HttpServerExchange exchange) throws IOException, InterruptedException {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/event-stream");
        ClientPresence client = new ClientPresence(exchange);
        RouterEvents events = new RouterEvents(world, router, shapes);
        try (OutputStream out = exchange.getOutputStream()) {
            out.flush();
            while (!client.hasHungUp() && world.read(w -> router.server(w).isPresent())) {
                for (JsonNode event : events.next()) {
                    out.write(("data: " + json.writeValueAsString(event) + "\n\n").getBytes(StandardCharsets.UTF_8));
                }
                out.flush();
                Thread.sleep(EVENTS);
            }
        }
    }

    private void props(HttpServerExchange exchange) throws IOException, RouterRefusal, InterruptedException {
        Optional<String> model = query(exchange, "model");
        if (model.isEmpty()) {
            send(exchange, server(shapes::props));
            return;
        }
        forModel(exchange, model.get(), loaded -> server(server -> shapes.props(server, loaded)));
    }

    private void slots(HttpServerExchange exchange) throws IOException, RouterRefusal, InterruptedException {
        String model = query(exchange, "model").orElseThrow(RouterApi::nameMissing);
        forModel(exchange, model, loaded -> world.read(w -> {
            // The question itself takes no slot.
            loaded.busy--;
            JsonNode slots = shapes.slots(loaded, w.clock().instant());
            loaded.busy++;
            return slots;
        }));
    }

    private void forModel(HttpServerExchange exchange, String model, Function<Loaded, JsonNode> look)
            throws IOException, RouterRefusal, InterruptedException {
        Router.Autoload autoload = query(exchange, "autoload").filter(value -> value.equals("false") || value.equals("0"))
                .isPresent() ? Router.Autoload.NO : Router.Autoload.YES;
        Loaded loaded = router.acquire(model, autoload, new ClientPresence(exchange));
        try {
            send(exchange, look.apply(loaded));
        } finally {
            router.release(loaded);
        }
    }

    private void chat(HttpServerExchange exchange, JsonNode request)
            throws IOException, RouterRefusal, InterruptedException {
        Loaded loaded = router.acquire(model(request), Router.Autoload.YES, new ClientPresence(exchange));
        try {
            Answering answering = world.read(w -> Answering.of(library, loaded.model, w.cards.get(w.servers.get(name).card),
                    CardRoom.share(w, w.servers.get(name), loaded), OpenAiChat.prompt(request), OpenAiChat.most(request)));
            Answer answer = begin(loaded, answering);
            try {
                chat.send(exchange, request, loaded.model.name(), answering);
            } finally {
                world.change(_ -> loaded.answers.remove(answer));
            }
        } finally {
            router.release(loaded);
        }
    }

    private Answer begin(Loaded loaded, Answering answering) {
        Answer[] begun = new Answer[1];
        world.change(w -> {
            begun[0] = new Answer(++loaded.tasks, w.clock().instant().plusMillis(Math.round(1000 * answering.promptTokens()
                    / answering.promptTokensPerSecond())), answering.tokensPerSecond(), answering.tokens().size());
            loaded.answers.add(begun[0]);
        });
        return begun[0];
    }

    private <T> T server(Function<LabModelServer, T> look) {
        return world.read(w -> look.apply(router.server(w).orElseThrow(() ->
                new IllegalStateException("the model server has gone"))));
    }

    private static RouterRefusal nameMissing() {
        return RouterRefusal.bad("model name is missing from the request");
    }

    private static String model(JsonNode request) throws RouterRefusal {
        String model = request.path("model").asText("");
        if (model.isEmpty()) {
            throw nameMissing();
        }
        return model;
    }

    private static Optional<String> query(HttpServerExchange exchange, String key) {
        return Optional.ofNullable(exchange.getQueryParameters().get(key)).map(Deque::getFirst).filter(v -> !v.isEmpty());
    }

    private JsonNode body(HttpServerExchange exchange) throws IOException, RouterRefusal {
        try {
            return json.readTree(exchange.getInputStream().readAllBytes());
        } catch (JsonProcessingException e) {
            throw RouterRefusal.bad("parse error: the request body is not JSON");
        }
    }

    private void success(HttpServerExchange exchange) throws IOException {
        send(exchange, shapes.object().put("success", true));
    }

    private void send(HttpServerExchange exchange, JsonNode body) throws IOException {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json; charset=utf-8");
        exchange.getResponseSender().send(json.writeValueAsString(body), StandardCharsets.UTF_8);
    }
}
