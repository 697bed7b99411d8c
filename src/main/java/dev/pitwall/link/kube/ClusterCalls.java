package dev.pitwall.link.kube;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.Words;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/** Requests of the wizard to an API server. Reads are asked again after a cut; a write is sent once. */
final class ClusterCalls implements AutoCloseable {
    /** Admission webhooks may take 30 s, the longest that Kubernetes allows one. */
    private static final Limits USUAL = new Limits(Duration.ofSeconds(8), Duration.ofSeconds(40));
    /** A model server answers the first question when it has loaded its model from the disk. */
    private static final Limits LOADING = new Limits(Duration.ofSeconds(8), Duration.ofMinutes(15));
    private static final String JSON_TEXT = "application/json";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NOT_SIGNED_IN = 401;
    private static final int MOST_SAID = 300;

    private final OpenServer open;
    private final Words words;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Door> door = Optional.empty();

    /** A server and the reader of it. */
    private record Door(ApiServer server, HttpReader http) {
    }

    ClusterCalls(OpenServer open, Words words) {
        this.open = open;
        this.words = words;
    }

    /** @return empty if there is no such object, or no such type */
    Optional<JsonNode> get(Asked asked, Function<HttpReader, HttpUrl> url) throws TroubleException, InterruptedException {
        try {
            return page(asked, JSON_TEXT, url);
        } catch (ApiRefusal refusal) {
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    /**
     * As {@link #get}, for whoever goes on after some refusals.
     *
     * @param accept in which form, as the HTTP header
     */
    Optional<JsonNode> page(Asked asked, String accept, Function<HttpReader, HttpUrl> url)
            throws ApiRefusal, TroubleException, InterruptedException {
        try {
            return Optional.of(json(asked, body(asked, http -> http.send(request(url.apply(http), accept).build()))));
        } catch (ApiRefusal refusal) {
            if (refusal.absent()) {
                return Optional.empty();
            }
            throw refusal;
        }
    }

    /** The text of an answer that is no object. */
    String text(Asked asked, Function<HttpReader, HttpUrl> url) throws TroubleException, InterruptedException {
        try {
            return body(asked, http -> http.send(new Request.Builder().url(url.apply(http)).build()));
        } catch (ApiRefusal refusal) {
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    /** @return the object that answers it */
    JsonNode send(String method, Asked asked, String type, JsonNode object, Function<HttpReader, HttpUrl> url)
            throws TroubleException, InterruptedException {
        try {
            return attempt(method, asked, type, object, url);
        } catch (ApiRefusal refusal) {
            throw new TroubleException(refusal.trouble(), refusal);
        }
    }

    /** As {@link #send}, for whoever goes on after some refusals. */
    JsonNode attempt(String method, Asked asked, String type, JsonNode object, Function<HttpReader, HttpUrl> url)
            throws ApiRefusal, TroubleException, InterruptedException {
        RequestBody body = RequestBody.create(object.toString(), MediaType.get(type));
        return json(asked, body(asked, http -> http.sendOnce(request(url.apply(http), JSON_TEXT).method(method, body).build())));
    }

    private static Request.Builder request(HttpUrl url, String accept) {
        return new Request.Builder().url(url).header("Accept", accept);
    }

    /** One exchange. */
    private interface Exchange {
        HttpAnswer with(HttpReader http) throws TroubleException, InterruptedException;
    }

    private String body(Asked asked, Exchange exchange) throws ApiRefusal, TroubleException, InterruptedException {
        Door through = door();
        HttpAnswer answer = answer(through, exchange);
        if (answer.status() == NOT_SIGNED_IN) {
            // Nothing was done. Its credentials may have been renewed meanwhile, in the files or by a plugin.
            open.reopenIfChanged();
            through = door();
            answer = answer(through, exchange);
        }
        if (!answer.ok()) {
            JsonNode status = status(answer);
            throw ApiRefusal.of(answer.status(), status,
                    new ClusterRefusals(through.server(), words).trouble(answer.status(), status, asked));
        }
        return answer.body();
    }

    private static HttpAnswer answer(Door through, Exchange exchange) throws TroubleException, InterruptedException {
        try {
            return exchange.with(through.http());
        } catch (TroubleException failed) {
            throw through.server().named(failed);
        }
    }

    private JsonNode json(Asked asked, String body) throws TroubleException {
        try {
            return JSON.readTree(body);
        } catch (JacksonException garbled) {
            throw new TroubleException(words.troubleBehind(Trouble.Kind.UNREADABLE, door().server().place(),
                    asked.where(), "answer.garbled"), garbled);
        }
    }

    private static JsonNode status(HttpAnswer answer) {
        try {
            JsonNode node = JSON.readTree(answer.body());
            return node != null && node.path("kind").asText().equals("Status") ? node : JSON.missingNode();
        } catch (JacksonException notJson) {
            return JSON.missingNode();
        }
    }

    /**
     * A request to what stands behind the API server's proxy.
     *
     * @param path with its query, for example {@code /api/tags}
     * @param body empty for a GET
     */
    String proxied(ProxyPath place, String verb, String path, Optional<String> body)
            throws TroubleException, InterruptedException {
        ApiServer server = door().server();
        try (HttpReader http = place.reader(server, Service.MODELS, place.name(), LOADING)) {
            Request.Builder request = new Request.Builder().url(at(http, path));
            body.ifPresent(text -> request.method(verb, RequestBody.create(text, MediaType.get("application/json"))));
            HttpAnswer answer = body.isPresent() ? http.sendOnce(request.build()) : http.send(request.build());
            if (!answer.ok()) {
                throw trouble(Trouble.Kind.REMOTE, place.where(), "kube.said", "code", Integer.toString(answer.status()),
                        "said", said(answer.body()));
            }
            return answer.body();
        }
    }

    private static HttpUrl at(HttpReader http, String path) {
        int query = path.indexOf('?');
        HttpUrl.Builder url = http.at((query < 0 ? path : path.substring(0, query)).replaceFirst("^/", ""));
        return (query < 0 ? url : url.encodedQuery(path.substring(query + 1))).build();
    }

    /** A model server puts its errors into {@code error}; others say them in plain text. */
    private static String said(String body) {
        String text = body;
        try {
            text = JSON.readTree(body).path("error").asText(body);
        } catch (JacksonException plain) {
            // It is the text itself.
        }
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() > MOST_SAID ? line.substring(0, MOST_SAID) + "…" : line;
    }

    /** A trouble of something behind this server. */
    TroubleException trouble(Trouble.Kind kind, String where, String key, String... values) throws TroubleException {
        return new TroubleException(words.troubleBehind(kind, door().server().place(), where, key, values));
    }

    private Door door() throws TroubleException {
        lock.lock();
        try {
            ApiServer server = open.server();
            if (door.filter(before -> before.server() == server).isEmpty()) {
                door.ifPresent(before -> before.http().close());
                door = Optional.of(new Door(server, new HttpReader(server.requests(), server.url("/").build(),
                        server.place(), USUAL, server.troubles())));
            }
            return door.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            door.ifPresent(one -> one.http().close());
            open.close();
        } finally {
            lock.unlock();
        }
    }
}
