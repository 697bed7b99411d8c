package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.api.ResourceType.Column;
import dev.pitwall.lab.kube.api.ResourceType.ScalePaths;
import dev.pitwall.lab.kube.schema.ApiTypes;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.store.FieldIndex;
import dev.pitwall.lab.kube.store.Resource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * What the API server serves: the built-in resources of {@code lab/kube/catalog.yaml}, and the custom ones. Until it is told which
 * definitions there are, those that come with the lab count. Safe for any number of threads.
 */
public final class ResourceCatalog implements FieldIndex {
    private static final ScalePaths REPLICAS = new ScalePaths("/spec/replicas", "/status/replicas", "/spec/selector");

    private final ApiTypes apiTypes;
    private final CustomTypes customTypes;
    private final List<ResourceType> builtIn;
    private final Map<String, ObjectNode> definitions;
    /** Types by resource; those of the lab's own definitions are known even while they are not served. */
    private volatile Map<Resource, List<ResourceType>> known;
    private volatile List<ResourceType> served;
    private volatile long version;

    private ResourceCatalog(ApiTypes apiTypes, List<ResourceType> builtIn, Map<String, ObjectNode> definitions) {
        this.apiTypes = apiTypes;
        this.customTypes = new CustomTypes(apiTypes);
        this.builtIn = List.copyOf(builtIn);
        this.definitions = definitions;
        define(definitions.values());
    }

    public static ResourceCatalog load() {
        ApiTypes apiTypes = ApiTypes.load();
        JsonNode catalog = DataFile.tree("kube/catalog.yaml");
        List<ResourceType> types = new ArrayList<>();
        for (JsonNode group : catalog.path("groups")) {
            group.path("resources").forEach(resource -> types.add(type(apiTypes, group, resource)));
        }
        Map<String, ObjectNode> definitions = new LinkedHashMap<>();
        catalog.path("definitions").forEach(name -> definitions.put(name.asText(),
                CustomTypes.bundled(name.asText())));
        return new ResourceCatalog(apiTypes, types, definitions);
    }

    /** The built-in types' shapes. */
    public ApiTypes apiTypes() {
        return apiTypes;
    }

    /** Serves the custom resources of these definitions, and no others. */
    void define(Iterable<ObjectNode> all) {
        List<ResourceType> types = new ArrayList<>(builtIn);
        all.forEach(definition -> types.addAll(customTypes.of(definition)));
        Map<Resource, List<ResourceType>> index = new HashMap<>();
        types.forEach(type -> index.computeIfAbsent(type.resource(), r -> new ArrayList<>()).add(type));
        definitions.values().forEach(definition -> customTypes.of(definition)
                .forEach(type -> index.computeIfAbsent(type.resource(), r -> List.of(type))));
        served = List.copyOf(types);
        known = index;
        version++;
    }

    /** Goes up with each change of what is served. */
    long version() {
        return version;
    }

    public List<ResourceType> types() {
        return served;
    }

    public Optional<ResourceType> find(String group, String version, String plural) {
        return served.stream().filter(type -> type.resource().plural().equals(plural)
                && type.resource().group().equals(group) && type.version().equals(version)).findFirst();
    }

    /** The resource of a kind, at the version given. */
    public Optional<ResourceType> ofKind(String group, String version, String kind) {
        return served.stream().filter(type -> type.kind().equals(kind) && type.resource().group().equals(group)
                && type.version().equals(version)).findFirst();
    }

    /** @throws IllegalArgumentException if the catalogue does not have it */
    public ResourceType type(Resource resource) {
        List<ResourceType> types = known.get(resource);
        if (types == null) {
            throw new IllegalArgumentException("the catalogue has no " + resource.qualified());
        }
        return types.getFirst();
    }

    /** Groups other than the core one, each with its versions, in the order of the catalogue. */
    public Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (ResourceType type : served) {
            List<String> versions = groups.computeIfAbsent(type.resource().group(), g -> new ArrayList<>());
            if (!versions.contains(type.version())) {
                versions.add(type.version());
            }
        }
        groups.remove("");
        groups.values().forEach(versions -> versions.sort(ResourceCatalog::byStability));
        return groups;
    }

    /** Stable versions before betas before alphas, and among these the newest first, as Kubernetes orders them. */
    private static int byStability(String one, String other) {
        return Integer.compare(rank(other), rank(one));
    }

    private static int rank(String version) {
        int kind = version.contains("alpha") ? 0 : version.contains("beta") ? 1 : 2;
        String[] numbers = version.replaceAll("[^0-9]+", " ").strip().split(" ");
        int major = numbers[0].isEmpty() ? 0 : Integer.parseInt(numbers[0]);
        int minor = numbers.length > 1 ? Integer.parseInt(numbers[1]) : 0;
        return kind * 1_000_000 + major * 1000 + minor;
    }

    public List<ResourceType> types(String group, String version) {
        return served.stream()
                .filter(type -> type.resource().group().equals(group) && type.version().equals(version)).toList();
    }

    @Override
    public Map<String, String> fieldsOf(Resource resource, ObjectNode object) {
        List<ResourceType> types = known.get(resource);
        if (types == null || types.getFirst().fields().isEmpty()) {
            return Map.of();
        }
        Map<String, String> values = new HashMap<>();
        for (String field : types.getFirst().fields()) {
            JsonNode value = object.at("/" + field.replace('.', '/'));
            if (value.isValueNode() && !value.asText().isEmpty()) {
                values.put(field, value.asText().intern());
            }
        }
        return Map.copyOf(values);
    }

    private static ResourceType type(ApiTypes apiTypes, JsonNode group, JsonNode entry) {
        String kind = entry.path("kind").asText();
        Resource resource = new Resource(group.path("group").asText(), entry.path("plural").asText());
        String version = group.path("versions").path(0).asText();
        List<String> subresources = texts(entry.path("subresources"));
        Map<String, String> renames = new LinkedHashMap<>();
        entry.path("renames").properties().forEach(name -> renames.put(name.getKey(), name.getValue().asText()));
        return new ResourceType(resource,
                entry.has("stored") ? Resource.core(entry.path("stored").asText()) : resource, version, kind,
                entry.path("singular").asText(kind.toLowerCase(Locale.ROOT)),
                !entry.path("scope").asText("").equals("Cluster"), false,
                texts(entry.path("short")),
                texts(entry.path("categories")),
                entry.has("verbs") ? texts(entry.path("verbs")) : ResourceType.READ_WRITE, subresources,
                texts(entry.path("fields")),
                StreamSupport.stream(entry.path("columns").spliterator(), false).map(ResourceCatalog::column).toList(),
                entry.path("nameColumn").asText("").equals("wide"), renames,
                apiTypes.schema(resource.group(), version, kind).orElse(Schema.ANY), MissingNode.getInstance(),
                subresources.contains("scale") ? Optional.of(REPLICAS) : Optional.empty());
    }

    private static Column column(JsonNode entry) {
        return new Column(entry.path("name").asText(), entry.path("type").asText("string"),
                entry.path("wide").asBoolean(false),
                entry.has("path") ? entry.path("path").asText() : entry.path("cell").asText());
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
    }
}
