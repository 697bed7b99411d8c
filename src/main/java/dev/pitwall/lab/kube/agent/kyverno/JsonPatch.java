package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.store.Json;

/** {@code patchesJson6902}: add, replace and remove. A list that {@code /-} is added to is made if it is not there. */
final class JsonPatch {
    private JsonPatch() {
    }

    static void apply(ObjectNode object, String patches) {
        try {
            for (JsonNode patch : new YAMLMapper().readTree(patches)) {
                one(object, patch);
            }
        } catch (JsonProcessingException e) {
            throw new NotUnderstood("patchesJson6902, which is no YAML");
        }
    }

    private static void one(ObjectNode object, JsonNode patch) {
        String path = patch.path("path").asText();
        int slash = path.lastIndexOf('/');
        String name = path.substring(slash + 1).replace("~1", "/").replace("~0", "~");
        JsonNode parent = parent(object, path.substring(0, Math.max(0, slash)), name);
        String operation = patch.path("op").asText();
        switch (operation) {
            case "add", "replace" -> {
                if (parent instanceof ArrayNode list) {
                    add(list, name, operation, patch.path("value"));
                } else {
                    ((ObjectNode) parent).set(name, patch.path("value"));
                }
            }
            case "remove" -> {
                if (parent instanceof ArrayNode list) {
                    list.remove(Integer.parseInt(name));
                } else {
                    ((ObjectNode) parent).remove(name);
                }
            }
            default -> throw new NotUnderstood("the operation " + operation + " of a JSON patch");
        }
    }

    private static void add(ArrayNode list, String at, String operation, JsonNode value) {
        if (at.equals("-")) {
            list.add(value);
        } else if (operation.equals("add")) {
            list.insert(Integer.parseInt(at), value);
        } else {
            list.set(Integer.parseInt(at), value);
        }
    }

    /** What a path leads to; what is missing on the way is made. */
    private static JsonNode parent(ObjectNode root, String path, String last) {
        JsonNode here = root;
        String[] names = path.isEmpty() ? new String[0] : path.substring(1).split("/");
        for (int i = 0; i < names.length; i++) {
            String name = names[i].replace("~1", "/").replace("~0", "~");
            JsonNode below = here.isArray() ? here.path(Integer.parseInt(name)) : here.path(name);
            if (!below.isContainerNode()) {
                if (!(here instanceof ObjectNode object)) {
                    throw new NotUnderstood("the path " + path + "/" + last + ", which leads nowhere");
                }
                boolean list = i == names.length - 1 && last.equals("-");
                below = list ? object.putArray(name) : object.set(name, Json.object()).path(name);
            }
            here = below;
        }
        return here;
    }
}
