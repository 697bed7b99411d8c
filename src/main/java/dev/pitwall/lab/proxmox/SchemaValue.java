package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks one value against its rules in the schema, as one major release has them. [pve-common PVE/JSONSchema.pm] */
final class SchemaValue {
    static final Set<String> TRUE = Set.of("1", "on", "yes", "true");
    static final Set<String> FALSE = Set.of("0", "off", "no", "false");
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,18}(?:\\.\\d+)?");

    private final Formats formats;
    private final int major;

    SchemaValue(Formats formats, int major) {
        this.formats = formats;
        this.major = major;
    }

    /** This release has what the rules are for. */
    boolean exists(JsonNode rules) {
        return major >= rules.path("since").asInt(0) && major <= rules.path("until").asInt(Integer.MAX_VALUE);
    }

    /** The rules of this release. */
    JsonNode current(JsonNode rules) {
        return rules.path("was").has(String.valueOf(major)) ? rules.path("was").path(String.valueOf(major)) : rules;
    }

    /** @param path the parameter's name */
    Optional<String> complaint(String path, JsonNode rules, String value) {
        return switch (rules.path("type").asText()) {
            case "integer" -> INTEGER.matcher(value).matches() ? outOfRange(rules, value)
                    : Optional.of("type check ('integer') failed - got '" + value + "'");
            case "number" -> NUMBER.matcher(value).matches() ? outOfRange(rules, value)
                    : Optional.of("type check ('number') failed - got '" + value + "'");
            case "boolean" -> TRUE.contains(value.toLowerCase()) || FALSE.contains(value.toLowerCase())
                    ? Optional.empty() : Optional.of("type check ('boolean') failed - got '" + value + "'");
            case "array" -> rules.path("items").has("format")
                    ? format(path, rules.path("items").path("format").asText(), value) : Optional.empty();
            default -> text(path, rules, value);
        };
    }

    private Optional<String> text(String path, JsonNode rules, String value) {
        if (rules.has("format")) {
            Optional<String> wrong = format(path, rules.path("format").asText(), value);
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        if (rules.has("maxLength") && value.length() > rules.path("maxLength").asInt()) {
            return Optional.of("value may only be " + rules.path("maxLength").asInt() + " characters long");
        }
        if (rules.has("minLength") && value.length() < rules.path("minLength").asInt()) {
            return Optional.of("value must be at least " + rules.path("minLength").asInt() + " characters long");
        }
        if (rules.has("pattern") && !Pattern.matches(rules.path("pattern").asText(), value)) {
            return Optional.of("value does not match the regex pattern");
        }
        if (rules.has("enum") && rules.path("enum").valueStream().noneMatch(allowed -> allowed.asText().equals(value))) {
            return Optional.of("value '" + value + "' does not have a value in the enumeration '"
                    + rules.path("enum").valueStream().map(JsonNode::asText).collect(Collectors.joining(", ")) + "'");
        }
        return Optional.empty();
    }

    /** Also lists: each piece of {@code x-list} is checked as an {@code x}. */
    private Optional<String> format(String path, String format, String value) {
        if (format.endsWith("-list") && !formats.isKnown(format)) {
            return Arrays.stream(value.split("[,;\\s\\x00]+")).filter(piece -> !piece.isEmpty())
                    .flatMap(piece -> format(path, format.substring(0, format.length() - 5), piece).stream()).findFirst();
        }
        return formats.grammar(format).map(grammar -> PropertyString.complaint(path, value, grammar, this))
                .orElseGet(() -> formats.complaint(format, value))
                .map(text -> "invalid format - " + text.stripTrailing() + "\n");
    }

    private static Optional<String> outOfRange(JsonNode rules, String text) {
        double value = Double.parseDouble(text);
        if (rules.has("minimum") && value < rules.path("minimum").asDouble()) {
            return Optional.of("value must have a minimum value of " + rules.path("minimum").asText());
        }
        if (rules.has("maximum") && value > rules.path("maximum").asDouble()) {
            return Optional.of("value must have a maximum value of " + rules.path("maximum").asText());
        }
        return Optional.empty();
    }
}
