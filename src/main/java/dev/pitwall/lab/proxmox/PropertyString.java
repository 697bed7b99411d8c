package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A value such as {@code 0000:01:00,pcie=1}: pairs, of which one may go without its key.
 * [pve-common PVE/JSONSchema.pm parse_property_string]
 */
final class PropertyString {
    private final Map<String, String> values;

    private PropertyString(Map<String, String> values) {
        this.values = values;
    }

    /** What a value says, checked or not: the pairs as they are, the one without a key under {@code defaultKey}. */
    static PropertyString read(String text, String defaultKey) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String part : text.split(",")) {
            int equals = part.indexOf('=');
            if (!part.isBlank()) {
                values.put(equals < 0 ? defaultKey : part.substring(0, equals), part.substring(equals + 1));
            }
        }
        return new PropertyString(values);
    }

    Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    boolean isOn(String key) {
        return get(key).filter(ParameterCheck::isTrue).isPresent();
    }

    PropertyString with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(key, value);
        return new PropertyString(more);
    }

    PropertyString without(String key) {
        Map<String, String> less = new LinkedHashMap<>(values);
        less.remove(key);
        return new PropertyString(less);
    }

    /** As Proxmox writes drives: the default key's value first, then the others sorted. [facts: property formats] */
    String sorted(String defaultKey) {
        return values.getOrDefault(defaultKey, "") + values.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(defaultKey)).sorted(Map.Entry.comparingByKey())
                .map(entry -> "," + entry.getKey() + "=" + entry.getValue()).collect(Collectors.joining());
    }

    /**
     * Compares a value with its grammar.
     *
     * @param path  the parameter's name, for the words of a complaint
     * @return Proxmox's complaint; empty if the value is right
     */
    static Optional<String> complaint(String path, String text, JsonNode grammar, SchemaValue schema) {
        Map<String, String> errors = new LinkedHashMap<>();
        Map<String, String> given = new LinkedHashMap<>();
        Optional<String> defaultKey = grammar.properties().stream()
                .filter(entry -> entry.getValue().path("defaultKey").asBoolean()).map(Map.Entry::getKey).findFirst();
        for (String part : text.split(",")) {
            if (part.isBlank()) {
                continue;
            }
            int equals = part.indexOf('=');
            if (equals < 0 && defaultKey.isEmpty()) {
                return Optional.of("value without key, but schema does not define a default key");
            }
            String key = equals < 0 ? defaultKey.get() : part.substring(0, equals);
            if (equals < 0 && given.containsKey(key)) {
                return Optional.of("value without key, but default key already given");
            }
            String keyAlias = grammar.path(key).path("keyAlias").asText();
            if (!keyAlias.isEmpty()) {
                given.put(keyAlias, key);
            }
            String alias = grammar.path(key).path("alias").asText();
            if (given.put(alias.isEmpty() ? key : alias, part.substring(equals + 1)) != null) {
                return Optional.of("duplicate key in comma-separated list property: " + key);
            }
        }
        given.forEach((key, value) -> {
            JsonNode rules = grammar.path(key);
            Optional<String> wrong = rules.isMissingNode() || !schema.exists(rules)
                    ? Optional.of(ParameterCheck.NOT_IN_SCHEMA) : schema.complaint(path + "." + key, rules, value);
            wrong.ifPresent(complaint -> errors.put(key, complaint));
        });
        grammar.properties().forEach(entry -> {
            JsonNode rules = entry.getValue();
            boolean needed = !rules.path("optional").asBoolean() && !rules.has("alias") && schema.exists(rules);
            if (needed && !given.containsKey(entry.getKey())) {
                errors.put(entry.getKey(), ParameterCheck.MISSING);
            }
        });
        return errors.isEmpty() ? Optional.empty() : Optional.of("format error\n" + errors.entrySet().stream()
                .map(error -> path + "." + error.getKey() + ": " + error.getValue().stripTrailing() + "\n")
                .collect(Collectors.joining()));
    }
}
