package dev.pitwall.link.kube;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManager;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.site.ClusterAccess;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;

import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * One cluster's API server. client-java's {@link ApiClient} gives the transport, twice: one client without a read
 * timeout for watches, one with timeouts for requests. Each has its own connections, so that closing this closes them.
 *
 * <p>Opening it touches client-java's serializers, which takes a while the first time: never on the window's thread.
 */
final class ApiServer implements AutoCloseable {
    /** For one answer, a page of a list included. */
    static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Duration CONNECT = Duration.ofSeconds(8);
    private static final Duration PING = Duration.ofSeconds(20);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final MediaType JSON_TYPE = MediaType.get("application/json");

    private final String name;
    private final ServerTrust trust;
    private final SignIn signIn;
    private final OkHttpClient watches;
    private final OkHttpClient requests;
    private final NetworkTrouble troubles;
    private final InstantSource clock;

    private ApiServer(String name, ServerTrust trust, SignIn signIn, NetworkTrouble troubles, InstantSource clock) {
        this.name = name;
        this.trust = trust;
        this.signIn = signIn;
        this.troubles = troubles;
        this.clock = clock;
        // An HTTP/2 connection outlives its cancelled streams: one that carries no watch any more is closed at once.
        this.watches = client(Duration.ZERO, new ConnectionPool(0, 1, TimeUnit.SECONDS));
        this.requests = client(ANSWER, new ConnectionPool(signIn.renews() ? 0 : 4, 20, TimeUnit.SECONDS));
    }

    /**
     * Reads the kubeconfig; contacts nothing.
     *
     * @throws TroubleException if the kubeconfig cannot be used
     */
    static ApiServer open(ClusterAccess access, NetworkTrouble troubles, InstantSource clock)
            throws TroubleException {
        return open(KubeconfigReader.read(access.kubeconfigs()).target(access.context()), troubles, clock);
    }

    static ApiServer open(Kubeconfig.Target target, NetworkTrouble troubles, InstantSource clock)
            throws TroubleException {
        return new ApiServer(target.context().name(), ServerTrust.of(target.cluster()),
                SignIn.of(target, ExecPlugin.USUAL_LIMIT, clock), troubles, clock);
    }

    private OkHttpClient client(Duration readTimeout, ConnectionPool connections) {
        ClientBuilder builder = new ClientBuilder()
                .setBasePath(trust.base().toString())
                .setVerifyingSsl(!trust.skipVerify())
                .setReadTimeout(readTimeout)
                .setPingInterval(PING)
                .setAuthentication(client -> client.setKeyManagers(
                        new KeyManager[] {new PresentedIdentity(signIn::identity)}));
        trust.authority().ifPresent(builder::setCertificateAuthority);
        trust.tlsServerName().ifPresent(builder::setTlsServerName);
        OkHttpClient made = builder.build().getHttpClient();
        OkHttpClient.Builder own = made.newBuilder()
                .connectTimeout(CONNECT)
                .connectionPool(connections)
                .followRedirects(false)
                .proxy(trust.proxy())
                .addInterceptor(signIn)
                .authenticator(signIn);
        trust.proxyLogin().ifPresent(login -> own.proxyAuthenticator((route, response) ->
                response.request().header("Proxy-Authorization") != null ? null
                        : response.request().newBuilder().header("Proxy-Authorization", login).build()));
        trust.tlsServerName().ifPresent(server -> own.sslSocketFactory(
                new NamedSockets(made.sslSocketFactory(), server), made.x509TrustManager()));
        if (signIn.renews()) {
            // A new client certificate needs a new connection, and HTTP/2 would go on with the old one.
            own.protocols(List.of(Protocol.HTTP_1_1));
        }
        return own.build();
    }

    /** The context's name. */
    String name() {
        return name;
    }

    String where() {
        return name + " (" + trust.base().host() + ":" + trust.base().port() + ")";
    }

    Place place() {
        return new Place(Service.CLUSTER, name, trust.base().host(), trust.base().port());
    }

    ServerTrust trust() {
        return trust;
    }

    SignIn signIn() {
        return signIn;
    }

    NetworkTrouble troubles() {
        return troubles;
    }

    /** The client for requests, with connections, sign-in and trust of this server; not to be closed by others. */
    OkHttpClient requests() {
        return requests;
    }

    /** @param path begins with a slash; a path in the server's own address is kept before it */
    HttpUrl.Builder url(String path) {
        HttpUrl.Builder url = trust.base().newBuilder();
        if (trust.base().pathSegments().getLast().isEmpty()) {
            url.removePathSegment(trust.base().pathSize() - 1);
        }
        return url.addEncodedPathSegments(path.substring(1));
    }

    /** A call that is not bounded by a read timeout; the caller bounds it. */
    Call watch(HttpUrl url) {
        return watches.newCall(new Request.Builder().url(url).header("Accept", "application/json").build());
    }

    Call request(HttpUrl url) {
        return requests.newCall(new Request.Builder().url(url).header("Accept", "application/json").build());
    }

    /**
     * Sends a call.
     *
     * @param asked what was asked, after "not allowed to", for example {@code list pods in all namespaces}
     * @return a successful answer, to be closed by the caller
     * @throws ApiRefusal       for every other answer
     * @throws TroubleException if there is no answer
     */
    Response send(Call call, String asked) throws ApiRefusal, TroubleException {
        Response response;
        try {
            response = call.execute();
        } catch (IOException failed) {
            throw trouble(failed);
        }
        if (response.isSuccessful()) {
            return response;
        }
        try (response) {
            throw ApiRefusal.of(response, this, asked);
        } catch (IOException failed) {
            throw trouble(failed);
        }
    }

    /** Sends an object and reads the object that answers it. */
    JsonNode post(String path, JsonNode object, String asked) throws ApiRefusal, TroubleException {
        Request request = new Request.Builder().url(url(path).build()).header("Accept", "application/json")
                .post(RequestBody.create(object.toString(), JSON_TYPE)).build();
        return read(requests.newCall(request), asked);
    }

    /** Replaces an object by one with its version, and reads the object that answers it. */
    JsonNode put(String path, JsonNode object, String asked) throws ApiRefusal, TroubleException {
        Request request = new Request.Builder().url(url(path).build()).header("Accept", "application/json")
                .put(RequestBody.create(object.toString(), JSON_TYPE)).build();
        return read(requests.newCall(request), asked);
    }

    /** Asks for one small object. */
    JsonNode get(String path, String asked) throws ApiRefusal, TroubleException {
        return read(request(url(path).build()), asked);
    }

    /** Asks for one small object at an address with a query. */
    JsonNode read(HttpUrl url, String asked) throws ApiRefusal, TroubleException {
        return read(request(url), asked);
    }

    private JsonNode read(Call call, String asked) throws ApiRefusal, TroubleException {
        try (Response response = send(call, asked)) {
            return JSON.readTree(response.body().byteStream());
        } catch (IOException cut) {
            throw trouble(cut);
        }
    }

    /** The trouble behind a failed exchange. */
    TroubleException trouble(IOException failed) {
        if (trust.authority().isEmpty() && NetworkTrouble.isOfUnknownAuthority(failed)) {
            return named(troubles.words().failure(Trouble.Kind.TLS, place(), "tls.noauthority"));
        }
        return named(troubles.failure(failed, place(), ANSWER));
    }

    /** A trouble of this server's socket, with the context's name and with what helps on a copied kubeconfig. */
    TroubleException named(TroubleException failed) {
        Trouble trouble = failed.trouble();
        if (!trouble.where().equals(place().where())) {
            return failed;
        }
        return new TroubleException(new Trouble(trouble.kind(), where(), trouble.what(), next(trouble)), failed);
    }

    private String next(Trouble trouble) {
        boolean elsewhere = trust.loopback()
                && (trouble.kind() == Trouble.Kind.CONNECT || trouble.kind() == Trouble.Kind.TIMEOUT);
        return elsewhere ? "Check that the cluster runs on this machine; if it runs elsewhere, replace "
                + trust.base().host() + " in the kubeconfig by the address of its server node." : trouble.next();
    }

    /** The trouble of a sign-in that was not accepted. */
    Trouble refused() {
        return signIn.expired(clock.instant(), where()).orElseGet(() -> new Trouble(Trouble.Kind.CREDENTIALS, where(),
                "it does not accept the sign-in (" + signIn.text() + ")", signIn.afterRefusal()));
    }

    /**
     * Ends every call and closes what is idle. A connection becomes idle only when the thread that used it has seen
     * the end of its call, so a second close after those threads have ended leaves nothing.
     */
    @Override
    public void close() {
        for (OkHttpClient client : List.of(watches, requests)) {
            client.dispatcher().cancelAll();
            client.dispatcher().executorService().shutdown();
            client.connectionPool().evictAll();
        }
    }
}
