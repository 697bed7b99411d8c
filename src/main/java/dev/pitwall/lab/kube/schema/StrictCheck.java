package dev.pitwall.lab.kube.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What strict decoding finds fault with: fields that a type does not have, and fields that come twice. The texts are those
 * of Kubernetes' decoder.
 */
public final class StrictCheck {

    private StrictCheck() {
    }

    /**
     * Takes the fields a type does not have out of an object.
     *
     * @return a text for each, such as {@code unknown field "spec.foo"}
     */
    public static List<String> prune(ObjectNode object, Schema schema) {
        List<String> found = new ArrayList<>();
        prune(object, schema, "", found);
        return found;
    }

    private static void prune(JsonNode value, Schema schema, String path, List<String> found) {
        switch (schema.shape()) {
            case OBJECT, MAP -> {
                if (value instanceof ObjectNode object) {
                    fields(object, schema, path, found);
                }
            }
            case LIST -> {
                for (int i = 0; value.isArray() && i < value.size(); i++) {
                    prune(value.get(i), schema.entry(), path + "[" + i + "]", found);
                }
            }
            case SCALAR, ANY -> { }
        }
    }

    private static void fields(ObjectNode object, Schema schema, String path, List<String> found) {
        List<String> unknown = new ArrayList<>();
        object.properties().forEach(field -> {
            String below = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            Optional<Schema> known = schema.field(field.getKey());
            if (known.isPresent()) {
                prune(field.getValue(), known.get(), below, found);
            } else {
                unknown.add(field.getKey());
                found.add("unknown field \"" + below + "\"");
            }
        });
        object.remove(unknown);
    }

    /** @return a text such as {@code duplicate field "spec.replicas"} for each field that JSON text names twice */
    public static List<String> duplicates(byte[] json) throws IOException {
        List<String> found = new ArrayList<>();
        Deque<Level> levels = new ArrayDeque<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case START_OBJECT, START_ARRAY -> levels.push(new Level(below(levels), token));
                    case END_OBJECT, END_ARRAY -> {
                        levels.pop();
                        step(levels);
                    }
                    case FIELD_NAME -> {
                        Level level = levels.peek();
                        level.name = parser.currentName();
                        if (!level.names.add(level.name)) {
                            found.add("duplicate field \"" + below(levels) + "\"");
                        }
                    }
                    default -> step(levels);
                }
            }
        }
        return found;
    }

    private static void step(Deque<Level> levels) {
        if (!levels.isEmpty()) {
            levels.peek().index++;
        }
    }

    private static String below(Deque<Level> levels) {
        Level level = levels.peek();
        if (level == null) {
            return "";
        }
        if (level.array) {
            return level.path + "[" + level.index + "]";
        }
        return level.path.isEmpty() ? level.name : level.path + "." + level.name;
    }

    private static final class Level {
        private final String path;
        private final boolean array;
        private final Set<String> names = new HashSet<>();
        private String name = "";
        private int index;

        Level(String path, JsonToken start) {
            this.path = path;
            this.array = start == JsonToken.START_ARRAY;
        }
    }
}
