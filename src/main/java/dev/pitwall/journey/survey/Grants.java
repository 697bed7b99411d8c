package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the caller of the API may do, as {@code GET /access/permissions} lists it. The list has the paths that rights
 * are given on; of any other path the nearest one above counts, with what it hands down (facts 1.4).
 *
 * @param everything true for {@code root@pam} with its password, for whom nothing is checked
 * @param byPath     path, then right, then whether it goes to the paths below
 */
public record Grants(boolean everything, Map<String, Map<String, Boolean>> byPath) {

    public static final Grants ALL = new Grants(true, Map.of());

    public Grants {
        Map<String, Map<String, Boolean>> copy = new TreeMap<>();
        byPath.forEach((path, rights) -> copy.put(path, Map.copyOf(rights)));
        byPath = Map.copyOf(copy);
    }

    /** @param answer field {@code data} of {@code GET /access/permissions} */
    public static Grants of(JsonNode answer) {
        Map<String, Map<String, Boolean>> byPath = new HashMap<>();
        answer.properties().forEach(path -> {
            Map<String, Boolean> rights = new HashMap<>();
            path.getValue().properties().forEach(right -> rights.put(right.getKey(),
                    right.getValue().asText().equals("1") || right.getValue().asBoolean(false)));
            byPath.put(path.getKey(), rights);
        });
        return new Grants(false, byPath);
    }

    /**
     * Whether the caller has a right on a path.
     *
     * @param path  for example {@code /vms/110}
     * @param right for example {@code VM.Config.CPU}
     */
    public boolean holds(String path, String right) {
        if (everything) {
            return true;
        }
        for (String at = path; !at.isEmpty(); at = above(at)) {
            Map<String, Boolean> rights = byPath.get(at);
            if (rights != null) {
                return at.equals(path) ? rights.containsKey(right) : rights.getOrDefault(right, false);
            }
        }
        return false;
    }

    private static String above(String path) {
        int slash = path.lastIndexOf('/');
        if (slash > 0) {
            return path.substring(0, slash);
        }
        return path.equals("/") ? "" : "/";
    }
}
