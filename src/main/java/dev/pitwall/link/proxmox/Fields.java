package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the fields of an answer as tolerantly as Proxmox writes them: booleans come as 0, 1, "0", "1" or true, numbers
 * may be strings, and empty fields are missing (facts 1.1).
 */
record Fields(JsonNode node) {

    /** Text of a scalar; empty for a missing, null or blank one. */
    Optional<String> text(String name) {
        JsonNode value = node.path(name);
        return value.isValueNode() && !value.isNull() && !value.asText().isBlank()
                ? Optional.of(value.asText()) : Optional.empty();
    }

    OptionalLong number(String name) {
        Optional<String> text = text(name);
        try {
            return text.isPresent() ? OptionalLong.of((long) Double.parseDouble(text.get())) : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    Optional<Boolean> flag(String name) {
        return text(name).map(Fields::truth);
    }

    Fields in(String name) {
        return new Fields(node.path(name));
    }

    /** Proxmox's own reading of a boolean (facts: property-formats.json). */
    static boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "1", "on", "yes", "true" -> true;
            default -> false;
        };
    }
}
