package dev.pitwall.link.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.engine.live.ServerDriver.Pace;
import dev.pitwall.link.http.HttpAnswer;

/** What a model is asked to find out how fast it is: always the same, with an answer that is longer than what is read. */
final class Question {
    static final String TEXT = "Write the numbers from one to one hundred as words, separated by commas, and nothing else.";
    /** Enough to tell on a card, and a quarter of a minute at 4 tokens a second. */
    static final int TOKENS = 64;
    /** An answer that ends sooner says little. */
    private static final int FEWEST = 8;
    private static final double MILLIS = 1000;

    private Question() {
    }

    /** In OpenAI's form; llama-server adds how long it took ({@code timings}: llama.cpp tools/server/README.md). */
    static Pace ofChat(ServerCalls calls, ModelName model) throws TroubleException, InterruptedException {
        ObjectNode body = calls.body(model).put("stream", false).put("max_tokens", TOKENS).put("temperature", 0);
        body.putArray("messages").addObject().put("role", "user").put("content", TEXT);
        HttpAnswer answer = calls.askLong("v1/chat/completions", body);
        calls.good(answer, model);
        JsonNode timings = calls.json(answer.body()).path("timings");
        return pace(calls, model, timings.path("predicted_n").asLong(), timings.path("predicted_ms").asDouble() / MILLIS);
    }

    static Pace pace(ServerCalls calls, ModelName model, long tokens, double seconds) throws TroubleException {
        if (tokens < FEWEST || seconds <= 0) {
            throw calls.failure(Kind.UNREADABLE, "models.untimed", "model", model.text(), "tokens", Long.toString(tokens));
        }
        return new Pace(tokens, tokens / seconds);
    }
}
