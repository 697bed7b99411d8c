package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.api.ResourceType.Column;
import dev.pitwall.lab.kube.api.ResourceType.ScalePaths;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.schema.ApiTypes;
import dev.pitwall.lab.kube.schema.CustomSchema;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.store.Resource;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Reads CustomResourceDefinitions: what they make the server serve. */
final class CustomTypes {
    private static final Column AGE = new Column("Age", "date", false, ".metadata.creationTimestamp");

    private final CustomSchema schemas;

    CustomTypes(ApiTypes types) {
        this.schemas = new CustomSchema(types);
    }

    /** A definition that comes with the lab, as the API server keeps one: with its names accepted. */
    static ObjectNode bundled(String name) {
        ObjectNode definition = (ObjectNode) DataFile.tree("kube/crds/" + name + ".yaml");
        definition.remove(List.of("apiVersion", "kind"));
        return definition;
    }

    /** One type for each version that is served. */
    List<ResourceType> of(JsonNode definition) {
        JsonNode spec = definition.path("spec");
        List<ResourceType> types = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean()) {
                types.add(type(spec, version));
            }
        }
        return types;
    }

    private ResourceType type(JsonNode spec, JsonNode version) {
        JsonNode names = spec.path("names");
        String kind = names.path("kind").asText();
        Resource resource = new Resource(spec.path("group").asText(), names.path("plural").asText());
        JsonNode openApi = version.at("/schema/openAPIV3Schema");
        Schema schema = schemas.of(openApi);
        List<String> subresources = new ArrayList<>();
        version.path("subresources").fieldNames().forEachRemaining(subresources::add);
        return new ResourceType(resource, resource, version.path("name").asText(), kind,
                names.path("singular").asText(kind.toLowerCase(Locale.ROOT)),
                spec.path("scope").asText().equals("Namespaced"), true, Texts.list(names.path("shortNames")),
                Texts.list(names.path("categories")), ResourceType.READ_WRITE, subresources, fields(version),
                columns(version.path("additionalPrinterColumns")), false, Map.of(), schema, openApi,
                scale(version.at("/subresources/scale")));
    }

    private static List<String> fields(JsonNode version) {
        return texts(version.path("selectableFields"), "jsonPath").stream()
                .map(path -> path.replaceFirst("^\\.", "")).toList();
    }

    private static List<Column> columns(JsonNode columns) {
        List<Column> found = new ArrayList<>();
        columns.forEach(column -> found.add(new Column(column.path("name").asText(), column.path("type").asText(),
                column.path("priority").asInt(0) > 0, column.path("jsonPath").asText())));
        return found.isEmpty() ? List.of(AGE) : found;
    }

    private static Optional<ScalePaths> scale(JsonNode scale) {
        return scale.isObject() ? Optional.of(new ScalePaths(pointer(scale, "specReplicasPath"),
                pointer(scale, "statusReplicasPath"), pointer(scale, "labelSelectorPath"))) : Optional.empty();
    }

    private static String pointer(JsonNode scale, String name) {
        return scale.path(name).asText("").replace('.', '/');
    }

    private static List<String> texts(JsonNode list, String field) {
        return StreamSupport.stream(list.spliterator(), false).map(entry -> entry.path(field).asText()).toList();
    }

    /** Writes into a definition that its names are accepted and it is served, in place. */
    static void establish(ObjectNode definition, String now) {
        ObjectNode status = definition.withObjectProperty("status");
        JsonNode names = definition.at("/spec/names");
        status.set("acceptedNames", names.deepCopy());
        ArrayNode stored = status.withArrayProperty("storedVersions");
        for (JsonNode version : definition.at("/spec/versions")) {
            if (version.path("storage").asBoolean() && !Texts.list(stored).contains(version.path("name").asText())) {
                stored.add(version.path("name").asText());
            }
        }
        if (status.path("conditions").isEmpty()) {
            ArrayNode conditions = status.putArray("conditions");
            condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found", now);
            condition(conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted", now);
        }
    }

    private static void condition(ArrayNode conditions, String type, String reason, String message, String now) {
        conditions.addObject().put("type", type).put("status", "True").put("lastTransitionTime", now)
                .put("reason", reason).put("message", message);
    }
}
