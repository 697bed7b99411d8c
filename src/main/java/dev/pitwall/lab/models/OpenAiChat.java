package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.world.World;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** An answer in the form of OpenAI's chat completions, word by word or whole, at the model's pace. */
final class OpenAiChat {
    private final World world;
    private final Timings timings;
    private final ObjectMapper json = new ObjectMapper();

    /** Whether a whole answer says how long it took: llama-server's does, Ollama's in this form does not. */
    enum Timings { TOLD, NOT_TOLD }

    OpenAiChat(World world, Timings timings) {
        this.world = world;
        this.timings = timings;
    }

    /** What a client of that API asks. */
    static String prompt(JsonNode request) {
        StringBuilder text = new StringBuilder();
        request.path("messages").forEach(message -> text.append(message.path("content").asText()).append('\n'));
        return text.toString().strip();
    }

    /** How many words are wanted at most; 0 means that nothing was said. */
    static int most(JsonNode request) {
        return request.path("max_completion_tokens").asInt(request.path("max_tokens").asInt());
    }

    void send(HttpServerExchange exchange, JsonNode request, String model, Answering answering)
            throws IOException, InterruptedException {
        String id = "chatcmpl-" + UUID.randomUUID().toString().replace("-", "").substring(0, 24);
        Instant began = world.clock().instant().plusMillis(Math.round(1000 * answering.promptTokens()
                / answering.promptTokensPerSecond()));
        if (request.path("stream").asBoolean()) {
            stream(exchange, id, model, answering, began);
        } else {
            whole(exchange, id, model, answering, began);
        }
    }

    private void stream(HttpServerExchange exchange, String id, String model, Answering answering, Instant began)
            throws IOException, InterruptedException {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/event-stream");
        try (OutputStream out = exchange.getOutputStream()) {
            chunk(out, id, model, json.createObjectNode().put("role", "assistant").put("content", ""), "");
            for (int i = 0; i < answering.tokens().size(); i++) {
                world.clock().await(moment(answering, began, i));
                chunk(out, id, model, json.createObjectNode().put("content", answering.tokens().get(i)), "");
            }
            chunk(out, id, model, json.createObjectNode(), "stop");
            out.write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    private void whole(HttpServerExchange exchange, String id, String model, Answering answering, Instant began)
            throws IOException, InterruptedException {
        world.clock().await(moment(answering, began, answering.tokens().size() - 1));
        ObjectNode body = body(id, model, "chat.completion");
        ObjectNode choice = body.putArray("choices").addObject().put("index", 0).put("finish_reason", "stop");
        choice.putObject("message").put("role", "assistant").put("content", String.join("", answering.tokens()));
        body.putObject("usage").put("prompt_tokens", answering.promptTokens())
                .put("completion_tokens", answering.tokens().size())
                .put("total_tokens", answering.promptTokens() + answering.tokens().size());
        if (timings == Timings.TOLD) {
            body.putObject("timings").put("prompt_n", answering.promptTokens())
                    .put("prompt_ms", 1000 * answering.promptTokens() / answering.promptTokensPerSecond())
                    .put("prompt_per_second", answering.promptTokensPerSecond())
                    .put("predicted_n", answering.tokens().size())
                    .put("predicted_ms", 1000 * answering.tokens().size() / answering.tokensPerSecond())
                    .put("predicted_per_second", answering.tokensPerSecond());
        }
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json; charset=utf-8");
        exchange.getResponseSender().send(json.writeValueAsString(body), StandardCharsets.UTF_8);
    }

    private static Instant moment(Answering answering, Instant began, int token) {
        return began.plus(Duration.ofNanos(Math.round((token + 1) / answering.tokensPerSecond() * 1e9)));
    }

    private void chunk(OutputStream out, String id, String model, ObjectNode delta, String reason) throws IOException {
        ObjectNode body = body(id, model, "chat.completion.chunk");
        ObjectNode choice = body.putArray("choices").addObject().put("index", 0);
        choice.set("delta", delta);
        if (reason.isEmpty()) {
            choice.putNull("finish_reason");
        } else {
            choice.put("finish_reason", reason);
        }
        out.write(("data: " + json.writeValueAsString(body) + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private ObjectNode body(String id, String model, String object) {
        return json.createObjectNode().put("id", id).put("object", object)
                .put("created", world.clock().instant().getEpochSecond()).put("model", model);
    }
}
