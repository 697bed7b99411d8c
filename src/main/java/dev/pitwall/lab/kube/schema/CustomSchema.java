package dev.pitwall.lab.kube.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.schema.Schema.ListKind;
import dev.pitwall.lab.kube.schema.Schema.Lists;
import dev.pitwall.lab.kube.schema.Schema.Shape;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Makes a {@link Schema} of the {@code openAPIV3Schema} in a custom resource's definition. */
public final class CustomSchema {
    private final Schema metadata;

    public CustomSchema(ApiTypes types) {
        this.metadata = types.schema("meta/v1.ObjectMeta").orElse(Schema.ANY);
    }

    /** @param schema of the whole object; a missing one stands for anything */
    public Schema of(JsonNode schema) {
        return root(schema);
    }

    private Schema root(JsonNode schema) {
        Lazy<Map<String, Schema>> fields = new Lazy<>(() -> {
            Map<String, Schema> all = new LinkedHashMap<>();
            all.put("apiVersion", Schema.scalar("string"));
            all.put("kind", Schema.scalar("string"));
            schema.path("properties").properties().forEach(property ->
                    all.put(property.getKey(), part(property.getValue())));
            all.put("apiVersion", Schema.scalar("string"));
            all.put("kind", Schema.scalar("string"));
            all.put("metadata", metadata);
            return all;
        });
        boolean open = open(schema) || !schema.has("properties") && !schema.path("type").isTextual();
        return Schema.of(Shape.OBJECT, "", fields, () -> Schema.ANY).asOpen(open);
    }

    private Schema part(JsonNode schema) {
        if (schema.path("x-kubernetes-embedded-resource").asBoolean()) {
            return root(schema);
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return Schema.scalar("intstr");
        }
        return switch (schema.path("type").asText("")) {
            case "object" -> object(schema);
            case "array" -> Schema.of(Shape.LIST, "", Map::of, new Lazy<>(() -> part(schema.path("items"))))
                    .with(lists(schema));
            case "string" -> Schema.scalar("string");
            case "boolean" -> Schema.scalar("bool");
            case "integer" -> Schema.scalar("int64");
            case "number" -> Schema.scalar("double");
            default -> Schema.ANY;
        };
    }

    private Schema object(JsonNode schema) {
        boolean atomic = schema.path("x-kubernetes-map-type").asText("").equals("atomic");
        boolean named = schema.has("properties");
        JsonNode more = schema.path("additionalProperties");
        if (!named && more.isObject()) {
            return Schema.of(Shape.MAP, "", Map::of, new Lazy<>(() -> part(more))).asAtomic(atomic);
        }
        if (!named && open(schema)) {
            return Schema.ANY.asAtomic(atomic);
        }
        return Schema.of(Shape.OBJECT, "", new Lazy<>(() -> fields(schema)), () -> Schema.ANY).asAtomic(atomic)
                .asOpen(open(schema));
    }

    private Map<String, Schema> fields(JsonNode schema) {
        List<String> required = texts(schema.path("required"));
        Map<String, Schema> fields = new LinkedHashMap<>();
        schema.path("properties").properties().forEach(property -> fields.put(property.getKey(),
                part(property.getValue()).asRequired(required.contains(property.getKey()))));
        return fields;
    }

    private static boolean open(JsonNode schema) {
        return schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()
                || schema.path("additionalProperties").asBoolean();
    }

    private static Lists lists(JsonNode schema) {
        return switch (schema.path("x-kubernetes-list-type").asText("")) {
            case "map" -> new Lists(ListKind.MAP, texts(schema.path("x-kubernetes-list-map-keys")));
            case "set" -> new Lists(ListKind.SET, List.of());
            default -> Lists.ATOMIC;
        };
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
    }
}
