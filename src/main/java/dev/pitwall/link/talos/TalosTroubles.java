package dev.pitwall.link.talos;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Puts what gRPC and Talos say into sentences, each with the next action. */
final class TalosTroubles {
    private final NetworkTrouble troubles;
    private final Words words;

    TalosTroubles(NetworkTrouble troubles) {
        this.troubles = troubles;
        this.words = troubles.words();
    }

    /** True if the call cannot have arrived: there was no connection to the endpoint. */
    static boolean neverLeft(StatusRuntimeException failure) {
        return cause(failure).filter(c -> c instanceof ConnectException || c instanceof NoRouteToHostException
                || c instanceof UnknownHostException || c instanceof SSLException).isPresent()
                || failure.getStatus().getCode() == Status.Code.UNAVAILABLE
                && said(failure).startsWith("Unable to resolve host");
    }

    /**
     * @param node  the node that the call was for
     * @param limit the time that it had
     */
    TroubleException of(StatusRuntimeException failure, Place endpoint, String node, Duration limit) {
        Optional<IOException> cause = cause(failure);
        return cause.isPresent() ? ofSocket(cause.get(), endpoint, limit) : new TroubleException(trouble(failure, endpoint,
                node, limit), failure);
    }

    private TroubleException ofSocket(IOException cause, Place endpoint, Duration limit) {
        String said = cause.getMessage() == null ? "" : cause.getMessage().toLowerCase(Locale.ROOT);
        // An alert of the other side that names the certificate: it has no use for ours (RFC 8446, 6.2).
        if (cause instanceof SSLException && said.contains("received fatal alert") && (said.contains("certificate")
                || said.contains("unknown_ca") || said.contains("access_denied"))) {
            return words.failure(Kind.CREDENTIALS, endpoint, "talos.refused");
        }
        return troubles.failure(cause, endpoint, limit);
    }

    private Trouble trouble(StatusRuntimeException failure, Place endpoint, String node, Duration limit) {
        String said = said(failure);
        String where = node.isEmpty() ? endpoint.where() : node;
        return switch (failure.getStatus().getCode()) {
            case PERMISSION_DENIED -> said.contains("forward")
                    ? words.trouble(Kind.PROTOCOL, endpoint, "talos.worker", "node", where)
                    : words.troubleBehind(Kind.RIGHTS, endpoint, where, "talos.role");
            case UNAUTHENTICATED -> words.trouble(Kind.CREDENTIALS, endpoint, "talos.refused");
            case UNAVAILABLE -> said.contains("dial") || said.contains("transport")
                    ? words.troubleBehind(Kind.CONNECT, endpoint, where, "talos.silent", "node", where)
                    : words.troubleBehind(Kind.CONNECT, endpoint, where, "network.cut");
            case DEADLINE_EXCEEDED -> words.troubleBehind(Kind.TIMEOUT, endpoint, where, "talos.slow", "seconds",
                    Long.toString(limit.toSeconds()));
            case UNIMPLEMENTED -> words.troubleBehind(Kind.PROTOCOL, endpoint, where, "talos.unknown", "said", said);
            case NOT_FOUND -> words.troubleBehind(Kind.MISSING, endpoint, where, "talos.absent", "said", said);
            case FAILED_PRECONDITION -> said.contains("sequence")
                    ? words.troubleBehind(Kind.BUSY, endpoint, where, "talos.busy")
                    : words.troubleBehind(Kind.REMOTE, endpoint, where, "talos.said", "said", said);
            case INVALID_ARGUMENT -> words.troubleBehind(Kind.REMOTE, endpoint, where, "talos.invalid", "said", said);
            case CANCELLED -> words.troubleBehind(Kind.CONNECT, endpoint, where, "network.cut");
            default -> words.troubleBehind(Kind.REMOTE, endpoint, where, "talos.said", "said", said);
        };
    }

    private static Optional<IOException> cause(StatusRuntimeException failure) {
        for (Throwable t = failure.getCause(); t != null; t = t.getCause()) {
            if (t instanceof IOException e) {
                return Optional.of(e);
            }
        }
        return Optional.empty();
    }

    /** Talos's own words, in one line. */
    private static String said(StatusRuntimeException failure) {
        String said = failure.getStatus().getDescription();
        return said == null ? failure.getStatus().getCode().name() : said.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
