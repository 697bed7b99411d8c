package dev.pitwall.link.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okio.BufferedSource;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks one HTTP server. Redirects are answers, not followed: a login page behind one must be seen as such. An exchange
 * runs on a virtual thread of this reader, so that interrupting the caller ends it at once, whatever thread that is.
 */
public final class HttpReader implements AutoCloseable {
    /** No answer Pitwall reads comes near this; it guards memory against an endless one. */
    private static final long MAX_BODY_BYTES = 32L << 20;

    private final OkHttpClient client;
    private final OkHttpClient once;
    private final HttpUrl base;
    private final Place place;
    private final Limits limits;
    private final NetworkTrouble troubles;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("http-", 0).factory());
    private final ObjectMapper mapper = new ObjectMapper();

    /**
     * @param shared its connections, interceptors and trust are used; it is never closed by this reader
     * @param base   every path is under it; a path of its own, such as that of the API server's proxy, is kept
     */
    public HttpReader(OkHttpClient shared, HttpUrl base, Place place, Limits limits, NetworkTrouble troubles) {
        this.base = base;
        this.place = place;
        this.limits = limits;
        this.troubles = troubles;
        this.client = shared.newBuilder()
                .dispatcher(new Dispatcher(threads))
                .protocols(List.of(Protocol.HTTP_1_1))
                .followRedirects(false)
                .followSslRedirects(false)
                .connectTimeout(limits.connect())
                .readTimeout(limits.answer())
                .writeTimeout(limits.answer())
                .callTimeout(limits.answer())
                .build();
        this.once = client.newBuilder().connectionPool(new ConnectionPool(0, 1, TimeUnit.NANOSECONDS))
                .retryOnConnectionFailure(false).build();
    }

    public Place place() {
        return place;
    }

    public NetworkTrouble troubles() {
        return troubles;
    }

    /** @param path relative, already safe to put into a URL, for example {@code api/version} */
    public HttpUrl.Builder at(String path) {
        return base.newBuilder().addPathSegments(path);
    }

    public HttpAnswer get(String path) throws TroubleException, InterruptedException {
        return send(new Request.Builder().url(at(path).build()).build());
    }

    /**
     * Sends a request and reads the whole answer. A read that is cut is asked once more, on a new connection.
     *
     * @throws TroubleException if there is no whole answer; an answer of any status is no trouble here
     */
    public HttpAnswer send(Request request) throws TroubleException, InterruptedException {
        try {
            return exchange(client, request);
        } catch (ExecutionException e) {
            if (!request.method().equals("GET") || threads.isShutdown() || !NetworkTrouble.isCut(e.getCause())) {
                throw failure(e.getCause());
            }
        }
        try {
            return exchange(client, request);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /**
     * Sends a request that must not be made twice: never again after a cut, and on a connection of its own, since one
     * that was kept may have been closed by the server just before.
     *
     * @throws TroubleException if there is no whole answer; the request may have been carried out all the same
     */
    public HttpAnswer sendOnce(Request request) throws TroubleException, InterruptedException {
        try {
            return exchange(once, request);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /**
     * Sends a request once and hands on a good answer line by line while it comes. The time limit is for silence here, not
     * for the whole. An answer of another status is read whole; one that is good has no body left.
     *
     * @param line called on a thread of this reader
     */
    public HttpAnswer lines(Request request, Consumer<String> line) throws TroubleException, InterruptedException {
        try {
            return exchange(once.newBuilder().callTimeout(Duration.ZERO).build(), request,
                    response -> response.isSuccessful() ? handOn(response, line) : read(response));
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    private static HttpAnswer handOn(Response response, Consumer<String> line) throws IOException {
        BufferedSource source = response.body().source();
        for (String next = source.readUtf8Line(); next != null; next = source.readUtf8Line()) {
            if (!next.isBlank()) {
                line.accept(next);
            }
        }
        return new HttpAnswer(response.code(), response.message(), header(response, "Content-Type"),
                header(response, "Server"), header(response, "Location"), "");
    }

    /** Makes an answer of a response. */
    private interface Reading {
        HttpAnswer of(Response response) throws IOException, TroubleException;
    }

    private HttpAnswer exchange(OkHttpClient through, Request request) throws ExecutionException, InterruptedException {
        return exchange(through, request, this::read);
    }

    private static HttpAnswer exchange(OkHttpClient through, Request request, Reading reading)
            throws ExecutionException, InterruptedException {
        Call call = through.newCall(request);
        CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
        call.enqueue(new Callback() {
            @Override
            public void onFailure(Call failed, IOException e) {
                answer.completeExceptionally(e);
            }

            @Override
            public void onResponse(Call answered, Response response) {
                try (response) {
                    answer.complete(reading.of(response));
                } catch (IOException | TroubleException | RuntimeException e) {
                    answer.completeExceptionally(e);
                }
            }
        });
        try {
            return answer.get();
        } catch (InterruptedException e) {
            call.cancel();
            throw e;
        }
    }

    private TroubleException failure(Throwable cause) {
        if (threads.isShutdown()) {
            return troubles.words().failure(Kind.CONNECT, place, "network.closed");
        }
        return switch (cause) {
            case TroubleException trouble -> trouble;
            case SocketTimeoutException e when NetworkTrouble.isUnconnected(e) ->
                    troubles.failure(e, place, limits.connect());
            case Exception e -> troubles.failure(e, place, limits.answer());
            default -> throw new IllegalStateException(cause);
        };
    }

    private HttpAnswer read(Response response) throws IOException, TroubleException {
        BufferedSource source = response.body().source();
        if (source.request(MAX_BODY_BYTES + 1)) {
            throw troubles.words().failure(Kind.UNREADABLE, place, "answer.endless");
        }
        return new HttpAnswer(response.code(), response.message(), header(response, "Content-Type"),
                header(response, "Server"), header(response, "Location"), response.body().string());
    }

    private static String header(Response response, String name) {
        String value = response.header(name);
        return value == null ? "" : value;
    }

    /** Reads the body as JSON. */
    public JsonNode json(HttpAnswer answer) throws TroubleException {
        try {
            JsonNode node = mapper.readTree(answer.body());
            if (node == null || node.isMissingNode()) {
                throw troubles.words().failure(Kind.UNREADABLE, place, "answer.empty");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw troubles.failure(e, place, limits.answer());
        }
    }

    /** Ends the exchanges in progress and this reader's idle threads; connections stay with the shared client. */
    @Override
    public void close() {
        threads.shutdown();
        client.dispatcher().cancelAll();
    }
}
