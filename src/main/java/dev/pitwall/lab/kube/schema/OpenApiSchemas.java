package dev.pitwall.lab.kube.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.schema.Schema.ListKind;
import dev.pitwall.lab.kube.store.Json;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes schemas as OpenAPI v3 components, with Kubernetes' extensions for lists and patches. */
public final class OpenApiSchemas {
    private static final String META = "meta/v1.ObjectMeta";

    private final ApiTypes types;

    public OpenApiSchemas(ApiTypes types) {
        this.types = types;
    }

    /** @param type name in the table of built-in types; it need not be there */
    public record Kind(String group, String version, String kind, String type) {
    }

    /**
     * Adds the schema of a kind and of everything in it.
     *
     * @param custom its schema in its definition; missing for a built-in kind
     * @return the name it has among the components
     */
    public String add(ObjectNode components, Kind kind, JsonNode custom) {
        String name = types.message(kind.type()).isPresent() && custom.isMissingNode() ? component(kind.type())
                : reversed(kind.group()) + "." + kind.version() + "." + kind.kind();
        if (!components.has(name)) {
            ObjectNode schema = components.putObject(name);
            if (custom.isMissingNode()) {
                types.schema(kind.type()).ifPresent(built -> object(components, built, schema));
            } else {
                custom(components, custom, schema);
            }
            schema.put("type", "object");
        }
        ArrayNode kinds = ((ObjectNode) components.get(name)).putArray("x-kubernetes-group-version-kind");
        kinds.addObject().put("group", kind.group()).put("version", kind.version()).put("kind", kind.kind());
        return name;
    }

    private void custom(ObjectNode components, JsonNode custom, ObjectNode schema) {
        custom.properties().forEach(field -> schema.set(field.getKey(), field.getValue().deepCopy()));
        ObjectNode properties = schema.withObjectProperty("properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        reference(components, META, properties.putObject("metadata"));
    }

    /** {@code core/v1.Pod} as {@code io.k8s.api.core.v1.Pod}. */
    private static String component(String type) {
        String dotted = type.replace('/', '.');
        return type.startsWith("meta/") ? "io.k8s.apimachinery.pkg.apis." + dotted
                : type.startsWith("apiextensions/") ? "io.k8s.apiextensions-apiserver.pkg.apis." + dotted
                : "io.k8s.api." + dotted;
    }

    private static String reversed(String group) {
        List<String> parts = List.of(group.split("\\."));
        return String.join(".", parts.reversed());
    }

    private void reference(ObjectNode components, String type, ObjectNode into) {
        String name = component(type);
        if (!components.has(name)) {
            ObjectNode schema = components.putObject(name);
            schema.put("type", "object");
            types.schema(type).ifPresent(built -> object(components, built, schema));
        }
        // Beside a reference, a default or an extension counts only outside of it.
        into.putArray("allOf").addObject().put("$ref", "#/components/schemas/" + name);
    }

    private void object(ObjectNode components, Schema schema, ObjectNode into) {
        into.put("type", "object");
        ArrayNode required = Json.object().putArray("required");
        ObjectNode properties = into.putObject("properties");
        for (Map.Entry<String, Schema> field : schema.fields().get().entrySet()) {
            property(components, field.getValue(), properties.putObject(field.getKey()));
            if (field.getValue().required()) {
                required.add(field.getKey());
            }
        }
        if (!required.isEmpty()) {
            into.set("required", required);
        }
        if (schema.atomic()) {
            into.put("x-kubernetes-map-type", "atomic");
        }
    }

    private void property(ObjectNode components, Schema schema, ObjectNode into) {
        switch (schema.shape()) {
            case OBJECT -> {
                if (schema.typeName().isEmpty()) {
                    object(components, schema, into);
                } else {
                    reference(components, schema.typeName(), into);
                }
            }
            case MAP -> {
                into.put("type", "object");
                property(components, schema.element().get(), into.putObject("additionalProperties"));
                if (schema.atomic()) {
                    into.put("x-kubernetes-map-type", "atomic");
                }
            }
            case LIST -> {
                into.put("type", "array");
                property(components, schema.element().get(), into.putObject("items"));
                list(schema, into);
            }
            case SCALAR -> scalar(schema.scalar(), into);
            case ANY -> into.put("type", "object").put("x-kubernetes-preserve-unknown-fields", true);
        }
    }

    private static void list(Schema schema, ObjectNode into) {
        ListKind kind = schema.lists().kind();
        into.put("x-kubernetes-list-type", kind.name().toLowerCase(Locale.ROOT));
        if (kind == ListKind.MAP) {
            ArrayNode keys = into.putArray("x-kubernetes-list-map-keys");
            schema.lists().keys().forEach(keys::add);
        }
        if (schema.strategy().merges()) {
            into.put("x-kubernetes-patch-strategy", schema.strategy().retainKeys() ? "merge,retainKeys" : "merge");
            if (!schema.strategy().key().isEmpty()) {
                into.put("x-kubernetes-patch-merge-key", schema.strategy().key());
            }
        }
    }

    private static void scalar(String type, ObjectNode into) {
        switch (type) {
            case "bool" -> into.put("type", "boolean");
            case "int32", "int64" -> into.put("type", "integer").put("format", type);
            case "double" -> into.put("type", "number").put("format", type);
            case "bytes" -> into.put("type", "string").put("format", "byte");
            case "time", "microtime" -> into.put("type", "string").put("format", "date-time");
            case "intstr" -> into.put("format", "int-or-string").putArray("oneOf").add(Json.object().put("type",
                    "integer")).add(Json.object().put("type", "string"));
            case "quantity" -> into.putArray("oneOf").add(Json.object().put("type", "string"))
                    .add(Json.object().put("type", "number"));
            default -> into.put("type", "string");
        }
    }
}
