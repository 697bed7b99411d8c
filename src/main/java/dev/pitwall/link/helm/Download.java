package dev.pitwall.link.helm;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Fetches a file whole. Redirects are followed: makers keep their charts at other addresses than their lists. */
final class Download implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(8);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final long MOST_BYTES = 32L << 20;

    private final NetworkTrouble troubles;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("charts-", 0).factory());
    private final OkHttpClient client = new OkHttpClient.Builder().dispatcher(new Dispatcher(threads))
            .connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS))
            .connectTimeout(CONNECT).readTimeout(ANSWER).callTimeout(ANSWER).build();

    Download(NetworkTrouble troubles) {
        this.troubles = troubles;
    }

    /** @param refused what is said of an answer that is no success, by its code */
    byte[] get(Place place, URI address, Function<String, TroubleException> refused)
            throws TroubleException, InterruptedException {
        Call call = client.newCall(new Request.Builder().url(address.toString()).build());
        CompletableFuture<byte[]> whole = new CompletableFuture<>();
        call.enqueue(new Callback() {
            @Override
            public void onFailure(Call failed, IOException e) {
                whole.completeExceptionally(e);
            }

            @Override
            public void onResponse(Call answered, Response response) {
                try (response) {
                    if (!response.isSuccessful()) {
                        whole.completeExceptionally(refused.apply(Integer.toString(response.code())));
                    } else if (response.body().source().request(MOST_BYTES + 1)) {
                        whole.completeExceptionally(troubles.words().failure(Kind.UNREADABLE, place, "answer.endless"));
                    } else {
                        whole.complete(response.body().bytes());
                    }
                } catch (IOException e) {
                    whole.completeExceptionally(e);
                }
            }
        });
        try {
            return whole.get();
        } catch (InterruptedException e) {
            call.cancel();
            throw e;
        } catch (ExecutionException e) {
            throw failure(e.getCause(), place);
        }
    }

    private TroubleException failure(Throwable cause, Place place) {
        return switch (cause) {
            case TroubleException trouble -> trouble;
            case IOException e -> troubles.failure(e, place, ANSWER);
            default -> throw new IllegalStateException(cause);
        };
    }

    @Override
    public void close() {
        threads.shutdown();
        client.dispatcher().cancelAll();
        client.connectionPool().evictAll();
    }
}
