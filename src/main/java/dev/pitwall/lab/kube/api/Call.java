package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** One request and its answer. */
final class Call {
    /** As the API server's own limit on a request's body. */
    private static final int MAX_BODY_BYTES = 3 << 20;
    private static final int BUFFER_BYTES = 32 << 10;

    private static final HttpString WARNING = new HttpString("Warning");

    private final Set<String> warnings = new LinkedHashSet<>();
    private final HttpServerExchange exchange;
    private final User user;

    Call(HttpServerExchange exchange, User user) {
        this.exchange = exchange;
        this.user = user;
    }

    HttpServerExchange exchange() {
        return exchange;
    }

    User user() {
        return user;
    }

    String method() {
        return exchange.getRequestMethod().toString();
    }

    /** A query parameter; empty if it is not there. */
    String query(String name) {
        Deque<String> values = exchange.getQueryParameters().get(name);
        return values == null || values.isEmpty() ? "" : values.getFirst();
    }

    boolean flag(String name) {
        String value = query(name);
        return value.equals("true") || value.equals("1");
    }

    /** @throws ApiFailure 400 if it is there and no number */
    long number(String name, long otherwise) {
        String value = query(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw ApiFailure.badRequest("invalid value \"" + value + "\" for query parameter " + name);
        }
    }

    String header(HttpString name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    String contentType() {
        return header(Headers.CONTENT_TYPE).split(";")[0].strip();
    }

    /** Who is to own the fields that are written: what the client says, else the first word of its user agent. */
    String fieldManager() {
        String named = query("fieldManager");
        return named.isEmpty() ? header(Headers.USER_AGENT).split("/")[0] : named;
    }

    /** @throws ApiFailure 422 for anything but {@code All} */
    boolean dryRun() {
        String asked = query("dryRun");
        if (!asked.isEmpty() && !asked.equals("All")) {
            throw ApiFailure.of(422, "Invalid", "Invalid value: []string{\"" + asked + "\"}: Unsupported value: \""
                    + asked + "\": supported values: \"All\"");
        }
        return !asked.isEmpty();
    }

    Form form() {
        return Form.of(header(Headers.ACCEPT), query("includeObject"));
    }

    /** Has the answer carry a warning; it comes once however often it is given. */
    void warn(String text) {
        warnings.add(text);
    }

    /** @throws ApiFailure if the body is too large */
    byte[] bytes() throws IOException {
        byte[] bytes = exchange.getInputStream().readNBytes(MAX_BODY_BYTES + 1);
        if (bytes.length > MAX_BODY_BYTES) {
            throw ApiFailure.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + MAX_BODY_BYTES);
        }
        return bytes;
    }

    void answer(int code, byte[] json) throws IOException {
        answer(code, "application/json", json);
    }

    void answer(int code, String contentType, byte[] body) throws IOException {
        exchange.setStatusCode(code);
        writeWarnings();
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, contentType);
        exchange.setResponseContentLength(body.length);
        exchange.getOutputStream().write(body);
        exchange.getOutputStream().close();
    }

    void answer(int code, JsonNode json) throws IOException {
        answer(code, Json.bytes(json));
    }

    /** As API servers do: code 299, no agent, and the text in quotes. */
    void writeWarnings() {
        warnings.forEach(text -> exchange.getResponseHeaders().add(WARNING, "299 - \""
                + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""));
        warnings.clear();
    }

    /** A document of the server's own. */
    void answer(ObjectNode document) throws IOException {
        byte[] json = Json.bytes(document);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE,
                Discovery.contentType(document).orElse("application/json"));
        exchange.setResponseContentLength(json.length);
        exchange.getOutputStream().write(json);
        exchange.getOutputStream().close();
    }

    void plain(String text) throws IOException {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain; charset=utf-8");
        exchange.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.getOutputStream().close();
    }

    /** A long JSON answer, compressed if the client takes that. The caller closes it. */
    OutputStream longAnswer() throws IOException {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseHeaders().put(Headers.VARY, "Accept-Encoding");
        OutputStream raw = exchange.getOutputStream();
        if (!header(Headers.ACCEPT_ENCODING).contains("gzip")) {
            return new BufferedOutputStream(raw, BUFFER_BYTES);
        }
        exchange.getResponseHeaders().put(Headers.CONTENT_ENCODING, "gzip");
        return new BufferedOutputStream(new FastGzip(raw), BUFFER_BYTES);
    }

    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
