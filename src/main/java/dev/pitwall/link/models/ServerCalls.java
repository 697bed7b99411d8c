package dev.pitwall.link.models;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.live.ModelName;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/** Calls to one model server, and its refusals in Pitwall's words. */
final class ServerCalls implements AutoCloseable {
    static final int UNKNOWN = 404;
    static final int BUSY = 503;
    static final int BAD = 400;
    /** A model of a hundred gigabytes comes from a slow disk in that time. Whoever waits ends it sooner by interrupting. */
    private static final Limits LOADING = new Limits(Duration.ofSeconds(8), Duration.ofMinutes(30));
    /** Without a word: while it checks what it has fetched, Ollama says nothing, for minutes with a large model. */
    private static final Limits PULLING = new Limits(Duration.ofSeconds(8), Duration.ofMinutes(15));
    private static final int MOST_SAID = 300;
    private static final MediaType JSON_TYPE = MediaType.get("application/json");

    private final ServerWay way;
    private final Limits reading;
    private final ObjectMapper mapper = new ObjectMapper();

    ServerCalls(ServerWay way, Limits reading) {
        this.way = way;
        this.reading = reading;
    }

    HttpReader reading() throws TroubleException {
        return way.reader(reading);
    }

    /** Asks for one JSON answer. */
    JsonNode get(String path) throws TroubleException, InterruptedException {
        try (HttpReader http = reading()) {
            return http.json(good(http, http.get(path), path));
        }
    }

    /** Sends a short question with a body; an answer of any status is no trouble here. */
    HttpAnswer ask(String path, JsonNode body) throws TroubleException, InterruptedException {
        try (HttpReader http = reading()) {
            return http.sendOnce(post(http, path, body));
        }
    }

    /** The same for what may take as long as a load does. Interrupting closes the connection, which ends the load. */
    HttpAnswer askLong(String path, JsonNode body) throws TroubleException, InterruptedException {
        try (HttpReader http = way.reader(LOADING)) {
            return http.sendOnce(post(http, path, body));
        }
    }

    /** Sends once and hands on the answer line by line as it comes. */
    HttpAnswer stream(String path, JsonNode body, Consumer<String> line) throws TroubleException, InterruptedException {
        try (HttpReader http = way.reader(PULLING)) {
            return http.lines(post(http, path, body), line);
        }
    }

    /** Listens to a stream, line by line, until it ends or the thread is interrupted. */
    void follow(String path, Consumer<String> line) throws TroubleException, InterruptedException {
        try (HttpReader http = way.reader(PULLING)) {
            good(http, http.lines(new Request.Builder().url(http.at(path).build()).build(), line), path);
        }
    }

    private static Request post(HttpReader http, String path, JsonNode body) {
        return new Request.Builder().url(http.at(path).build()).post(RequestBody.create(body.toString(), JSON_TYPE)).build();
    }

    ObjectNode body(ModelName model) {
        return JsonNodeFactory.instance.objectNode().put("model", model.text());
    }

    JsonNode json(String text) {
        try {
            return mapper.readTree(text);
        } catch (JacksonException garbled) {
            return mapper.missingNode();
        }
    }

    /** @return the answer if it is a good one */
    HttpAnswer good(HttpReader http, HttpAnswer answer, String about) throws TroubleException {
        if (answer.ok()) {
            return answer;
        }
        throw switch (answer.status()) {
            case 401, 403 -> failure(http, Kind.CREDENTIALS, "models.login", "status", Integer.toString(answer.status()));
            case UNKNOWN -> failure(http, Kind.MISSING, "models.unknown", "model", about);
            case BUSY -> failure(http, Kind.BUSY, "models.busy");
            default -> failure(http, Kind.REMOTE, "models.said", "said", said(answer));
        };
    }

    void good(HttpAnswer answer, ModelName model) throws TroubleException {
        if (!answer.ok()) {
            try (HttpReader http = reading()) {
                good(http, answer, model.text());
            }
        }
    }

    /** Ollama has a text in {@code error}, llama-server an object with a message. */
    String said(HttpAnswer answer) {
        JsonNode error = json(answer.body()).path("error");
        String text = error.isTextual() ? error.asText() : error.path("message").asText(answer.body());
        return cut(text.isBlank() ? (answer.status() + " " + answer.reason()).strip() : text);
    }

    static String cut(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() > MOST_SAID ? line.substring(0, MOST_SAID) + "…" : line;
    }

    TroubleException failure(HttpReader http, Kind kind, String key, String... values) {
        return http.troubles().words().failure(kind, http.place(), key, values);
    }

    TroubleException failure(Kind kind, String key, String... values) throws TroubleException {
        try (HttpReader http = reading()) {
            return failure(http, kind, key, values);
        }
    }

    /** Whether something has come about. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws TroubleException, InterruptedException;
    }

    /**
     * Asks again and again. A question that is not answered is asked again too: a poll can stall.
     *
     * @return false when the time was over
     */
    static boolean await(Condition condition, Duration pace, Duration limit) throws TroubleException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                if (condition.holds()) {
                    return true;
                }
            } catch (TroubleException missed) {
                if (System.nanoTime() > end) {
                    throw missed;
                }
            }
            if (System.nanoTime() > end) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(pace.toNanos());
        }
    }

    @Override
    public void close() {
        way.close();
    }
}
