package dev.pitwall.doctor.picture.words;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** What objects have in common. */
final class Fields {
    private Fields() {
    }

    static String name(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.path("name").asText(metadata.path("generateName").asText(""));
    }

    static String namespaced(JsonNode object) {
        return object.path("metadata").path("namespace").asText("") + "/" + name(object);
    }

    static List<JsonNode> list(JsonNode array) {
        List<JsonNode> items = new ArrayList<>();
        if (array.isArray()) {
            array.forEach(items::add);
        }
        return items;
    }

    /** Conditions as sentences: {@code Ready=False NotReady: the message}; those that are as they should be say nothing. */
    static List<String> conditions(JsonNode status) {
        return list(status.path("conditions")).stream().filter(c -> c.hasNonNull("message") || c.hasNonNull("reason"))
                .map(c -> c.path("type").asText() + "=" + c.path("status").asText() + " " + c.path("reason").asText("")
                        + ": " + c.path("message").asText("")).toList();
    }
}
