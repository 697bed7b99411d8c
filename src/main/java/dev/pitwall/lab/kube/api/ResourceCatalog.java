package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.kube.api.ResourceType.Column;
import dev.pitwall.lab.kube.store.FieldIndex;
import dev.pitwall.lab.kube.store.Resource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** What the API server serves, read from {@code lab/kube/catalog.yaml}. */
public final class ResourceCatalog implements FieldIndex {
    private final List<ResourceType> types;
    private final Map<Resource, ResourceType> byResource = new HashMap<>();

    private ResourceCatalog(List<ResourceType> types) {
        this.types = List.copyOf(types);
        types.forEach(type -> byResource.put(type.resource(), type));
    }

    public static ResourceCatalog load() {
        try (InputStream in = ResourceCatalog.class.getResourceAsStream("/lab/kube/catalog.yaml")) {
            List<ResourceType> types = new ArrayList<>();
            for (JsonNode group : new YAMLMapper().readTree(in).path("groups")) {
                group.path("resources").forEach(resource -> types.add(type(group, resource)));
            }
            return new ResourceCatalog(types);
        } catch (IOException e) {
            throw new UncheckedIOException("the lab's resource catalogue cannot be read", e);
        }
    }

    public List<ResourceType> types() {
        return types;
    }

    public Optional<ResourceType> find(String group, String version, String plural) {
        return Optional.ofNullable(byResource.get(new Resource(group, plural)))
                .filter(type -> type.version().equals(version));
    }

    /** @throws IllegalArgumentException if the catalogue does not have it */
    public ResourceType type(Resource resource) {
        ResourceType type = byResource.get(resource);
        if (type == null) {
            throw new IllegalArgumentException("the catalogue has no " + resource.qualified());
        }
        return type;
    }

    /** Groups other than the core one, each with its versions, in the order of the catalogue. */
    public Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (ResourceType type : types) {
            List<String> versions = groups.computeIfAbsent(type.resource().group(), g -> new ArrayList<>());
            if (!versions.contains(type.version())) {
                versions.add(type.version());
            }
        }
        groups.remove("");
        return groups;
    }

    public List<ResourceType> types(String group, String version) {
        return types.stream()
                .filter(type -> type.resource().group().equals(group) && type.version().equals(version)).toList();
    }

    @Override
    public Map<String, String> fieldsOf(Resource resource, ObjectNode object) {
        ResourceType type = byResource.get(resource);
        if (type == null || type.fields().isEmpty()) {
            return Map.of();
        }
        Map<String, String> values = new HashMap<>();
        for (String field : type.fields()) {
            JsonNode value = object.at("/" + field.replace('.', '/'));
            if (value.isValueNode() && !value.asText().isEmpty()) {
                values.put(field, value.asText().intern());
            }
        }
        return Map.copyOf(values);
    }

    private static ResourceType type(JsonNode group, JsonNode entry) {
        String kind = entry.path("kind").asText();
        return new ResourceType(
                new Resource(group.path("group").asText(), entry.path("plural").asText()),
                group.path("versions").path(0).asText(),
                kind,
                entry.path("singular").asText(kind.toLowerCase(Locale.ROOT)),
                !entry.path("scope").asText("").equals("Cluster"),
                group.path("custom").asBoolean(false),
                texts(entry.path("short")),
                texts(entry.path("categories")),
                entry.has("verbs") ? texts(entry.path("verbs")) : ResourceType.READ_WRITE,
                texts(entry.path("subresources")),
                texts(entry.path("fields")),
                StreamSupport.stream(entry.path("columns").spliterator(), false).map(ResourceCatalog::column).toList(),
                entry.path("nameColumn").asText("").equals("wide"));
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
