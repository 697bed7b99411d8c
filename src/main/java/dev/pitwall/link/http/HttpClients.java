package dev.pitwall.link.http;

import dev.pitwall.link.trust.PinnedTrust;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;

import java.util.concurrent.TimeUnit;

/** Makes the HTTP clients of the links. Each has connections of its own, so that closing one link closes its sockets. */
public final class HttpClients {

    private HttpClients() {
    }

    /** The certificate is checked against its pin; no host name check then, since exactly one leaf is accepted. */
    public static OkHttpClient pinned(PinnedTrust trust) {
        return base().sslSocketFactory(trust.sockets(), trust)
                .hostnameVerifier((host, session) -> true)
                .build();
    }

    /** Plain HTTP, or TLS with the certificate authorities and the name check of the JDK. */
    public static OkHttpClient usual() {
        return base().build();
    }

    /** Closes the idle connections of a client; those in use close with their exchange. */
    public static void close(OkHttpClient client) {
        client.connectionPool().evictAll();
        client.dispatcher().executorService().shutdown();
    }

    private static OkHttpClient.Builder base() {
        // pveproxy closes an idle connection after 5 s (facts 1.1); keeping ours shorter saves a failed first write.
        return new OkHttpClient.Builder().connectionPool(new ConnectionPool(4, 4, TimeUnit.SECONDS));
    }
}
