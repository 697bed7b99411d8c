package dev.pitwall.lab.kube.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.store.Json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** One step of a field path, as {@code FieldsV1} writes it. */
final class PathElement {

    private PathElement() {
    }

    static String field(String name) {
        return "f:" + name;
    }

    /** The step to a list's entry; the list must not be owned as a whole. */
    static String entry(JsonNode entry, Schema list) {
        if (list.lists().kind() == Schema.ListKind.SET) {
            return "v:" + text(entry);
        }
        ObjectNode keys = Json.object();
        for (String key : new TreeSet<>(list.lists().keys())) {
            JsonNode value = entry.path(key);
            if (!value.isMissingNode()) {
                keys.set(key, value);
            } else if (key.equals("protocol")) {
                // The one key with a default of its own.
                keys.put(key, "TCP");
            }
        }
        return "k:" + text(keys);
    }

    /** @return where an element's entry is in a list; -1 if it is not there */
    static int index(ArrayNode entries, String element, Schema list) {
        for (int i = 0; i < entries.size(); i++) {
            if (entry(entries.get(i), list).equals(element)) {
                return i;
            }
        }
        return -1;
    }

    static String shown(String element) {
        String rest = element.substring(2);
        return switch (element.charAt(0)) {
            case 'f' -> "." + rest;
            case 'v' -> "[=" + rest + "]";
            default -> keys(rest);
        };
    }

    private static String keys(String json) {
        try {
            List<String> parts = new ArrayList<>();
            Json.parse(json.getBytes(StandardCharsets.UTF_8)).properties().forEach(key ->
                    parts.add(key.getKey() + "=" + key.getValue()));
            return "[" + String.join(",", parts) + "]";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(JsonNode value) {
        return new String(Json.bytes(value), StandardCharsets.UTF_8);
    }
}
