package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Fields that are left out where they would say nothing, as the API's {@code omitempty} has it. */
public final class OmitEmpty {
    private OmitEmpty() {
    }

    /** @param count 0 for no field */
    public static void put(ObjectNode object, String field, long count) {
        if (count == 0) {
            object.remove(field);
        } else {
            object.put(field, count);
        }
    }

    /** @param text empty for no field */
    public static void put(ObjectNode object, String field, String text) {
        if (text.isEmpty()) {
            object.remove(field);
        } else {
            object.put(field, text);
        }
    }
}
