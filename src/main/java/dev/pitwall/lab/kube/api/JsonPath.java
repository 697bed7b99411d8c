package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JSON paths of printed columns: {@code .spec.model}, {@code .items[0]}, {@code .conditions[?(@.type=="Ready")].status}. */
final class JsonPath {
    private static final Pattern STEP = Pattern.compile("\\.?\\[\\?\\(@\\.([\\w.-]+)\\s*==\\s*[\"']([^\"']*)[\"']\\)]"
            + "|\\[(\\d+|\\*)]|\\[['\"]([^'\"]+)['\"]]|\\.((?:\\\\.|[^.\\[\\\\])+)");

    private JsonPath() {
    }

    /** @return the first value found; empty if there is none or the path is not understood */
    static Optional<JsonNode> first(JsonNode object, String path) {
        List<JsonNode> found = List.of(object);
        Matcher step = STEP.matcher(path);
        int at = 0;
        while (at < path.length()) {
            if (!step.find(at) || step.start() != at) {
                return Optional.empty();
            }
            at = step.end();
            found = next(found, step);
        }
        return found.stream().filter(value -> !value.isMissingNode() && !value.isNull()).findFirst();
    }

    private static List<JsonNode> next(List<JsonNode> values, Matcher step) {
        List<JsonNode> next = new ArrayList<>();
        for (JsonNode value : values) {
            if (step.group(1) != null) {
                value.forEach(entry -> {
                    if (entry.at("/" + step.group(1).replace('.', '/')).asText().equals(step.group(2))) {
                        next.add(entry);
                    }
                });
            } else if (step.group(3) != null) {
                if (step.group(3).equals("*")) {
                    value.forEach(next::add);
                } else {
                    next.add(value.path(Integer.parseInt(step.group(3))));
                }
            } else {
                next.add(value.path(step.group(4) != null ? step.group(4) : step.group(5).replace("\\", "")));
            }
        }
        return next;
    }
}
