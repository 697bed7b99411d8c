package dev.pitwall.lab.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON merge patches (RFC 7396), and how one is taken back field by field. */
final class MergePatch {
    private MergePatch() {
    }

    static void apply(ObjectNode target, ObjectNode patch) {
        patch.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(field.getKey());
            } else if (value instanceof ObjectNode inner) {
                ObjectNode child = target.get(field.getKey()) instanceof ObjectNode there ? there
                        : target.putObject(field.getKey());
                apply(child, inner);
            } else {
                target.set(field.getKey(), value.deepCopy());
            }
        });
    }

    /**
     * Gives the fields that a patch names what they had before, and leaves all others as they are now. What the patch
     * had to make for its fields goes if nothing else is in it.
     */
    static void takeBack(ObjectNode now, ObjectNode before, ObjectNode patch) {
        patch.properties().forEach(field -> {
            String name = field.getKey();
            JsonNode was = before.get(name);
            boolean goesDeeper = field.getValue() instanceof ObjectNode && (was == null || was instanceof ObjectNode);
            if (goesDeeper && now.get(name) instanceof ObjectNode child) {
                takeBack(child, was == null ? JsonNodeFactory.instance.objectNode() : (ObjectNode) was,
                        (ObjectNode) field.getValue());
                if (was == null && child.isEmpty()) {
                    now.remove(name);
                }
            } else if (was == null) {
                now.remove(name);
            } else {
                now.set(name, was.deepCopy());
            }
        });
    }
}
