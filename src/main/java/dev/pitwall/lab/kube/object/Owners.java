package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.Set;

/** The owner references in an object's metadata. */
public final class Owners {
    private static final String FIELD = "ownerReferences";

    private Owners() {
    }

    /** The one that says {@code controller: true}; a missing node if there is none. */
    public static JsonNode controller(JsonNode object) {
        for (JsonNode reference : object.path("metadata").path(FIELD)) {
            if (reference.path("controller").asBoolean()) {
                return reference;
            }
        }
        return MissingNode.getInstance();
    }

    /** True if an object of this uid owns it. */
    public static boolean has(JsonNode object, String uid) {
        for (JsonNode reference : object.path("metadata").path(FIELD)) {
            if (reference.path("uid").asText().equals(uid)) {
                return true;
            }
        }
        return false;
    }

    /** Adds the controller that an object belongs to. */
    public static void own(ObjectNode object, StoredObject owner, String apiVersion, String kind) {
        object.withObjectProperty("metadata").withArrayProperty(FIELD).addObject()
                .put("apiVersion", apiVersion).put("kind", kind).put("name", owner.key().name())
                .put("uid", owner.uid()).put("controller", true).put("blockOwnerDeletion", true);
    }

    /** Takes owners away. */
    public static void disown(ObjectNode object, Set<String> uids) {
        MetadataLists.remove(object, FIELD, reference -> uids.contains(reference.path("uid").asText()));
    }
}
