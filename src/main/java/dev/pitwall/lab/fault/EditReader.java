package dev.pitwall.lab.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the {@code edits} of {@code lab/faults.yaml}. Each names an object ({@code apiVersion}, {@code kind}, {@code namespace},
 * {@code name}) and one of: {@code patch}, a merge patch; {@code add} or {@code remove} with {@code list}, a JSON pointer;
 * {@code create}, the rest of a new object; {@code delete: true}. Words in braces stand for what the fault strikes:
 * <code>{node}</code>, <code>{os}</code>.
 */
final class EditReader {
    private final Map<String, String> words;

    /** @param words what stands for a word in braces */
    EditReader(Map<String, String> words) {
        this.words = words;
    }

    List<Edit> read(JsonNode edits) {
        List<Edit> read = new ArrayList<>();
        edits.forEach(edit -> read.add(one((ObjectNode) filled(edit))));
        return List.copyOf(read);
    }

    private Edit one(ObjectNode edit) {
        ObjectRef ref = new ObjectRef(edit.path("apiVersion").asText("v1"), edit.path("kind").asText(),
                edit.path("namespace").asText(""), edit.path("name").asText());
        if (edit.get("patch") instanceof ObjectNode patch) {
            return new Edit.Patch(ref, patch);
        }
        if (edit.get("add") instanceof ObjectNode item) {
            return new Edit.Items(ref, edit.path("list").asText(), item, Edit.Items.Way.ADD);
        }
        if (edit.get("remove") instanceof ObjectNode item) {
            return new Edit.Items(ref, edit.path("list").asText(), item, Edit.Items.Way.REMOVE);
        }
        if (edit.get("create") instanceof ObjectNode object) {
            return new Edit.Create(ref, object);
        }
        if (edit.path("delete").asBoolean()) {
            return new Edit.Delete(ref);
        }
        throw new IllegalArgumentException("an edit of " + ref + " in lab/faults.yaml does nothing");
    }

    private JsonNode filled(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = object.objectNode();
                object.properties().forEach(field -> copy.set(filled(field.getKey()), filled(field.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = array.arrayNode();
                array.forEach(item -> copy.add(filled(item)));
                yield copy;
            }
            case TextNode text -> text.textValue().contains("{") ? TextNode.valueOf(filled(text.textValue())) : text;
            default -> node;
        };
    }

    private String filled(String text) {
        String result = text;
        for (Map.Entry<String, String> word : words.entrySet()) {
            result = result.replace("{" + word.getKey() + "}", word.getValue());
        }
        return result;
    }
}
