package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.StoredObject;

/** Which controller an object belongs to. */
public final class Owners {
    private Owners() {
    }

    /** The owner reference that says {@code controller: true}; a missing node if there is none. */
    public static JsonNode controller(JsonNode object) {
        for (JsonNode reference : object.at("/metadata/ownerReferences")) {
            if (reference.path("controller").asBoolean()) {
                return reference;
            }
        }
        return MissingNode.getInstance();
    }

    /** Writes a controller into an object's owner references. */
    public static void own(ObjectNode object, StoredObject owner, String apiVersion, String kind) {
        object.withObjectProperty("metadata").withArrayProperty("ownerReferences").addObject()
                .put("apiVersion", apiVersion).put("kind", kind).put("name", owner.key().name())
                .put("uid", owner.uid()).put("controller", true).put("blockOwnerDeletion", true);
    }
}
