package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The finalizers in an object's metadata: who has to be done with it before it goes. */
public final class Finalizers {
    /** The object goes after what depends on it. */
    public static final String FOREGROUND = "foregroundDeletion";
    /** What depends on the object stays, and is on its own then. */
    public static final String ORPHAN = "orphan";
    private static final String FIELD = "finalizers";

    private Finalizers() {
    }

    public static boolean has(JsonNode object, String finalizer) {
        return Texts.list(object.path("metadata").path(FIELD)).contains(finalizer);
    }

    /** Adds one, unless it is there. */
    public static void add(ObjectNode object, String finalizer) {
        if (!has(object, finalizer)) {
            object.withObjectProperty("metadata").withArrayProperty(FIELD).add(finalizer);
        }
    }

    /** Takes one away, if it is there. */
    public static void remove(ObjectNode object, String finalizer) {
        MetadataLists.remove(object, FIELD, there -> there.asText().equals(finalizer));
    }
}
