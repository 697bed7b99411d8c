package dev.pitwall.link.trust;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The one place where failures of sockets, TLS and JSON become troubles. */
public final class NetworkTrouble {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkTrouble.class);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ENGLISH);

    private final Words words;

    public NetworkTrouble(Words words) {
        this.words = words;
    }

    public Words words() {
        return words;
    }

    /**
     * The trouble behind a failed exchange, ready to be thrown; the cause stays attached for the log.
     *
     * @param limit the time limit that held, for the sentence about it
     */
    public TroubleException failure(Exception cause, Place place, Duration limit) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (t instanceof CarriedTrouble carried) {
                return carried.trouble();
            }
        }
        Trouble trouble = recognise(cause, place, limit);
        LOG.debug("{}", trouble.sentence(), cause);
        return new TroubleException(trouble, cause);
    }

    /**
     * True if the other side ended a connection under an exchange. A server may do so at any time, for example pveproxy
     * when it renews its workers; what only reads may then be asked again.
     */
    public static boolean isCut(Throwable failure) {
        return switch (failure) {
            case ConnectException e -> false;
            case NoRouteToHostException e -> false;
            case SocketException e -> !mentions(e, "unreachable");
            case EOFException e -> true;
            case ClosedChannelException e -> true;
            case SSLException e -> e.getCause() != null && isCut(e.getCause());
            case IOException e -> mentions(e, "unexpected end of stream");
            default -> false;
        };
    }

    /** True if a request may have reached the other side although no answer came: it was cut or timed out. */
    public static boolean mayHaveArrived(Throwable failure) {
        return switch (failure) {
            case SocketTimeoutException e -> !isUnconnected(e);
            case InterruptedIOException e -> true;
            case null -> false;
            default -> isCut(failure);
        };
    }

    /** True if the time for the connection itself ran out; the JDK then says "Connect timed out". */
    public static boolean isUnconnected(SocketTimeoutException failure) {
        return mentions(failure, "connect");
    }

    private Trouble recognise(Throwable thrown, Place place, Duration limit) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            Trouble certificate = certificate(t, place);
            if (certificate != null) {
                return certificate;
            }
        }
        return switch (thrown) {
            case UnknownHostException e -> words.trouble(Kind.NAME, place, "network.name");
            case UnresolvedAddressException e -> words.trouble(Kind.NAME, place, "network.name");
            case SocketTimeoutException e when isUnconnected(e) -> silent(place, limit);
            case InterruptedIOException e -> words.trouble(Kind.TIMEOUT, place, "network.slow", "seconds", seconds(limit));
            case NoRouteToHostException e -> words.trouble(Kind.CONNECT, place, "network.route");
            case ConnectException e when mentions(e, "timed out") -> silent(place, limit);
            case ConnectException e when mentions(e, "unreachable") -> words.trouble(Kind.CONNECT, place,
                    "network.route");
            case ConnectException e -> words.trouble(Kind.CONNECT, place, "network.refused");
            case SSLPeerUnverifiedException e -> words.trouble(Kind.TLS, place, "tls.hostname");
            case SSLException e -> handshake(e, place, limit);
            case JsonEOFException e -> words.trouble(Kind.UNREADABLE, place, "answer.cut");
            case JsonProcessingException e -> words.trouble(Kind.UNREADABLE, place, "answer.garbled");
            case ProtocolException e when mentions(e, "unexpected end of stream") -> cut(place);
            case ProtocolException e when mentions(e, "unexpected status line") -> notHttp(e, place);
            case ProtocolException e -> words.trouble(Kind.PROTOCOL, place, "answer.nothttp");
            case SocketException e when mentions(e, "unreachable") -> words.trouble(Kind.CONNECT, place,
                    "network.route");
            case SocketException e -> cut(place);
            case EOFException e -> cut(place);
            case ClosedChannelException e -> cut(place);
            case IOException e when mentions(e, "unexpected end of stream") -> cut(place);
            case IOException e when e.getCause() != null && e.getCause() != e -> recognise(e.getCause(), place, limit);
            default -> words.trouble(Kind.CONNECT, place, "network.broken");
        };
    }

    private Trouble silent(Place place, Duration limit) {
        return words.trouble(Kind.TIMEOUT, place, "network.silent", "seconds", seconds(limit));
    }

    private Trouble cut(Place place) {
        return words.trouble(Kind.CONNECT, place, "network.cut");
    }

    /** A TLS record that is read as HTTP begins with content type 21 (alert) or 22 (handshake) and version 3. */
    private Trouble notHttp(ProtocolException e, Place place) {
        boolean tls = e.getMessage().contains("\u0015\u0003") || e.getMessage().contains("\u0016\u0003");
        return words.trouble(Kind.PROTOCOL, place, tls ? "answer.tls" : "answer.nothttp");
    }

    private Trouble certificate(Throwable t, Place place) {
        return switch (t) {
            case CertificateRefused refused -> pinned(refused, place);
            case CertificateExpiredException e -> words.trouble(Kind.TLS, place, "tls.expired", "date", "");
            default -> isUnsigned(t) ? words.trouble(Kind.TLS, place, "tls.issuer") : null;
        };
    }

    private static boolean isUnsigned(Throwable t) {
        return switch (t) {
            case CertPathBuilderException e -> true;
            case CertPathValidatorException e -> !(e.getCause() instanceof CertificateExpiredException);
            default -> false;
        };
    }

    /** True if the certificate was refused because no trusted authority has signed it. */
    public static boolean isOfUnknownAuthority(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (isUnsigned(t)) {
                return true;
            }
        }
        return false;
    }

    private Trouble pinned(CertificateRefused refused, Place place) {
        ShownCertificate shown = refused.shown();
        return switch (refused.reason()) {
            case UNKNOWN -> words.trouble(Kind.TRUST, place, "trust.unknown", "shown", shown.fingerprint());
            case CHANGED -> words.trouble(Kind.TRUST, place, "trust.changed", "shown", shown.fingerprint(),
                    "pinned", refused.pin().orElse(""), "issuer", issuer(refused));
            case EXPIRED -> words.trouble(Kind.TLS, place, "tls.expired", "date",
                    words.text("tls.expired.on", "date", day(shown.validUntil())));
            case NOT_YET_VALID -> words.trouble(Kind.TLS, place, "tls.early", "date", day(shown.validFrom()));
        };
    }

    private String issuer(CertificateRefused refused) {
        String issuer = refused.shown().issuer();
        return refused.before()
                .map(before -> before.issuerName().equals(refused.shown().issuerName())
                        ? words.text("trust.issuer.same", "issuer", issuer)
                        : words.text("trust.issuer.other", "issuer", issuer, "before", before.issuer()))
                .orElseGet(() -> words.text("trust.issuer", "issuer", issuer));
    }

    /**
     * The JDK wraps what ended a handshake, for example an {@link EOFException} where the other side hung up. That says
     * nothing about the port: an overloaded server does so too, when its own limit for a new connection is over.
     */
    private Trouble handshake(SSLException e, Place place, Duration limit) {
        if (mentions(e, "unsupported or unrecognized ssl message") || mentions(e, "plaintext connection")) {
            return words.trouble(Kind.TLS, place, "tls.none");
        }
        if (mentions(e, "protocol_version") || mentions(e, "no appropriate protocol")) {
            return words.trouble(Kind.TLS, place, "tls.version");
        }
        return switch (e.getCause()) {
            case InterruptedIOException slow -> words.trouble(Kind.TIMEOUT, place, "tls.mute", "seconds", seconds(limit));
            case IOException cut when isCut(cut) -> words.trouble(Kind.CONNECT, place, "tls.cut");
            case null, default -> words.trouble(Kind.TLS, place, "tls.failed");
        };
    }

    private static String day(Instant at) {
        return DAY.format(at.atZone(ZoneId.systemDefault()));
    }

    private static boolean mentions(Exception e, String part) {
        return e.getMessage() != null && e.getMessage().toLowerCase(Locale.ROOT).contains(part);
    }

    /** Whole seconds, or one digit after the point. */
    static String seconds(Duration limit) {
        double seconds = limit.toMillis() / 1000.0;
        return seconds == Math.rint(seconds) ? Long.toString((long) seconds)
                : String.format(Locale.ROOT, "%.1f", seconds);
    }
}
