package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Tree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A cluster that keeps objects and does nothing with them. */
public class PaperCluster implements Cluster {
    private static final YAMLMapper YAML = new YAMLMapper();

    public String version = "v1.33.5+rke2r1";
    public final Map<ObjectType, List<JsonNode>> objects = new HashMap<>();
    public final Set<String> denied = new HashSet<>();
    public final Map<ObjectType, Trouble> broken = new HashMap<>();
    /** Why no pod may leave. */
    public Optional<String> held = Optional.empty();
    public final List<String> asked = new CopyOnWriteArrayList<>();

    public static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public PaperCluster with(ObjectType type, String... manifests) {
        for (String manifest : manifests) {
            ObjectNode object = (ObjectNode) yaml(manifest);
            object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
            objects.computeIfAbsent(type, t -> new ArrayList<>()).add(object);
        }
        return this;
    }

    @Override
    public String name() {
        return "paper";
    }

    @Override
    public String identity() {
        return "paper";
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Optional<JsonNode> get(ObjectRef object) throws TroubleException {
        return list(object.type(), object.namespace(), "").stream()
                .filter(o -> o.at("/metadata/name").asText().equals(object.name())).findFirst();
    }

    @Override
    public List<JsonNode> list(ObjectType type, String namespace, String labels) throws TroubleException {
        asked.add("list " + type.resource() + " " + namespace);
        return found(type, namespace);
    }

    private List<JsonNode> found(ObjectType type, String namespace) throws TroubleException {
        if (broken.containsKey(type)) {
            throw new TroubleException(broken.get(type));
        }
        return objects.getOrDefault(type, List.of()).stream().filter(o -> namespace.isEmpty()
                || o.at("/metadata/namespace").asText().equals(namespace)).toList();
    }

    @Override
    public List<JsonNode> picked(ObjectType type, String namespace, String fields) throws TroubleException {
        asked.add("pick " + type.resource() + " " + namespace + " " + fields);
        return found(type, namespace).stream().filter(object -> Stream.of(fields.split(","))
                .map(term -> term.split("=", 2)).allMatch(term -> object.at("/" + term[0].replace('.', '/'))
                        .asText("").equals(term[1]))).toList();
    }

    @Override
    public JsonNode create(ObjectRef object, JsonNode manifest, Earnest earnest) {
        objects.computeIfAbsent(object.type(), t -> new ArrayList<>()).add(manifest);
        return manifest;
    }

    @Override
    public JsonNode patch(ObjectRef object, JsonNode fields, String resourceVersion, Earnest earnest)
            throws TroubleException {
        asked.add("patch " + object.name());
        JsonNode before = get(object).orElseThrow();
        objects.get(object.type()).remove(before);
        return create(object, Tree.over(before, fields), earnest);
    }

    @Override
    public Optional<String> evict(ObjectRef pod) throws TroubleException {
        asked.add("evict " + pod.name());
        if (held.isEmpty()) {
            delete(pod);
        }
        return held;
    }

    @Override
    public void delete(ObjectRef object) throws TroubleException {
        get(object).ifPresent(o -> objects.get(object.type()).remove(o));
    }

    @Override
    public boolean may(String verb, ObjectType type, String namespace) {
        return type.resource().equals("*.*") ? denied.isEmpty()
                : !denied.contains((verb + " " + type.resource() + " " + namespace).strip());
    }

    @Override
    public String log(ObjectRef pod, String container, int lines) {
        return "";
    }

    @Override
    public String ask(ObjectRef service, String port, Verb verb, String path, Optional<String> body) {
        return "";
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
