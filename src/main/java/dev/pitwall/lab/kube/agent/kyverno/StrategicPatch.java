package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code patchStrategicMerge} with Kyverno's anchors: {@code (key)} must fit or its part of the patch is not made,
 * {@code +(key)} is written only where nothing is. Lists of objects are merged by the key that Kubernetes merges them
 * by; those without one are replaced. [kyverno.io: Mutate rules; Kubernetes: strategic merge patch]
 */
final class StrategicPatch {
    private static final Map<String, String> KEYS = Map.of("containers", "name", "initContainers", "name",
            "ephemeralContainers", "name", "volumes", "name", "env", "name", "imagePullSecrets", "name",
            "ports", "containerPort", "volumeMounts", "mountPath", "hostAliases", "ip");
    private static final Pattern ANCHOR = Pattern.compile("([+<^=X]?)\\((.+)\\)");

    private StrategicPatch() {
    }

    /** Changes an object in place; nothing if a condition of the patch's top does not hold. */
    static void apply(ObjectNode object, JsonNode patch) {
        if (fits(object, patch)) {
            merge(object, (ObjectNode) patch);
        }
    }

    /** Conditions of an object and of the objects right below it; a condition inside a list only decides for its element. */
    private static boolean fits(JsonNode object, JsonNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            Matcher anchor = ANCHOR.matcher(field.getKey());
            boolean condition = anchor.matches();
            if (condition && anchor.group(1).isEmpty()
                    && !Shape.fits(object.path(anchor.group(2)), field.getValue())) {
                return false;
            }
            if (condition && !anchor.group(1).isEmpty() && !anchor.group(1).equals("+")) {
                throw new NotUnderstood("the anchor " + field.getKey() + " in a patch");
            }
            if (!condition && field.getValue().isObject() && !fits(object.path(field.getKey()), field.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static void merge(ObjectNode object, ObjectNode patch) {
        patch.properties().forEach(field -> {
            Matcher anchor = ANCHOR.matcher(field.getKey());
            if (!anchor.matches()) {
                put(object, field.getKey(), field.getValue());
            } else if (anchor.group(1).equals("+") && !object.has(anchor.group(2))) {
                put(object, anchor.group(2), field.getValue());
            }
        });
    }

    private static void put(ObjectNode object, String name, JsonNode value) {
        JsonNode there = object.path(name);
        if (value.isNull()) {
            object.remove(name);
        } else if (value instanceof ObjectNode part) {
            ObjectNode into = there instanceof ObjectNode known ? known : Json.object();
            merge(into, part);
            if (!into.isEmpty() || part.isEmpty()) {
                object.set(name, into);
            }
        } else if (value.isArray() && KEYS.containsKey(name) && isOfObjects(value)) {
            list(object.withArrayProperty(name), value, KEYS.get(name));
        } else {
            object.set(name, value);
        }
    }

    private static boolean isOfObjects(JsonNode list) {
        return !list.isEmpty() && list.get(0).isObject();
    }

    private static void list(ArrayNode there, JsonNode patch, String key) {
        for (JsonNode each : patch) {
            ObjectNode part = (ObjectNode) each;
            if (part.has("(" + key + ")")) {
                there.forEach(element -> {
                    if (fits(element, part)) {
                        merge((ObjectNode) element, part);
                    }
                });
                continue;
            }
            Optional<ObjectNode> same = find(there, key, part.path(key));
            if (same.isEmpty() && fits(Json.object(), part)) {
                merge(there.addObject(), part);
            } else {
                same.filter(element -> fits(element, part)).ifPresent(element -> merge(element, part));
            }
        }
    }

    private static Optional<ObjectNode> find(ArrayNode list, String key, JsonNode value) {
        for (JsonNode element : list) {
            if (element.path(key).equals(value)) {
                return Optional.of((ObjectNode) element);
            }
        }
        return Optional.empty();
    }
}
