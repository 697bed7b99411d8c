package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.schema.Schema;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.Resource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One resource the API server serves, at one version.
 *
 * @param stored       the resource its objects are kept under; another one for a second view on the same objects
 * @param version      the version it is served at
 * @param namespaced   false for cluster scope
 * @param custom       defined by a CustomResourceDefinition
 * @param fields       selectable fields besides {@code metadata.name} and {@code metadata.namespace}
 * @param columns      what {@code kubectl get} prints after the name
 * @param nameIsWide   the name itself is printed with {@code -o wide} only
 * @param renames      name of a field here, and as it is kept; empty unless it is a second view
 * @param schema       its shape
 * @param openApi      the schema of a custom resource as its definition has it; missing for a built-in one
 * @param scale        where the {@code scale} subresource finds its fields
 */
public record ResourceType(Resource resource, Resource stored, String version, String kind, String singular,
                           boolean namespaced, boolean custom, List<String> shortNames, List<String> categories,
                           List<String> verbs, List<String> subresources, List<String> fields, List<Column> columns,
                           boolean nameIsWide, Map<String, String> renames, Schema schema, JsonNode openApi,
                           Optional<ScalePaths> scale) {
    /** Verbs of a resource that can be read and written. */
    public static final List<String> READ_WRITE =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    /**
     * @param value a JSON pointer if it starts with a slash, a JSON path if it starts with a dot, else the name of a formula
     */
    public record Column(String name, String type, boolean wide, String value) {
    }

    /** JSON pointers to the numbers of replicas. @param selector empty if there is none */
    public record ScalePaths(String spec, String status, String selector) {
    }

    public String apiVersion() {
        return resource.group().isEmpty() ? version : resource.group() + "/" + version;
    }

    public boolean allows(String verb) {
        return verbs.contains(verb);
    }

    /** The kind with its group, as error texts name it: {@code Deployment.apps}. */
    String qualifiedKind() {
        return resource.group().isEmpty() ? kind : kind + "." + resource.group();
    }

    /** The object's full JSON: what is kept, with {@code kind} and {@code apiVersion} before it. */
    byte[] named(byte[] kept) {
        byte[] json = renames.isEmpty() ? kept : Json.bytes(shown(Json.read(kept)));
        byte[] head = ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion() + "\",")
                .getBytes(StandardCharsets.UTF_8);
        byte[] full = new byte[head.length + json.length - 1];
        System.arraycopy(head, 0, full, 0, head.length);
        System.arraycopy(json, 1, full, head.length, json.length - 1);
        return full;
    }

    private ObjectNode shown(ObjectNode object) {
        renames.forEach((here, kept) -> rename(object, kept, here));
        return object;
    }

    /** Brings an object that was sent into the form that is kept, in place. */
    void store(ObjectNode object) {
        renames.forEach((here, kept) -> rename(object, here, kept));
    }

    /** The path of a field as it is kept. */
    String storedField(String field) {
        int dot = field.indexOf('.');
        String head = dot < 0 ? field : field.substring(0, dot);
        return renames.getOrDefault(head, head) + (dot < 0 ? "" : field.substring(dot));
    }

    private static void rename(ObjectNode object, String from, String to) {
        JsonNode value = object.remove(from);
        if (value != null) {
            object.set(to, value);
        }
    }
}
