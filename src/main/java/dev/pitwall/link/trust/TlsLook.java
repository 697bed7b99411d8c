package dev.pitwall.link.trust;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.Limits;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Optional;

/** Looks at the certificate a server shows, and sends nothing after the handshake. */
public final class TlsLook {
    private final NetworkTrouble troubles;
    private final Limits limits;

    /** @param limits of a connection, and of an answer for each read of the handshake */
    public TlsLook(NetworkTrouble troubles, Limits limits) {
        this.troubles = troubles;
        this.limits = limits;
    }

    /**
     * @param protocol for example {@code 1.3}
     * @param refusal  why the certificate is not trusted; empty if it is
     */
    public record Seen(String protocol, ShownCertificate certificate, Optional<Trouble> refusal) {
    }

    /**
     * @throws TroubleException if no certificate was shown at all
     */
    public Seen look(InetAddress address, Place place, PinnedTrust trust) throws TroubleException {
        try {
            handshake(address, place, trust.sockets(), HostName.ANY);
            return seen(trust, Optional.empty());
        } catch (IOException e) {
            TroubleException failure = failure(e, place);
            if (trust.shown().isEmpty()) {
                throw failure;
            }
            return seen(trust, Optional.of(failure.trouble()));
        }
    }

    /**
     * Checks certificate and host name as the JDK does.
     *
     * @return for example {@code 1.3}
     */
    public String trusted(InetAddress address, Place place) throws TroubleException {
        try {
            SSLSocketFactory sockets = (SSLSocketFactory) SSLSocketFactory.getDefault();
            return version(handshake(address, place, sockets, HostName.CHECKED));
        } catch (IOException e) {
            throw failure(e, place);
        }
    }

    private TroubleException failure(IOException e, Place place) {
        boolean mute = e instanceof SocketTimeoutException && !String.valueOf(e.getMessage()).startsWith("Connect");
        return mute ? troubles.words().failure(Trouble.Kind.TIMEOUT, place, "tls.mute", "seconds",
                NetworkTrouble.seconds(limits.answer())) : troubles.failure(e, place, limits.connect());
    }

    private enum HostName { ANY, CHECKED }

    private String handshake(InetAddress address, Place place, SSLSocketFactory sockets, HostName names)
            throws IOException {
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(address, place.port()), (int) limits.connect().toMillis());
            plain.setSoTimeout((int) limits.answer().toMillis());
            SSLSocket tls = (SSLSocket) sockets.createSocket(plain, place.socketHost(), place.port(), true);
            try (tls) {
                if (names == HostName.CHECKED) {
                    SSLParameters parameters = tls.getSSLParameters();
                    parameters.setEndpointIdentificationAlgorithm("HTTPS");
                    tls.setSSLParameters(parameters);
                }
                tls.startHandshake();
                return tls.getSession().getProtocol();
            }
        }
    }

    private static Seen seen(PinnedTrust trust, Optional<Trouble> refusal) {
        PinnedTrust.Handshake shown = trust.shown().orElseThrow();
        return new Seen(version(shown.protocol()), shown.certificate(), refusal);
    }

    private static String version(String protocol) {
        return protocol.replace("TLSv", "");
    }
}
