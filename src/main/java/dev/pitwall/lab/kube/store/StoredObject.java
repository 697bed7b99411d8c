package dev.pitwall.lab.kube.store;

import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Map;

/**
 * One version of one object, immutable. The object itself is kept as JSON text: a few kilobytes where a tree would take
 * tens, and a list of thousands goes to the wire without being built again.
 */
public final class StoredObject {
    private final ObjectKey key;
    private final String uid;
    private final long revision;
    private final Map<String, String> labels;
    private final Map<String, String> fields;
    private final byte[] json;

    StoredObject(ObjectKey key, String uid, long revision, Map<String, String> labels, Map<String, String> fields,
                 byte[] json) {
        this.key = key;
        this.uid = uid;
        this.revision = revision;
        this.labels = labels;
        this.fields = fields;
        this.json = json;
    }

    public ObjectKey key() {
        return key;
    }

    public String uid() {
        return uid;
    }

    /** The {@code metadata.resourceVersion} of this version. */
    public long revision() {
        return revision;
    }

    public Map<String, String> labels() {
        return labels;
    }

    /** Values a field selector may ask for, by path such as {@code spec.nodeName}; an absent one counts as empty. */
    public Map<String, String> fields() {
        return fields;
    }

    /** The object as UTF-8 JSON without {@code apiVersion} and {@code kind}. Not to be changed. */
    public byte[] json() {
        return json;
    }

    /** The object as a tree of its own, without {@code apiVersion} and {@code kind}. */
    public ObjectNode tree() {
        return Json.read(json);
    }
}
