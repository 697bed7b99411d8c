package dev.pitwall.lab.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the {@code edits} of {@code lab/faults.yaml}. Each names an object ({@code apiVersion}, {@code kind}, {@code namespace},
 * {@code name}) and one of: {@code patch}, a merge patch; {@code add} or {@code remove} with {@code list}, a JSON pointer;
 * {@code create}, the rest of a new object; {@code delete: true}. Words in braces stand for what the fault strikes, and
 * <code>{now-P3D}</code> for a moment.
 */
final class EditReader {
    private static final Pattern AGO = Pattern.compile("\\{now-(P[0-9YMWD]+)}");
    private final Map<String, String> words;
    private final Instant now;

    /** @param words what stands for a word in braces */
    EditReader(Map<String, String> words, Instant now) {
        this.words = words;
        this.now = now;
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

    /** A copy with the words filled in. */
    JsonNode filled(JsonNode node) {
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

    String filled(String text) {
        String result = text;
        for (Map.Entry<String, String> word : words.entrySet()) {
            result = result.replace("{" + word.getKey() + "}", word.getValue());
        }
        return AGO.matcher(result).replaceAll(ago -> Matcher.quoteReplacement(now.truncatedTo(ChronoUnit.SECONDS)
                .atOffset(ZoneOffset.UTC).minus(Period.parse(ago.group(1))).toInstant().toString()));
    }
}
