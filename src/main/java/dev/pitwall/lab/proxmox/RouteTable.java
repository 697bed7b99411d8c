package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.lab.data.DataFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every method the lab's Proxmox API answers. What a method may be called with, by whom, and which releases have it comes
 * from the schema in {@code lab/proxmox/methods.json}; code gives the answers. A new method is a line there and a handler
 * here. A method that a real Proxmox has and this table has not is refused as one it never had: 501
 * {@code Method 'GET /…' not implemented} ({@link PveApi}).
 */
final class RouteTable {
    private final Map<String, JsonNode> schema = new LinkedHashMap<>();
    private final List<Route> routes = new ArrayList<>();
    private final Formats formats;
    private final ConfigOptions options;

    /** Gives the {@code data} of an answer: maps, lists, texts, numbers, a {@link Reply}, or null for none. */
    @FunctionalInterface
    interface Handler {
        Object answer(ApiCall call) throws PveError, InterruptedException;
    }

    /**
     * One method.
     *
     * @param segments of its path; {@code {name}} stands for any one
     * @param rules    its line in the schema
     */
    record Route(String method, List<String> segments, JsonNode rules, ParameterCheck check, Handler handler) {

        /** False where an API token may not call it. */
        boolean token() {
            return rules.path("token").asBoolean(true);
        }

        /** The node named in the path answers, whichever is asked. */
        boolean isForwarded() {
            return rules.path("proxy").asBoolean();
        }

        /** The parameter that names the node that answers, where that is not the path's. */
        Optional<String> forwardedBy() {
            return Optional.of(rules.path("proxyBy").asText()).filter(name -> !name.isEmpty());
        }

        boolean existsIn(PveVersion version) {
            return version.major() >= rules.path("since").asInt(0)
                    && version.major() <= rules.path("until").asInt(Integer.MAX_VALUE);
        }

        AccessRule access(PveVersion version) {
            JsonNode older = rules.path("accessWas").path(String.valueOf(version.major()));
            return AccessRule.of(older.isMissingNode() ? rules.path("access") : older);
        }

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

    RouteTable(Formats formats, ConfigOptions options) {
        this.formats = formats;
        this.options = options;
        DataFile.tree("proxmox/methods.json").forEach(method -> schema.put(
                method.path("method").asText() + " " + method.path("path").asText(), method));
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
        routes.add(new Route(rules.path("method").asText(), segments(rules.path("path").asText()), rules,
                check(method), handler));
    }

    /** The parameters of a method of the schema, whether anybody answers it or not. */
    ParameterCheck check(String method) {
        return new ParameterCheck(schema.get(method).path("parameters"), formats, options);
    }

    /** Where a path has a fixed and a free segment in one place, the fixed one wins. */
    Optional<Found> find(String method, String path) {
        List<String> segments = segments(path);
        return routes.stream().filter(route -> route.method.equals(method))
                .flatMap(route -> route.match(segments).map(found -> new Found(route, found)).stream())
                .min(Comparator.comparingInt(found -> found.pathParameters.size()));
    }

    /** Methods that the schema has and nobody answers; a test holds it empty. */
    List<String> unanswered() {
        List<String> left = new ArrayList<>(schema.keySet());
        routes.forEach(route -> left.remove(route.method + " " + route.rules.path("path").asText()));
        return left;
    }

    /** All that is answered, as {@code GET /version}. */
    List<String> answered() {
        return routes.stream().map(route -> route.method + " " + route.rules.path("path").asText()).sorted().toList();
    }

    private static List<String> segments(String path) {
        return List.of(path.replaceFirst("^/+", "").replaceFirst("/+$", "").split("/+"));
    }
}
