package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request as pveproxy takes it apart, quirks included: form values are split at {@code ;} too, and of a pair with
 * several {@code =} only the second piece counts. [facts: proxmox.md 1.1, AnyEvent.pm decode_urlencoded]
 *
 * @param extjs true for the tree {@code /api2/extjs}
 * @param path  below the tree, decoded, for example {@code /nodes/pve1/status}
 */
record PveRequest(String method, boolean extjs, String path, Map<String, List<String>> parameters,
                  Optional<String> cookie, Optional<String> authorization, Optional<String> csrf) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_BODY = 512 << 10;
    private static final int MAX_BODY_BEFORE_8_4 = 64 << 10;

    /** @param version of the node that is asked */
    static PveRequest read(HttpServerExchange exchange, PveVersion version) throws IOException, PveError {
        String uri = exchange.getRequestURI();
        boolean extjs = uri.startsWith("/api2/extjs");
        String path = decoded(uri.replaceFirst("^/api2/(json|extjs)", ""));
        String method = exchange.getRequestMethod().toString();
        Map<String, List<String>> parameters = new LinkedHashMap<>(form(exchange.getQueryString()));
        parameters.putAll(body(exchange, method, version));
        if (version.major() < 8) {
            // Repeated keys are one text there, its pieces between NULs.
            parameters.replaceAll((name, values) -> List.of(String.join("\0", values)));
        }
        HeaderMap headers = exchange.getRequestHeaders();
        return new PveRequest(method, extjs, path.isEmpty() ? "/" : path, parameters,
                ticketCookie(headers.getFirst(Headers.COOKIE)),
                Optional.ofNullable(headers.getFirst(Headers.AUTHORIZATION)),
                Optional.ofNullable(headers.getFirst("CSRFPreventionToken")));
    }

    private static Map<String, List<String>> body(HttpServerExchange exchange, String method, PveVersion version)
            throws IOException, PveError {
        // Without a Content-Length the body is not looked at. [facts: proxmox.md 1.1]
        long length = exchange.getRequestContentLength();
        if (length <= 0) {
            return Map.of();
        }
        if (length > (version.atLeast(8, 4) ? MAX_BODY : MAX_BODY_BEFORE_8_4)) {
            throw PveError.of(501, "for data too large");
        }
        if (method.equals("GET") || method.equals("DELETE")) {
            throw PveError.of(501, "Unexpected content for method '" + method + "'");
        }
        String type = Optional.ofNullable(exchange.getRequestHeaders().getFirst(Headers.CONTENT_TYPE)).orElse("")
                .replaceFirst(";.*", "").trim().toLowerCase();
        String text = new String(exchange.getInputStream().readNBytes((int) length), StandardCharsets.UTF_8);
        return switch (type) {
            case "application/x-www-form-urlencoded", "" -> form(text);
            case "application/json" -> json(text);
            default -> throw PveError.of(506, "upload '" + type + "' not allowed");
        };
    }

    private static Map<String, List<String>> form(String text) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        Arrays.stream((text == null ? "" : text).split("[&;]")).filter(pair -> !pair.isEmpty()).forEach(pair -> {
            String[] pieces = pair.split("=", -1);
            String value = pieces.length > 1 ? decoded(pieces[1].replace('+', ' ')) : "";
            values.computeIfAbsent(decoded(pieces[0].replace('+', ' ')), name -> new ArrayList<>()).add(value);
        });
        return values;
    }

    private static Map<String, List<String>> json(String text) throws PveError {
        Map<String, List<String>> values = new LinkedHashMap<>();
        try {
            JSON.readTree(text).properties().forEach(entry -> values.put(entry.getKey(), entry.getValue().isArray()
                    ? entry.getValue().valueStream().map(JsonNode::asText).toList()
                    : List.of(plain(entry.getValue()))));
        } catch (JsonProcessingException e) {
            throw PveError.died("malformed JSON string");
        }
        return values;
    }

    private static String plain(JsonNode value) {
        return value.isBoolean() ? (value.asBoolean() ? "1" : "0") : value.asText();
    }

    private static Optional<String> ticketCookie(String cookies) {
        return Arrays.stream((cookies == null ? "" : cookies).split(";\\s*"))
                .filter(cookie -> cookie.startsWith("PVEAuthCookie="))
                .map(cookie -> decoded(cookie.substring("PVEAuthCookie=".length()))).findFirst();
    }

    /** Percent signs that start no code stay as they are. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
