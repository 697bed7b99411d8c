package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.change.HelmChange.ValueLine;
import dev.pitwall.journey.change.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values that a release is to get over what it has: each with its reason, and none that it has already. Paths have
 * dots between their keys, so no key may have one itself.
 */
final class ChartValues {
    private final JsonNode defaults;
    private final JsonNode given;
    private final ObjectNode wanted = JsonNodeFactory.instance.objectNode();
    private final List<ValueLine> lines = new ArrayList<>();

    /**
     * @param defaults of the chart
     * @param given    what the release was given; an empty object for one that is not there
     */
    ChartValues(JsonNode defaults, JsonNode given) {
        this.defaults = defaults;
        this.given = given;
    }

    /** A value as the chart would see it now; missing where it has none, as for one that was given as null. */
    JsonNode now(String path) {
        JsonNode set = at(wanted, path);
        if (!set.isMissingNode()) {
            return set;
        }
        JsonNode own = at(given, path);
        if (own.isNull()) {
            return JsonNodeFactory.instance.missingNode();
        }
        JsonNode usual = at(defaults, path);
        return own.isMissingNode() ? usual.isNull() ? JsonNodeFactory.instance.missingNode() : usual
                : usual.isObject() && own.isObject() ? Tree.over(usual, own) : own;
    }

    /** Sets a value, unless it is so already. */
    void set(String path, JsonNode value, String reason) {
        if (now(path).equals(value)) {
            return;
        }
        lines.removeIf(line -> line.path().equals(path));
        lines.add(new ValueLine(path, text(at(given, path)), text(at(defaults, path)), text(value).orElse("null"), reason));
        put(wanted, path, value);
    }

    void set(String path, boolean value, String reason) {
        set(path, JsonNodeFactory.instance.booleanNode(value), reason);
    }

    void set(String path, String value, String reason) {
        set(path, JsonNodeFactory.instance.textNode(value), reason);
    }

    /** True if the chart has this value, or an empty object that it would be put into. */
    boolean knows(String path) {
        JsonNode at = defaults;
        for (String key : path.split("\\.")) {
            if (at.isObject() && at.isEmpty()) {
                return true;
            }
            if (!at.has(key)) {
                return false;
            }
            at = at.get(key);
        }
        return true;
    }

    private static JsonNode at(JsonNode tree, String path) {
        JsonNode at = tree;
        for (String key : path.split("\\.")) {
            at = at.path(key);
        }
        return at;
    }

    private static void put(ObjectNode tree, String path, JsonNode value) {
        String[] keys = path.split("\\.");
        ObjectNode at = tree;
        for (int i = 0; i < keys.length - 1; i++) {
            at = at.withObjectProperty(keys[i]);
        }
        at.set(keys[keys.length - 1], value);
    }

    private static Optional<String> text(JsonNode value) {
        return value.isMissingNode() ? Optional.empty()
                : Optional.of(value.isContainerNode() ? value.toString() : value.asText());
    }

    JsonNode wanted() {
        return wanted.deepCopy();
    }

    List<ValueLine> lines() {
        return List.copyOf(lines);
    }
}
