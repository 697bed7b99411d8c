package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.store.Json;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** One request and its answer. */
final class Call {
    /** As the API server's own limit on a request's body. */
    private static final int MAX_BODY_BYTES = 3 << 20;
    private static final int BUFFER_BYTES = 32 << 10;

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

    Form form() {
        return Form.of(header(Headers.ACCEPT), query("includeObject"));
    }

    /** @throws ApiFailure if the body is too large or no JSON or YAML */
    JsonNode body() throws IOException {
        byte[] bytes = bytes();
        if (isProtobuf()) {
            throw ApiFailure.of(415, "UnsupportedMediaType", "the body of the request was in an unknown format -"
                    + " accepted media types include: application/json, application/yaml");
        }
        try {
            return contentType().contains("yaml") ? new YAMLMapper().readTree(bytes) : Json.parse(bytes);
        } catch (IOException e) {
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type JSON or YAML)");
        }
    }

    /** A self review, which may be protobuf. @throws ApiFailure as {@link #body} */
    ObjectNode reviewBody(String kind) throws IOException {
        return isProtobuf() ? ProtobufReviews.read(bytes(), kind) : objectBody();
    }

    private boolean isProtobuf() {
        return contentType().contains("protobuf");
    }

    private byte[] bytes() throws IOException {
        byte[] bytes = exchange.getInputStream().readNBytes(MAX_BODY_BYTES + 1);
        if (bytes.length > MAX_BODY_BYTES) {
            throw ApiFailure.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + MAX_BODY_BYTES);
        }
        return bytes;
    }

    /** @throws ApiFailure as {@link #body}, or if it is no object */
    ObjectNode objectBody() throws IOException {
        return switch (body()) {
            case ObjectNode object -> object;
            default -> throw ApiFailure.badRequest("Object 'Kind' is missing in the body");
        };
    }

    void answer(int code, byte[] json) throws IOException {
        exchange.setStatusCode(code);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.setResponseContentLength(json.length);
        exchange.getOutputStream().write(json);
        exchange.getOutputStream().close();
    }

    void answer(int code, JsonNode json) throws IOException {
        answer(code, Json.bytes(json));
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
