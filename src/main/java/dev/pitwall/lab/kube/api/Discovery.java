package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import io.undertow.util.Headers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the server serves: plain discovery, aggregated discovery, version and the OpenAPI documents. */
final class Discovery {
    private static final Pattern AGGREGATED = Pattern.compile("g=apidiscovery\\.k8s\\.io;v=(v2beta1|v2)\\b");
    /** Kinds of subresources that are not those of their object. */
    private static final Map<String, GroupKind> KINDS = Map.of("scale", new GroupKind("autoscaling", "v1", "Scale"),
            "eviction", new GroupKind("policy", "v1", "Eviction"), "binding", new GroupKind("", "", "Binding"),
            "token", new GroupKind("authentication.k8s.io", "v1", "TokenRequest"),
            "exec", new GroupKind("", "", "PodExecOptions"), "attach", new GroupKind("", "", "PodAttachOptions"),
            "portforward", new GroupKind("", "", "PodPortForwardOptions"));
    private static final Pattern GIT_VERSION = Pattern.compile("v(\\d+)\\.(\\d+).*");

    /** @param version empty for the version of the object itself */
    private record GroupKind(String group, String version, String kind) {
    }

    private final ResourceCatalog catalog;
    private final OpenApi openApi;
    private final Supplier<String> gitVersion;

    Discovery(ResourceCatalog catalog, Supplier<String> gitVersion) {
        this.catalog = catalog;
        this.openApi = new OpenApi(catalog);
        this.gitVersion = gitVersion;
    }

    /** @throws ApiFailure 404 if the path is not one of discovery */
    void answer(Call call, String path) throws IOException {
        if (path.startsWith("/openapi/")) {
            openApi.answer(call, path);
            return;
        }
        call.answer(document(call, path).orElseThrow(ApiFailure::noSuchPath));
    }

    private Optional<ObjectNode> document(Call call, String path) {
        boolean list = path.equals("/api") || path.equals("/apis");
        Matcher aggregated = AGGREGATED.matcher(call.header(Headers.ACCEPT).replace(" ", ""));
        if (list && aggregated.find()) {
            call.exchange().getResponseHeaders().put(Headers.VARY, "Accept");
            return Optional.of(aggregated(path.equals("/api"), aggregated.group(1)));
        }
        String[] parts = path.substring(1).split("/");
        return switch (parts.length) {
            case 1 -> top(path);
            case 2 -> second(parts);
            case 3 -> parts[0].equals("apis") ? resources(parts[1], parts[2]) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** The content type of an aggregated answer, which clients check before they read it as one. */
    static Optional<String> contentType(ObjectNode answer) {
        return answer.path("kind").asText().equals("APIGroupDiscoveryList")
                ? Optional.of("application/json;g=apidiscovery.k8s.io;v="
                + answer.path("apiVersion").asText().replace("apidiscovery.k8s.io/", "") + ";as=APIGroupDiscoveryList")
                : Optional.empty();
    }

    private Optional<ObjectNode> top(String path) {
        return switch (path) {
            case "/" -> Optional.of(paths());
            case "/api" -> Optional.of(coreVersions());
            case "/apis" -> Optional.of(groupList());
            case "/version" -> Optional.of(version());
            default -> Optional.empty();
        };
    }

    private Optional<ObjectNode> second(String[] parts) {
        return switch (parts[0]) {
            case "api" -> resources("", parts[1]);
            case "apis" -> Optional.ofNullable(catalog.groups().get(parts[1])).map(versions -> group(
                    Json.object().put("kind", "APIGroup").put("apiVersion", "v1"), parts[1], versions));
            default -> Optional.empty();
        };
    }

    /** What {@code kubectl get --raw /} shows: every path that has something below it. */
    private ObjectNode paths() {
        Set<String> paths = new TreeSet<>(Set.of("/api", "/api/v1", "/apis", "/healthz", "/livez", "/readyz",
                "/openapi/v3", "/version"));
        catalog.groups().forEach((group, versions) -> {
            paths.add("/apis/" + group);
            versions.forEach(version -> paths.add("/apis/" + group + "/" + version));
        });
        ObjectNode answer = Json.object();
        texts(answer, "paths", List.copyOf(paths));
        return answer;
    }

    private static ObjectNode coreVersions() {
        ObjectNode answer = Json.object().put("kind", "APIVersions");
        answer.putArray("versions").add("v1");
        // A field that clients require; none of them needs another address than the one that it came by.
        answer.putArray("serverAddressByClientCIDRs");
        return answer;
    }

    private ObjectNode groupList() {
        ObjectNode answer = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = answer.putArray("groups");
        catalog.groups().forEach((name, versions) -> groups.add(group(Json.object(), name, versions)));
        return answer;
    }

    private static ObjectNode group(ObjectNode group, String name, List<String> versions) {
        group.put("name", name);
        ArrayNode list = group.putArray("versions");
        versions.forEach(version -> list.addObject().put("groupVersion", name + "/" + version)
                .put("version", version));
        group.putObject("preferredVersion").put("groupVersion", name + "/" + versions.getFirst())
                .put("version", versions.getFirst());
        return group;
    }

    private Optional<ObjectNode> resources(String group, String version) {
        List<ResourceType> types = catalog.types(group, version);
        if (types.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode answer = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1")
                .put("groupVersion", types.getFirst().apiVersion());
        ArrayNode resources = answer.putArray("resources");
        for (ResourceType type : types) {
            ObjectNode entry = resource(resources, type, type.resource().plural(), type.verbs());
            texts(entry, "shortNames", type.shortNames());
            texts(entry, "categories", type.categories());
            type.subresources().forEach(sub -> subresource(resources, type, sub));
        }
        return Optional.of(answer);
    }

    private static ObjectNode resource(ArrayNode resources, ResourceType type, String name, List<String> verbs) {
        boolean sub = name.contains("/");
        ObjectNode entry = resources.addObject().put("name", name).put("singularName", sub ? "" : type.singular())
                .put("namespaced", type.namespaced()).put("kind", type.kind());
        texts(entry, "verbs", verbs);
        return entry;
    }

    private static void subresource(ArrayNode resources, ResourceType type, String sub) {
        ObjectNode entry = resource(resources, type, type.resource().plural() + "/" + sub, subresourceVerbs(sub));
        GroupKind kind = KINDS.getOrDefault(sub, new GroupKind("", "", type.kind()));
        entry.put("kind", kind.kind());
        if (!kind.version().isEmpty()) {
            entry.put("group", kind.group()).put("version", kind.version());
        }
    }

    private static List<String> subresourceVerbs(String name) {
        return switch (name) {
            case "status", "scale" -> List.of("get", "patch", "update");
            case "log" -> List.of("get");
            case "proxy", "exec", "attach", "portforward" -> List.of("create", "get");
            case "finalize" -> List.of("update");
            default -> List.of("create");
        };
    }

    private ObjectNode aggregated(boolean core, String version) {
        ObjectNode answer = Json.object().put("kind", "APIGroupDiscoveryList")
                .put("apiVersion", "apidiscovery.k8s.io/" + version);
        answer.putObject("metadata");
        ArrayNode items = answer.putArray("items");
        Map<String, List<String>> groups = core ? Map.of("", List.of("v1")) : catalog.groups();
        groups.forEach((name, versions) -> {
            ObjectNode group = items.addObject();
            ObjectNode metadata = group.putObject("metadata");
            if (!name.isEmpty()) {
                metadata.put("name", name);
            }
            ArrayNode list = group.putArray("versions");
            versions.forEach(v -> {
                ObjectNode entry = list.addObject().put("version", v);
                ArrayNode resources = entry.putArray("resources");
                catalog.types(name, v).forEach(type -> aggregated(resources, type));
                entry.put("freshness", "Current");
            });
        });
        return answer;
    }

    private static void aggregated(ArrayNode resources, ResourceType type) {
        ObjectNode entry = resources.addObject().put("resource", type.resource().plural());
        kind(entry, type);
        entry.put("scope", type.namespaced() ? "Namespaced" : "Cluster").put("singularResource", type.singular());
        texts(entry, "verbs", type.verbs());
        texts(entry, "shortNames", type.shortNames());
        texts(entry, "categories", type.categories());
        ArrayNode subresources = entry.putArray("subresources");
        type.subresources().forEach(sub -> {
            ObjectNode part = subresources.addObject().put("subresource", sub);
            GroupKind own = KINDS.get(sub);
            if (own == null || own.version().isEmpty()) {
                kind(part, type);
                if (own != null) {
                    part.withObjectProperty("responseKind").put("kind", own.kind());
                }
            } else {
                part.putObject("responseKind").put("group", own.group()).put("version", own.version())
                        .put("kind", own.kind());
            }
            texts(part, "verbs", subresourceVerbs(sub));
        });
    }

    private static void kind(ObjectNode entry, ResourceType type) {
        entry.putObject("responseKind").put("group", type.resource().group()).put("version", type.version())
                .put("kind", type.kind());
    }

    private static void texts(ObjectNode entry, String name, List<String> values) {
        if (!values.isEmpty()) {
            ArrayNode list = entry.putArray(name);
            values.forEach(list::add);
        }
    }

    private ObjectNode version() {
        String git = gitVersion.get();
        Matcher numbers = GIT_VERSION.matcher(git);
        boolean known = numbers.matches();
        return Json.object().put("major", known ? numbers.group(1) : "").put("minor", known ? numbers.group(2) : "")
                .put("gitVersion", git).put("gitCommit", "").put("gitTreeState", "clean").put("buildDate", "")
                .put("goVersion", "").put("compiler", "gc").put("platform", "linux/amd64");
    }
}
