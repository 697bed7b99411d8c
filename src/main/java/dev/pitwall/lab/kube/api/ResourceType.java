package dev.pitwall.lab.kube.api;

import dev.pitwall.lab.kube.store.Resource;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One resource the API server serves.
 *
 * @param version      the version it is served at
 * @param namespaced   false for cluster scope
 * @param custom       defined by a CustomResourceDefinition
 * @param fields       selectable fields besides {@code metadata.name} and {@code metadata.namespace}
 * @param columns      what {@code kubectl get} prints after the name
 * @param nameIsWide   the name itself is printed with {@code -o wide} only
 */
public record ResourceType(Resource resource, String version, String kind, String singular, boolean namespaced,
                           boolean custom, List<String> shortNames, List<String> categories, List<String> verbs,
                           List<String> subresources, List<String> fields, List<Column> columns,
                           boolean nameIsWide) {
    /** Verbs of a resource that can be read and written. */
    public static final List<String> READ_WRITE =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    /** @param value a JSON pointer if it starts with a slash, else the name of a formula */
    public record Column(String name, String type, boolean wide, String value) {
    }

    public String apiVersion() {
        return resource.group().isEmpty() ? version : resource.group() + "/" + version;
    }

    public boolean allows(String verb) {
        return verbs.contains(verb);
    }

    /** The object's full JSON: what is kept, with {@code kind} and {@code apiVersion} before it. */
    byte[] named(byte[] json) {
        byte[] head = ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion() + "\",")
                .getBytes(StandardCharsets.UTF_8);
        byte[] full = new byte[head.length + json.length - 1];
        System.arraycopy(head, 0, full, 0, head.length);
        System.arraycopy(json, 1, full, head.length, json.length - 1);
        return full;
    }
}
