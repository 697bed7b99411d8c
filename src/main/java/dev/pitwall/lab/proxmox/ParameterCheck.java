package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks parameters against their schema and complains in Proxmox's words. [pve-common PVE/JSONSchema.pm] */
final class ParameterCheck {
    private static final Set<String> TRUE = Set.of("1", "on", "yes", "true");
    private static final Set<String> FALSE = Set.of("0", "off", "no", "false");
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
    private static final Map<String, Format> FORMATS = Map.of(
            "pve-node", new Format("[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?",
                    "invalid format - value does not look like a valid node name\n"),
            "pve-vmid", new Format("[1-9][0-9]{2,8}", "invalid format - value does not look like a valid VM ID\n"),
            "pve-configid", new Format("(?i)[a-z][a-z0-9_-]+",
                    "invalid format - invalid configuration ID '%s'\n"));

    private final JsonNode schema;

    private record Format(String pattern, String complaint) {
    }

    /** @param schema parameters by name */
    ParameterCheck(JsonNode schema) {
        this.schema = schema;
    }

    static boolean isTrue(String text) {
        return TRUE.contains(text.toLowerCase());
    }

    /** @throws PveError naming every parameter that is missing, unknown or wrong */
    void check(Map<String, List<String>> parameters) throws PveError {
        Map<String, String> errors = new TreeMap<>();
        schema.properties().forEach(entry -> {
            if (entry.getValue().path("required").asBoolean() && !parameters.containsKey(entry.getKey())) {
                errors.put(entry.getKey(), "property is missing and it is not optional");
            }
        });
        parameters.forEach((name, values) -> complaint(name, values)
                .ifPresent(text -> errors.put(name, text)));
        if (!errors.isEmpty()) {
            throw PveError.parameters(errors);
        }
    }

    private Optional<String> complaint(String name, List<String> values) {
        JsonNode rules = schema.path(name);
        if (rules.isMissingNode()) {
            return Optional.of("property is not defined in schema and the schema does not allow additional properties");
        }
        if (values.size() > 1 && !rules.path("type").asText().equals("array")) {
            return Optional.of("type check ('" + rules.path("type").asText() + "') failed - got ARRAY");
        }
        return values.stream().flatMap(value -> wrong(rules, value).stream()).findFirst();
    }

    private Optional<String> wrong(JsonNode rules, String value) {
        String type = rules.path("type").asText();
        if (type.equals("integer") && !INTEGER.matcher(value).matches()
                || type.equals("boolean") && !TRUE.contains(value.toLowerCase()) && !FALSE.contains(value.toLowerCase())) {
            return Optional.of("type check ('" + type + "') failed - got '" + value + "'");
        }
        if (type.equals("integer")) {
            return outOfRange(rules, Long.parseLong(value));
        }
        if (rules.has("maxLength") && value.length() > rules.path("maxLength").asInt()) {
            return Optional.of("value may only be " + rules.path("maxLength").asInt() + " characters long");
        }
        if (rules.has("enum") && rules.path("enum").valueStream().noneMatch(allowed -> allowed.asText().equals(value))) {
            return Optional.of("value '" + value + "' does not have a value in the enumeration '"
                    + rules.path("enum").valueStream().map(JsonNode::asText).collect(Collectors.joining(", ")) + "'");
        }
        if (rules.has("pattern") && !Pattern.matches(rules.path("pattern").asText(), value)) {
            return Optional.of("value does not match the regex pattern");
        }
        Format format = FORMATS.get(rules.path("format").asText());
        return format == null || Pattern.matches(format.pattern, value) ? Optional.empty()
                : Optional.of(String.format(format.complaint, value));
    }

    private static Optional<String> outOfRange(JsonNode rules, long value) {
        if (rules.has("minimum") && value < rules.path("minimum").asLong()) {
            return Optional.of("value must have a minimum value of " + rules.path("minimum").asLong());
        }
        if (rules.has("maximum") && value > rules.path("maximum").asLong()) {
            return Optional.of("value must have a maximum value of " + rules.path("maximum").asLong());
        }
        return Optional.empty();
    }
}
