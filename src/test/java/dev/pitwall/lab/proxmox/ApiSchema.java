package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.data.DataFile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The API schema of Proxmox VE 7.4, 8.4 and 9.1, as {@code lab/proxmox/methods.json} has it: whether a release would take a
 * request.
 */
public final class ApiSchema {
    private final RouteTable table = new RouteTable(new Formats(), new ConfigOptions());

    /** Whether a release has a method. */
    public enum Presence { THERE, ABSENT, UNKNOWN_TO_THE_SCHEMA }

    public Presence presence(String method, String path, int major) {
        Optional<JsonNode> rules = rules(method, path);
        if (rules.isEmpty()) {
            return Presence.UNKNOWN_TO_THE_SCHEMA;
        }
        boolean there = major >= rules.get().path("since").asInt(0)
                && major <= rules.get().path("until").asInt(Integer.MAX_VALUE);
        return there ? Presence.THERE : Presence.ABSENT;
    }

    /** What a release would complain about, by parameter; empty for a request it would take. */
    public Map<String, String> complaints(String method, String path, Map<String, List<String>> parameters, int major) {
        JsonNode rules = rules(method, path).orElseThrow();
        Map<String, List<String>> all = new HashMap<>(parameters);
        String[] template = segments(rules.path("path").asText());
        String[] given = segments(path);
        for (int i = 0; i < template.length; i++) {
            if (template[i].startsWith("{")) {
                all.put(template[i].substring(1, template[i].length() - 1), List.of(given[i]));
            }
        }
        try {
            table.check(method + " " + rules.path("path").asText()).check(all, major);
            return Map.of();
        } catch (PveError e) {
            return e.errors();
        }
    }

    private static Optional<JsonNode> rules(String method, String path) {
        String[] given = segments(path);
        return DataFile.tree("proxmox/methods.json").valueStream().filter(m -> m.path("method").asText().equals(method))
                .filter(m -> fits(segments(m.path("path").asText()), given)).findFirst();
    }

    private static boolean fits(String[] template, String[] given) {
        if (template.length != given.length) {
            return false;
        }
        for (int i = 0; i < template.length; i++) {
            if (!template[i].startsWith("{") && !template[i].equals(given[i])) {
                return false;
            }
        }
        return true;
    }

    private static String[] segments(String path) {
        return (path.startsWith("/") ? path.substring(1) : path).split("/");
    }
}
