package dev.pitwall.doctor.picture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** What is kept of an object: not the books of field managers, and of a Secret nothing but its name and type. */
final class Kept {

    /** @return empty for an object of which nothing is needed */
    Optional<JsonNode> reduced(String kind, JsonNode object) {
        ObjectNode copy = object.deepCopy();
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        if (kind.equals("Secret")) {
            copy.remove("data");
            copy.remove("stringData");
        }
        return Optional.of(copy);
    }
}
