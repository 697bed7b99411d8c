package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Speaks HTTP as pveproxy does: the tree {@code /api2/json} puts an error's text into the reason phrase and, from
 * 8.4 on, into {@code message}; the tree {@code /api2/extjs} answers 200 with {@code success: 0}, except for 401. Every
 * 401 is late, and every error closes the connection. [facts: proxmox.md 1.1]
 */
final class PveListener implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(PveListener.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String node;
    private final PveApi api;
    private final Duration loginPenalty;

    PveListener(String node, PveApi api, Duration loginPenalty) {
        this.node = node;
        this.api = api;
        this.loginPenalty = loginPenalty;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws IOException, InterruptedException {
        exchange.getResponseHeaders().put(Headers.SERVER, "pve-api-daemon/3.0")
                .put(Headers.CACHE_CONTROL, "max-age=0").put(Headers.PRAGMA, "no-cache");
        String path = exchange.getRequestURI();
        if (path.startsWith("/api2/json") || path.startsWith("/api2/extjs")) {
            answer(exchange, path.startsWith("/api2/extjs"));
        } else if (path.equals("/")) {
            exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain;charset=UTF-8");
            exchange.getResponseSender().send("This is the practice lab's Proxmox VE API, node " + node
                    + ". It has no web interface; the API is below /api2/json. It answers these methods, and to any other"
                    + " says 501:\n" + String.join("\n", api.answered()) + "\n");
        } else {
            fail(exchange, false, PveError.of(404, "No such file '" + path + "'"));
        }
    }

    private void answer(HttpServerExchange exchange, boolean extjs) throws IOException, InterruptedException {
        try {
            Object answer = api.answer(node, PveRequest.read(exchange, api.version(node)));
            Reply reply = answer instanceof Reply whole ? whole : new Reply(answer, Map.of());
            Map<String, Object> body = new LinkedHashMap<>(reply.beside());
            if (extjs) {
                body.put("success", 1);
            }
            body.put("data", reply.data());
            send(exchange, body);
        } catch (PveError error) {
            if (error.status == 401) {
                Thread.sleep(loginPenalty);
            }
            fail(exchange, extjs, error);
        } catch (RuntimeException error) {
            LOG.error("the lab's Proxmox API failed at {} {}", exchange.getRequestMethod(), exchange.getRequestURI(),
                    error);
            fail(exchange, extjs, PveError.died("internal error of the practice lab"));
        }
    }

    private void fail(HttpServerExchange exchange, boolean extjs, PveError error) throws IOException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("data", null);
        if (!error.errors.isEmpty()) {
            body.put("errors", error.errors);
        }
        // libpve-http-server-perl has it since 5.2.0, which came late in 8.3; before, only the reason phrase says it.
        if (extjs || api.version(node).atLeast(8, 4)) {
            body.put("message", error.getMessage() + "\n");
        }
        if (extjs && error.status != 401) {
            body.put("success", 0);
            body.put("status", error.status);
        } else {
            exchange.setStatusCode(error.status);
            // Only the first line survives there.
            exchange.setReasonPhrase(error.getMessage().lines().findFirst().orElse(""));
            exchange.setPersistent(false);
            exchange.getResponseHeaders().put(Headers.CONNECTION, "close");
        }
        send(exchange, body);
    }

    private static void send(HttpServerExchange exchange, Map<String, Object> body) throws JsonProcessingException {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json;charset=UTF-8");
        exchange.getResponseSender().send(JSON.writeValueAsString(body), StandardCharsets.UTF_8);
    }
}
