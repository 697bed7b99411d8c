package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks a method's parameters against their schema, as the release of the node that answers has it, and complains in
 * Proxmox's words. [pve-common PVE/JSONSchema.pm]
 */
final class ParameterCheck {
    static final String MISSING = "property is missing and it is not optional";
    static final String NOT_IN_SCHEMA = "property is not defined in schema and the schema does not allow additional properties";
    private static final Pattern NUMBERED = Pattern.compile("([a-z]+)(\\d{1,3})");

    private final JsonNode schema;
    private final Formats formats;
    private final ConfigOptions options;

    /** @param schema parameters by name; {@code net[n]} stands for {@code net0} and so on */
    ParameterCheck(JsonNode schema, Formats formats, ConfigOptions options) {
        this.schema = schema;
        this.formats = formats;
        this.options = options;
    }

    static boolean isTrue(String text) {
        return SchemaValue.TRUE.contains(text.toLowerCase());
    }

    /**
     * @param major release of the node
     * @throws PveError naming every parameter that is missing, unknown or wrong
     */
    void check(Map<String, List<String>> parameters, int major) throws PveError {
        SchemaValue values = new SchemaValue(formats, major);
        Map<String, String> errors = new TreeMap<>();
        schema.properties().forEach(entry -> {
            JsonNode rules = values.current(entry.getValue());
            if (values.exists(entry.getValue()) && rules.path("required").asBoolean()
                    && !parameters.containsKey(entry.getKey())) {
                errors.put(entry.getKey(), MISSING);
            }
        });
        parameters.forEach((name, given) -> complaint(values, name, given, parameters)
                .ifPresent(text -> errors.put(name, text)));
        if (!errors.isEmpty()) {
            throw PveError.parameters(errors);
        }
    }

    /** There is such a parameter. */
    boolean knows(String name, int major) {
        JsonNode rules = rules(name);
        return !rules.isMissingNode() && new SchemaValue(formats, major).exists(rules);
    }

    private Optional<String> complaint(SchemaValue values, String name, List<String> given,
                                       Map<String, List<String>> parameters) {
        JsonNode all = rules(name);
        if (all.isMissingNode() || !values.exists(all)) {
            return Optional.of(NOT_IN_SCHEMA);
        }
        JsonNode rules = values.current(all);
        boolean list = rules.path("type").asText().equals("array") || rules.path("format").asText().equals("string-alist");
        if (given.size() > 1 && !list) {
            return Optional.of("type check ('" + rules.path("type").asText() + "') failed - got ARRAY");
        }
        String requires = rules.path("requires").asText();
        if (!requires.isEmpty() && !parameters.containsKey(requires)) {
            return Optional.of("missing property - '" + requires + "' requires this property");
        }
        return given.stream().flatMap(value -> values.complaint(name, rules, value).stream()).findFirst();
    }

    /** {@code hostpci3} has the rules of {@code hostpci[n]}, with as many numbers as Proxmox has. */
    private JsonNode rules(String name) {
        if (schema.has(name)) {
            return schema.path(name);
        }
        Matcher numbered = NUMBERED.matcher(name);
        return numbered.matches() && Integer.parseInt(numbered.group(2)) < options.count(numbered.group(1))
                ? schema.path(numbered.group(1) + "[n]") : schema.path("");
    }
}
