package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;

import java.util.List;
import java.util.Optional;

/**
 * The OpenAPI v3 documents, as far as {@code kubectl apply} needs them: which kinds can be patched, and that the server
 * looks after the fields itself. No schemas are published, so {@code kubectl explain} has nothing to tell.
 */
final class OpenApi {
    private static final String ROOT = "/openapi/v3";

    private final ResourceCatalog catalog;

    OpenApi(ResourceCatalog catalog) {
        this.catalog = catalog;
    }

    Optional<ObjectNode> answer(String path) {
        if (path.equals(ROOT)) {
            return Optional.of(index());
        }
        String[] parts = path.startsWith(ROOT + "/") ? path.substring(ROOT.length() + 1).split("/") : new String[0];
        if (parts.length == 2 && parts[0].equals("api")) {
            return document("", parts[1]);
        }
        return parts.length == 3 && parts[0].equals("apis") ? document(parts[1], parts[2]) : Optional.empty();
    }

    private ObjectNode index() {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        paths.putObject("api/v1").put("serverRelativeURL", ROOT + "/api/v1?hash=lab");
        catalog.groups().forEach((group, versions) -> versions.forEach(version -> {
            String path = "apis/" + group + "/" + version;
            paths.putObject(path).put("serverRelativeURL", ROOT + "/" + path + "?hash=lab");
        }));
        return index;
    }

    private Optional<ObjectNode> document(String group, String version) {
        List<ResourceType> types = catalog.types(group, version);
        if (types.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "unversioned");
        ObjectNode paths = document.putObject("paths");
        String base = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        types.stream().filter(type -> type.allows("patch")).forEach(type -> patch(paths.putObject(base
                + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.resource().plural() + "/{name}"),
                type));
        return Optional.of(document);
    }

    private static void patch(ObjectNode path, ResourceType type) {
        ObjectNode patch = path.putObject("patch");
        ObjectNode parameter = patch.putArray("parameters").addObject().put("name", "fieldValidation")
                .put("in", "query");
        parameter.putObject("schema").put("type", "string");
        patch.putObject("responses").putObject("200").put("description", "OK");
        patch.putObject("x-kubernetes-group-version-kind").put("group", type.resource().group())
                .put("version", type.version()).put("kind", type.kind());
    }
}
