package dev.pitwall.lab.kube.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.lang.ref.WeakReference;
import java.util.Map;

/**
 * One version of one object, immutable. The object itself is kept as JSON text: a few kilobytes where a tree would take
 * tens, and a list of thousands goes to the wire without being built again. A tree that was read is kept for as long as
 * nobody needs its memory, since many look at a version soon after it was written.
 */
public final class StoredObject {
    private final ObjectKey key;
    private final String uid;
    private final long revision;
    private final Map<String, String> labels;
    private final Map<String, String> fields;
    private final byte[] json;
    private volatile WeakReference<ObjectNode> read;

    /** @param tree the object as it would be read from its JSON; nobody may change it from now on */
    StoredObject(ObjectKey key, String uid, long revision, Map<String, String> labels, Map<String, String> fields,
                 ObjectNode tree) {
        this.key = key;
        this.uid = uid;
        this.revision = revision;
        this.labels = labels;
        this.fields = fields;
        this.json = Json.bytes(tree);
        this.read = new WeakReference<>(tree);
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

    /**
     * The object to be read, without {@code apiVersion} and {@code kind}. Others read the same tree: neither it nor a part
     * of it may be changed, nor be put into what somebody will change.
     */
    public JsonNode tree() {
        return shared();
    }

    /** The object as a tree of the caller's own, without {@code apiVersion} and {@code kind}. */
    public ObjectNode copy() {
        return shared().deepCopy();
    }

    private ObjectNode shared() {
        ObjectNode known = read.get();
        if (known == null) {
            known = Json.read(json);
            read = new WeakReference<>(known);
        }
        return known;
    }
}
