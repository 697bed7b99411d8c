package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.KnownObjects.Item;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.OptionalLong;

/** A ReplicaSet of a Deployment as it is during one turn of the controller, with what the turn has changed of it. */
final class RevisionSet {
    /** Oldest first. */
    static final Comparator<RevisionSet> BY_AGE =
            Comparator.comparing(RevisionSet::created).thenComparing(RevisionSet::name);
    static final String HASH = "pod-template-hash";

    private Item item;

    RevisionSet(Item item) {
        this.item = item;
    }

    void changed(StoredObject now) {
        item = new Item(now);
    }

    ObjectKey key() {
        return item.key();
    }

    String name() {
        return item.key().name();
    }

    String uid() {
        return item.uid();
    }

    JsonNode tree() {
        return item.tree();
    }

    boolean isLeaving() {
        return item.isLeaving();
    }

    Instant created() {
        return item.created();
    }

    /** Pods it is to have. */
    int replicas() {
        return tree().at("/spec/replicas").asInt(1);
    }

    boolean isActive() {
        return replicas() > 0;
    }

    /** Pods it has, as it said last. */
    int actual() {
        return tree().at("/status/replicas").asInt(0);
    }

    int ready() {
        return tree().at("/status/readyReplicas").asInt(0);
    }

    int available() {
        return tree().at("/status/availableReplicas").asInt(0);
    }

    /** True if its controller has seen its last change. */
    boolean isObserved() {
        return tree().at("/metadata/generation").asLong() <= tree().at("/status/observedGeneration").asLong();
    }

    /** A number that an annotation has; empty if there is none. */
    OptionalLong number(String annotation) {
        return RevisionNotes.number(tree().at("/metadata/annotations").path(annotation));
    }

    /** True if its pods are made from such a template. */
    boolean isMadeFrom(JsonNode template) {
        return plain(template).equals(plain(tree().at("/spec/template")));
    }

    /** A template without its hash and without fields that say nothing. */
    private static JsonNode plain(JsonNode template) {
        JsonNode copy = template.deepCopy();
        if (copy.at("/metadata/labels") instanceof ObjectNode labels) {
            labels.remove(HASH);
        }
        clear(copy);
        return copy;
    }

    /** Nothing and an empty list are the same to Kubernetes, an empty object is not. */
    private static void clear(JsonNode node) {
        node.forEach(RevisionSet::clear);
        if (node.isObject()) {
            Iterator<JsonNode> values = node.elements();
            while (values.hasNext()) {
                JsonNode value = values.next();
                if (value.isNull() || value.isArray() && value.isEmpty()) {
                    values.remove();
                }
            }
        }
    }
}
