package dev.pitwall.lab.prometheus;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;

import java.nio.charset.StandardCharsets;

/** Whole answers over HTTP. */
final class Replies {
    private Replies() {
    }

    static void text(HttpServerExchange exchange, int status, String type, String body) {
        exchange.setStatusCode(status);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type);
        exchange.getResponseSender().send(body, StandardCharsets.UTF_8);
    }
}
