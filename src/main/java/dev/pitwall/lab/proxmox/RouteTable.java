package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every method the lab's Proxmox API answers. What a method may be called with and by whom comes from the schema in
 * {@code lab/proxmox/methods.json}; code gives the answers. A new method is a line there and a handler here.
 */
final class RouteTable {
    private final Map<String, JsonNode> schema = new LinkedHashMap<>();
    private final List<Route> routes = new ArrayList<>();

    /** Gives the {@code data} of an answer: maps, lists, texts, numbers, or null for none. */
    @FunctionalInterface
    interface Handler {
        Object answer(ApiCall call) throws PveError;
    }

    /**
     * One method.
     *
     * @param segments of its path; {@code {name}} stands for any one
     * @param token    false where an API token may not call it
     */
    record Route(String method, List<String> segments, AccessRule access, boolean token, ParameterCheck check,
                 Handler handler) {

        /** The path's own parameters, if it is this path. */
        Optional<Map<String, String>> match(List<String> path) {
            if (path.size() != segments.size()) {
                return Optional.empty();
            }
            Map<String, String> found = new HashMap<>();
            for (int i = 0; i < path.size(); i++) {
                String segment = segments.get(i);
                if (segment.startsWith("{")) {
                    found.put(segment.substring(1, segment.length() - 1), path.get(i));
                } else if (!segment.equals(path.get(i))) {
                    return Optional.empty();
                }
            }
            return Optional.of(found);
        }
    }

    /** A route that a path leads to. */
    record Found(Route route, Map<String, String> pathParameters) {
    }

    RouteTable() {
        try (InputStream in = RouteTable.class.getResourceAsStream("/lab/proxmox/methods.json")) {
            new ObjectMapper().readTree(in).forEach(method -> schema.put(
                    method.path("method").asText() + " " + method.path("path").asText(), method));
        } catch (IOException e) {
            throw new UncheckedIOException("lab/proxmox/methods.json cannot be read", e);
        }
    }

    /**
     * Gives a method of the schema its answer.
     *
     * @param method for example {@code GET /nodes/{node}/status}
     */
    void add(String method, Handler handler) {
        JsonNode rules = schema.get(method);
        if (rules == null) {
            throw new IllegalArgumentException("methods.json does not have " + method);
        }
        routes.add(new Route(rules.path("method").asText(), segments(rules.path("path").asText()),
                AccessRule.of(rules.path("access")), rules.path("token").asBoolean(true),
                new ParameterCheck(rules.path("parameters")), handler));
    }

    Optional<Found> find(String method, String path) {
        List<String> segments = segments(path);
        return routes.stream().filter(route -> route.method.equals(method))
                .flatMap(route -> route.match(segments).map(found -> new Found(route, found)).stream()).findFirst();
    }

    private static List<String> segments(String path) {
        return List.of(path.replaceFirst("^/+", "").replaceFirst("/+$", "").split("/+"));
    }
}
