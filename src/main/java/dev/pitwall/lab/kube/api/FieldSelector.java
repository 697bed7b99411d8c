package dev.pitwall.lab.kube.api;

import dev.pitwall.lab.kube.store.StoredObject;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A field selector: {@code spec.nodeName=worker-1,status.phase!=Running}. Only listed fields can be asked for. */
final class FieldSelector implements Predicate<StoredObject> {
    private final List<Term> terms;

    private record Term(String field, boolean equal, String value) {
        boolean test(StoredObject object) {
            String actual = switch (field) {
                case "metadata.name" -> object.key().name();
                case "metadata.namespace" -> object.key().namespace();
                default -> object.fields().getOrDefault(field, absent());
            };
            return equal == actual.equals(value);
        }

        /** Booleans that are left out count as false. */
        private String absent() {
            return value.equals("true") || value.equals("false") ? "false" : "";
        }
    }

    private FieldSelector(List<Term> terms) {
        this.terms = terms;
    }

    /** @throws ApiFailure 400 if it is not a selector or names a field this resource cannot be selected by */
    static FieldSelector parse(String text, ResourceType type) {
        List<Term> terms = new ArrayList<>();
        for (String part : text.split(",")) {
            if (!part.isBlank()) {
                terms.add(term(part.strip(), type));
            }
        }
        return new FieldSelector(terms);
    }

    private static Term term(String text, ResourceType type) {
        boolean unequal = text.contains("!=");
        String[] sides = text.split(unequal ? "!=" : "==?", 2);
        if (sides.length != 2) {
            throw ApiFailure.badRequest("invalid selector: '" + text + "'; can't understand '" + text + "'");
        }
        String field = sides[0];
        if (!field.equals("metadata.name") && !field.equals("metadata.namespace") && !type.fields().contains(field)) {
            throw ApiFailure.badRequest("field label not supported: " + field);
        }
        return new Term(type.storedField(field), !unequal, sides[1]);
    }

    boolean isEmpty() {
        return terms.isEmpty();
    }

    @Override
    public boolean test(StoredObject object) {
        return terms.stream().allMatch(term -> term.test(object));
    }
}
