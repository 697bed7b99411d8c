package dev.pitwall.link.helm;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Credentials;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.Route;

/** Fetches a file whole. Redirects are followed: makers keep their charts at other addresses than their lists. */
final class Download implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(8);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final long MOST_BYTES = 32L << 20;
    private static final String PROXY_SIGN_IN = "Proxy-Authorization";

    private final NetworkTrouble troubles;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("charts-", 0).factory());
    private final EnvironmentProxies proxies;
    private final OkHttpClient client;

    Download(NetworkTrouble troubles, EnvironmentProxies proxies) {
        this.troubles = troubles;
        this.proxies = proxies;
        this.client = new OkHttpClient.Builder().dispatcher(new Dispatcher(threads))
                .connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS))
                .proxySelector(proxies).proxyAuthenticator(this::signedIn)
                .connectTimeout(CONNECT).readTimeout(ANSWER).callTimeout(ANSWER).build();
    }

    /** @return {@code null}, as OkHttp has it, where there is nothing to sign in with, or it was refused */
    private Request signedIn(Route route, Response response) {
        Request request = response.request();
        Optional<String> user = proxies.variable(request.url().uri()).flatMap(proxies::proxy).map(URI::getUserInfo);
        if (user.isEmpty() || request.header(PROXY_SIGN_IN) != null) {
            return null;
        }
        String[] parts = user.get().split(":", 2);
        return request.newBuilder().header(PROXY_SIGN_IN, Credentials.basic(parts[0], parts.length > 1 ? parts[1] : ""))
                .build();
    }

    /** @param refused what is said of an answer that is no success, by its code */
    byte[] get(Place place, URI address, Function<String, TroubleException> refused)
            throws TroubleException, InterruptedException {
        refuseUnusable(place, address);
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
            throw failure(e.getCause(), place, address);
        }
    }

    private void refuseUnusable(Place place, URI address) throws TroubleException {
        Optional<String> unusable = proxies.variable(address).filter(variable -> proxies.proxy(variable).isEmpty());
        if (unusable.isPresent()) {
            throw troubles.words().failure(Kind.UNREADABLE, place, "helm.badproxy", "variable", unusable.get());
        }
    }

    private TroubleException failure(Throwable cause, Place place, URI address) {
        return switch (cause) {
            case TroubleException trouble -> trouble;
            case IOException e when proxies.variable(address).isPresent() -> throughProxy(e, place, address);
            case IOException e -> troubles.failure(e, place, ANSWER);
            default -> throw new IllegalStateException(cause);
        };
    }

    private TroubleException throughProxy(IOException e, Place place, URI address) {
        String variable = proxies.variable(address).orElseThrow();
        URI proxy = proxies.proxy(variable).orElseThrow();
        Place there = new Place(place.service(), place.name(), proxy.getHost(), EnvironmentProxies.port(proxy));
        String said = String.valueOf(e.getMessage()).contains("authenticate with proxy") ? troubles.words().text("helm.proxy.signin")
                : troubles.failure(e, there, ANSWER).trouble().what();
        return troubles.words().failure(Kind.CONNECT, place, "helm.proxy", "proxy", there.where(), "variable", variable, "said", said);
    }

    @Override
    public void close() {
        threads.shutdown();
        client.dispatcher().cancelAll();
        client.connectionPool().evictAll();
    }
}
