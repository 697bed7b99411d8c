package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.lab.data.DataFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** How names, labels and keys must look, from {@code lab/kube/names.yaml}. */
final class NameRules {
    private static final int ANNOTATION_BYTES = 256 << 10;

    private final Map<String, Form> forms = new HashMap<>();
    private final Map<String, String> kinds = new HashMap<>();

    private record Form(Pattern pattern, int most, String text) {
    }

    NameRules() {
        JsonNode data = DataFile.tree("kube/names.yaml");
        data.path("forms").properties().forEach(form -> {
            String pattern = form.getValue().path("pattern").asText();
            forms.put(form.getKey(), new Form(Pattern.compile(pattern), form.getValue().path("most").asInt(),
                    form.getValue().path("text").asText().replace("{pattern}", pattern)));
        });
        data.path("kinds").properties().forEach(kind -> kinds.put(kind.getKey(), kind.getValue().asText()));
    }

    /** @param form for example {@code label} */
    void check(String form, String field, String value, List<Problem> problems) {
        Form rule = forms.get(form);
        if (value.length() > rule.most()) {
            problems.add(Problem.invalid(field, Problem.quoted(value), "must be no more than " + rule.most()
                    + (rule.most() == 253 ? " characters" : " bytes")));
        }
        if (!rule.pattern().matcher(value).matches()) {
            problems.add(Problem.invalid(field, Problem.quoted(value), rule.text()));
        }
    }

    /** Name, labels and annotations of an object. */
    void metadata(String kind, JsonNode metadata, List<Problem> problems) {
        check(kinds.getOrDefault(kind, "subdomain"), "metadata.name", metadata.path("name").asText(), problems);
        labels("metadata.labels", metadata.path("labels"), problems);
        int size = 0;
        for (Map.Entry<String, JsonNode> annotation : metadata.path("annotations").properties()) {
            key("metadata.annotations", annotation.getKey(), problems);
            size += annotation.getKey().length() + annotation.getValue().asText().length();
        }
        if (size > ANNOTATION_BYTES) {
            problems.add(Problem.tooLong("metadata.annotations", ANNOTATION_BYTES));
        }
        for (int i = 0; i < metadata.path("finalizers").size(); i++) {
            String finalizer = metadata.path("finalizers").path(i).asText();
            key("metadata.finalizers", finalizer, problems);
        }
    }

    void labels(String field, JsonNode labels, List<Problem> problems) {
        labels.properties().forEach(label -> {
            key(field, label.getKey(), problems);
            check("labelValue", field, label.getValue().asText(), problems);
        });
    }

    /** A qualified name: an optional subdomain, a slash, and a name. */
    void key(String field, String key, List<Problem> problems) {
        int slash = key.indexOf('/');
        if (slash >= 0) {
            check("subdomain", field, key.substring(0, slash), problems);
        }
        check("namePart", field, key.substring(slash + 1), problems);
    }
}
