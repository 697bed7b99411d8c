package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.function.Predicate;

/** Lists in an object's metadata. */
final class MetadataLists {
    private MetadataLists() {
    }

    /** Takes entries away; an empty list is left out, as Kubernetes leaves it out. */
    static void remove(ObjectNode object, String field, Predicate<JsonNode> which) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        Iterator<JsonNode> entries = metadata.path(field).iterator();
        while (entries.hasNext()) {
            if (which.test(entries.next())) {
                entries.remove();
            }
        }
        if (metadata.path(field).isEmpty()) {
            metadata.remove(field);
        }
    }
}
