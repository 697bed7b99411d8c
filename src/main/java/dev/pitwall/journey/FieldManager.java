package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who has written fields of an object, as its {@code managedFields} keep it (Kubernetes: Server-Side Apply, "Field
 * management"). What was written to the object's status is left out: no change is of that.
 *
 * @param name      for example {@code argocd-controller}
 * @param since     when it wrote there last; empty where nobody says
 * @param fields    in the form {@code FieldsV1}: {@code f:NAME} is a field
 */
public record FieldManager(String name, Operation operation, Optional<Instant> since, JsonNode fields) {

    /** How the fields were written: declared as a whole that is kept so, or just set. */
    public enum Operation { APPLY, UPDATE }

    /** Those of an object as the API server gives it. */
    public static List<FieldManager> of(JsonNode object) {
        return object.at("/metadata/managedFields").valueStream()
                .filter(entry -> entry.path("subresource").asText("").isEmpty())
                .map(entry -> new FieldManager(entry.path("manager").asText(""), operation(entry.path("operation").asText()),
                        instant(entry.path("time").asText("")), entry.path("fieldsV1"))).toList();
    }

    private static Operation operation(String text) {
        return text.equals("Apply") ? Operation.APPLY : Operation.UPDATE;
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }

    /**
     * The fields that a part of the object names and this manager has, for example {@code spec.taints}. A list counts as
     * one field: a change takes it whole.
     */
    public List<String> has(JsonNode part) {
        List<String> found = new ArrayList<>();
        find(part, fields, "", found);
        return found;
    }

    private static void find(JsonNode part, JsonNode owned, String above, List<String> found) {
        part.properties().forEach(field -> {
            JsonNode own = owned.path("f:" + field.getKey());
            String place = above.isEmpty() ? field.getKey() : above + "." + field.getKey();
            if (field.getValue().isObject() && !field.getValue().isEmpty()) {
                find(field.getValue(), own, place, found);
            } else if (!own.isMissingNode()) {
                found.add(place);
            }
        });
    }
}
