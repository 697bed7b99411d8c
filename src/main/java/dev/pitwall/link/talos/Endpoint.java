package dev.pitwall.link.talos;

import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** One endpoint of a talosconfig and the connection to it, which is made at the first call. */
final class Endpoint implements AutoCloseable {
    private static final int USUAL_PORT = 50000;
    /** A kernel log or a configuration may be larger than gRPC's usual 4 MiB. */
    private static final int MOST_BYTES = 32 << 20;

    private final Place place;
    private final ManagedChannel channel;

    Endpoint(String address, String context, ChannelCredentials credentials, Executor threads) {
        this.place = place(address, context);
        this.channel = OkHttpChannelBuilder.forTarget("dns:///" + place.where(), credentials).executor(threads)
                .maxInboundMessageSize(MOST_BYTES).build();
    }

    /** An IPv6 address has its port behind brackets. */
    private static Place place(String address, String context) {
        int colon = address.lastIndexOf(':');
        boolean port = colon > 0 && address.indexOf(':') == colon || address.contains("]:");
        return port ? new Place(Service.TALOS, context, address.substring(0, colon).replaceAll("[\\[\\]]", ""),
                Integer.parseInt(address.substring(colon + 1)))
                : new Place(Service.TALOS, context, address.replaceAll("[\\[\\]]", ""), USUAL_PORT);
    }

    Place place() {
        return place;
    }

    /** One that failed is dialled again at once: whoever calls has waited himself. */
    ManagedChannel channel() {
        channel.resetConnectBackoff();
        return channel;
    }

    /** The client's certificate, and the cluster's authority and no other. */
    static ChannelCredentials credentials(Talosconfig config) {
        try {
            KeyStore keys = empty();
            keys.setKeyEntry("client", config.identity().key(), new char[0],
                    config.identity().chain().toArray(Certificate[]::new));
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys, new char[0]);
            KeyStore authorities = empty();
            for (int i = 0; i < config.authority().size(); i++) {
                authorities.setCertificateEntry("ca" + i, config.authority().get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            return TlsChannelCredentials.newBuilder().keyManager(own.getKeyManagers())
                    .trustManager(trust.getTrustManagers()).build();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JDK cannot hold a certificate that it has read", e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        return store;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        try {
            channel.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
