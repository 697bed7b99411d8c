package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.schema.Schema;

import java.util.List;

/** The rules that look at one field, from {@code lab/kube/rules.yaml}. */
final class TypeRules {
    private final JsonNode byType = DataFile.tree("kube/rules.yaml");

    void check(JsonNode object, Schema schema, List<Problem> problems) {
        walk("", object, schema, problems);
    }

    private void walk(String path, JsonNode value, Schema schema, List<Problem> problems) {
        switch (schema.shape()) {
            case OBJECT -> {
                own(path, value, byType.path(schema.typeName()), problems);
                value.properties().forEach(field -> schema.field(field.getKey()).ifPresent(known ->
                        walk(below(path, field.getKey()), field.getValue(), known, problems)));
            }
            case MAP -> value.properties().forEach(field ->
                    walk(path + "[" + field.getKey() + "]", field.getValue(), schema.element().get(), problems));
            case LIST -> {
                for (int i = 0; i < value.size(); i++) {
                    walk(path + "[" + i + "]", value.get(i), schema.entry(), problems);
                }
            }
            case SCALAR, ANY -> { }
        }
    }

    private static void own(String path, JsonNode value, JsonNode rules, List<Problem> problems) {
        for (JsonNode name : rules.path("required")) {
            JsonNode found = value.path(name.asText());
            boolean empty = found.isMissingNode() || found.isNull() || found.isContainerNode() && found.isEmpty()
                    && !name.asText().equals("selector") || found.isTextual() && found.asText().isEmpty();
            if (empty) {
                problems.add(Problem.required(below(path, name.asText()), ""));
            }
        }
        rules.path("allowed").properties().forEach(rule -> {
            JsonNode found = value.path(rule.getKey());
            List<String> allowed = Texts.list(rule.getValue());
            if (found.isTextual() && !allowed.contains(found.asText())) {
                problems.add(Problem.unsupported(below(path, rule.getKey()), Problem.quoted(found.asText()), allowed));
            }
        });
        rules.path("least").properties().forEach(rule -> {
            JsonNode found = value.path(rule.getKey());
            if (found.isNumber() && found.asLong() < rule.getValue().asLong()) {
                problems.add(Problem.invalid(below(path, rule.getKey()), found.asText(),
                        "must be greater than or equal to " + rule.getValue().asText()));
            }
        });
        for (JsonNode name : rules.path("ports")) {
            JsonNode found = value.path(name.asText());
            if (found.isNumber() && (found.asLong() < 1 || found.asLong() > 65_535)) {
                problems.add(Problem.invalid(below(path, name.asText()), found.asText(),
                        "must be between 1 and 65535, inclusive"));
            }
        }
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
