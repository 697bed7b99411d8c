package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.schema.Schema;


/** Fills in what a built-in object leaves out, from {@code lab/kube/defaults.yaml} and the few rules that need arithmetic. */
public final class Defaults {
    private final JsonNode byType;

    private Defaults(JsonNode byType) {
        this.byType = byType;
    }

    public static Defaults load() {
        return new Defaults(DataFile.tree("kube/defaults.yaml"));
    }

    /** Fills an object of a built-in type, in place. */
    public void fill(ObjectNode object, Schema schema) {
        walk(object, schema);
    }

    private void walk(JsonNode value, Schema schema) {
        switch (schema.shape()) {
            case OBJECT -> {
                if (value instanceof ObjectNode object) {
                    own(object, schema.typeName());
                    object.properties().forEach(field -> schema.field(field.getKey())
                            .ifPresent(known -> walk(field.getValue(), known)));
                    PodDefaults.after(object, schema.typeName());
                }
            }
            case MAP -> value.properties().forEach(field -> walk(field.getValue(), schema.element().get()));
            case LIST -> value.forEach(entry -> walk(entry, schema.entry()));
            case SCALAR, ANY -> { }
        }
    }

    private void own(ObjectNode object, String type) {
        for (JsonNode entry : byType.path(type)) {
            if (counts(entry, object)) {
                entry.path("set").properties().forEach(field -> {
                    if (!object.hasNonNull(field.getKey())) {
                        object.set(field.getKey(), field.getValue().deepCopy());
                    }
                });
            }
        }
    }

    private static boolean counts(JsonNode entry, ObjectNode object) {
        boolean fits = entry.path("when").properties().stream()
                .allMatch(field -> field.getValue().equals(object.path(field.getKey())));
        for (JsonNode name : entry.path("none")) {
            fits &= !object.hasNonNull(name.asText());
        }
        return fits;
    }
}
