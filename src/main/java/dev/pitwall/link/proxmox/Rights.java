package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The least set of privileges Pitwall needs, by Proxmox version (facts 1.4), from {@code links/proxmox-rights.json}:
 * role sets differ, since 9 knows no {@code VM.Monitor} and 7 no mappings.
 */
final class Rights {
    private static final String FILE = "/links/proxmox-rights.json";

    private final JsonNode needs;

    Rights() {
        try (InputStream in = Rights.class.getResourceAsStream(FILE)) {
            needs = new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a right is for. */
    enum Purpose { READ, CHANGE }

    /** The rights of a purpose, each once, as the test shows them before they are known. */
    List<String> all(Purpose purpose, int major) {
        List<String> rights = new ArrayList<>();
        for (JsonNode need : applying(purpose, major)) {
            need.path("rights").forEach(right -> rights.add(right.asText()));
        }
        return rights.stream().distinct().toList();
    }

    /**
     * What is missing, for example {@code Sys.Audit on /}.
     *
     * @param granted answer of {@code GET /access/permissions}: path, then right, then whether it goes to paths below
     */
    List<String> missing(Purpose purpose, int major, JsonNode granted) {
        List<String> missing = new ArrayList<>();
        for (JsonNode need : applying(purpose, major)) {
            String path = need.path("path").asText();
            need.path("rights").forEach(right -> {
                if (!has(granted, path, right.asText())) {
                    missing.add(right.asText() + " on " + path);
                }
            });
        }
        return missing;
    }

    private List<JsonNode> applying(Purpose purpose, int major) {
        List<JsonNode> applying = new ArrayList<>();
        for (JsonNode need : needs) {
            boolean forIt = need.path("for").asText().equalsIgnoreCase(purpose.name());
            if (forIt && major >= need.path("from").asInt(0) && major <= need.path("until").asInt(Integer.MAX_VALUE)) {
                applying.add(need);
            }
        }
        return applying;
    }

    /** True if the right is held on the path, on one below it, or on one above that hands it down. */
    private static boolean has(JsonNode granted, String path, String right) {
        return granted.properties().stream().filter(e -> e.getValue().has(right)).anyMatch(e -> {
            String at = e.getKey();
            boolean below = !path.equals("/") && at.startsWith(path + "/");
            boolean above = at.equals("/") || path.startsWith(at + "/");
            return at.equals(path) || below || above && Fields.truth(e.getValue().path(right).asText());
        });
    }
}
