package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.schema.ApiTypes;
import dev.pitwall.lab.kube.schema.OpenApiSchemas;
import dev.pitwall.lab.kube.store.Json;
import io.undertow.util.Headers;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The OpenAPI v3 documents, one for each group and version: what can be done with each kind, and the schemas behind {@code kubectl
 * explain} and {@code kubectl apply}. The schemas have no descriptions.
 */
final class OpenApi {
    private static final String ROOT = "/openapi/v3";
    private static final String V2 = "/openapi/v2";

    private final ResourceCatalog catalog;
    private final OpenApiSchemas schemas;
    private final OpenApiTwo version2 = new OpenApiTwo();
    private final Map<String, byte[]> documents = new HashMap<>();
    private long version = -1;

    OpenApi(ResourceCatalog catalog) {
        this.catalog = catalog;
        this.schemas = new OpenApiSchemas(catalog.apiTypes());
    }

    /** @throws ApiFailure 404 for a path with no document */
    void answer(Call call, String path) throws IOException {
        if (path.equals(ROOT)) {
            call.answer(index());
            return;
        }
        if (path.equals(V2)) {
            version2.answer(call);
            return;
        }
        String[] parts = path.startsWith(ROOT + "/") ? path.substring(ROOT.length() + 1).split("/") : new String[0];
        Optional<byte[]> document = parts.length == 2 && parts[0].equals("api") ? document("", parts[1])
                : parts.length == 3 && parts[0].equals("apis") ? document(parts[1], parts[2]) : Optional.empty();
        call.exchange().getResponseHeaders().put(Headers.ETAG, "\"" + catalog.version() + "\"");
        call.answer(200, document.orElseThrow(ApiFailure::noSuchPath));
    }

    private ObjectNode index() {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        String hash = "?hash=" + catalog.version();
        paths.putObject("api/v1").put("serverRelativeURL", ROOT + "/api/v1" + hash);
        catalog.groups().forEach((group, versions) -> versions.forEach(version -> {
            String path = "apis/" + group + "/" + version;
            paths.putObject(path).put("serverRelativeURL", ROOT + "/" + path + hash);
        }));
        return index;
    }

    private synchronized Optional<byte[]> document(String group, String version) {
        if (this.version != catalog.version()) {
            this.version = catalog.version();
            documents.clear();
        }
        List<ResourceType> types = catalog.types(group, version);
        return types.isEmpty() ? Optional.empty()
                : Optional.of(documents.computeIfAbsent(group + "/" + version, key -> Json.bytes(made(types))));
    }

    private ObjectNode made(List<ResourceType> types) {
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "unversioned");
        ObjectNode paths = document.putObject("paths");
        ObjectNode components = document.putObject("components").putObject("schemas");
        for (ResourceType type : types) {
            String name = schemas.add(components, gvk(type), type.openApi());
            paths(paths, type, name);
        }
        return document;
    }

    private static OpenApiSchemas.Kind gvk(ResourceType type) {
        return new OpenApiSchemas.Kind(type.resource().group(), type.version(), type.kind(),
                ApiTypes.name(type.resource().group(), type.version(), type.kind()));
    }

    private static void paths(ObjectNode paths, ResourceType type, String schema) {
        String base = type.resource().group().isEmpty() ? "/api/" + type.version()
                : "/apis/" + type.resource().group() + "/" + type.version();
        String collection = base + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.resource().plural();
        ObjectNode all = paths.putObject(collection);
        if (type.allows("list")) {
            operation(all, "get", "list", type, schema);
        }
        if (type.allows("create")) {
            operation(all, "post", "post", type, schema);
        }
        if (type.allows("patch")) {
            ObjectNode one = paths.putObject(collection + "/{name}");
            operation(one, "get", "get", type, schema);
            operation(one, "put", "put", type, schema);
            operation(one, "patch", "patch", type, schema);
            operation(one, "delete", "delete", type, schema);
        }
    }

    private static void operation(ObjectNode path, String method, String action, ResourceType type, String schema) {
        ObjectNode operation = path.putObject(method);
        ArrayNode parameters = operation.putArray("parameters");
        if (!method.equals("get") && !method.equals("delete")) {
            for (String name : List.of("dryRun", "fieldManager", "fieldValidation")) {
                parameters.addObject().put("name", name).put("in", "query").putObject("schema").put("type", "string");
            }
        }
        operation.putObject("responses").putObject("200").put("description", "OK").putObject("content")
                .putObject("application/json").putObject("schema").put("$ref", "#/components/schemas/" + schema);
        operation.put("x-kubernetes-action", action);
        operation.set("x-kubernetes-group-version-kind", kind(type));
    }

    private static JsonNode kind(ResourceType type) {
        return Json.object().put("group", type.resource().group()).put("version", type.version())
                .put("kind", type.kind());
    }
}
