package dev.pitwall.lab.kube.stream;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Turns requests into other connections: {@code 101 Switching Protocols}. */
public final class Upgrades {
    private static final Logger LOG = LoggerFactory.getLogger(Upgrades.class);
    /** Fixed by RFC 6455, section 1.3. */
    private static final String WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final HttpString KEY = new HttpString("Sec-WebSocket-Key");
    private static final HttpString ACCEPT = new HttpString("Sec-WebSocket-Accept");
    private static final HttpString PROTOCOL = new HttpString("Sec-WebSocket-Protocol");
    private static final HttpString STREAM_PROTOCOL = new HttpString("X-Stream-Protocol-Version");
    private static final String SPDY = "SPDY/3.1";

    private Upgrades() {
    }

    /** What happens on the connection once it is another one; on a virtual thread of its own. */
    @FunctionalInterface
    public interface Talk {
        void on(Duplex connection) throws IOException;
    }

    public static boolean isWebSocket(HttpServerExchange exchange) {
        return wants(exchange, "websocket");
    }

    public static boolean isSpdy(HttpServerExchange exchange) {
        return wants(exchange, SPDY);
    }

    private static boolean wants(HttpServerExchange exchange, String product) {
        String upgrade = exchange.getRequestHeaders().getFirst(Headers.UPGRADE);
        return upgrade != null && upgrade.equalsIgnoreCase(product);
    }

    /** The first of the client's protocols that is among these; a WebSocket's or a SPDY connection's. */
    public static Optional<String> protocol(HttpServerExchange exchange, List<String> known) {
        HttpString name = isWebSocket(exchange) ? PROTOCOL : STREAM_PROTOCOL;
        return !exchange.getRequestHeaders().contains(name) ? Optional.empty()
                : exchange.getRequestHeaders().get(name).stream().flatMap(value -> Arrays.stream(value.split(",")))
                .map(String::strip).filter(known::contains).findFirst();
    }

    public static void toWebSocket(HttpServerExchange exchange, String protocol, Talk talk) {
        String key = exchange.getRequestHeaders().getFirst(KEY);
        exchange.getResponseHeaders().put(ACCEPT, accept(key == null ? "" : key));
        exchange.getResponseHeaders().put(PROTOCOL, protocol);
        upgrade(exchange, "websocket", talk);
    }

    public static void toSpdy(HttpServerExchange exchange, String protocol, Talk talk) {
        exchange.getResponseHeaders().put(STREAM_PROTOCOL, protocol);
        upgrade(exchange, SPDY, talk);
    }

    private static void upgrade(HttpServerExchange exchange, String product, Talk talk) {
        exchange.upgradeChannel(product, (connection, upgraded) -> Thread.ofVirtual()
                .name("lab-" + product.toLowerCase(Locale.ROOT)).start(() -> {
                    try (Duplex duplex = new Duplex(connection)) {
                        talk.on(duplex);
                    } catch (IOException e) {
                        LOG.debug("an upgraded connection ended: {}", e.toString());
                    }
                }));
        exchange.endExchange();
    }

    private static String accept(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1")
                    .digest((key + WEBSOCKET_GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
