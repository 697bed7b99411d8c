package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Quantities;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a container may ask for: no less than nothing, requests within limits, and extended resources whole and never more than limited. */
final class ResourceRules {
    private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage");

    private ResourceRules() {
    }

    static void check(String path, JsonNode resources, List<Problem> problems) {
        JsonNode limits = resources.path("limits");
        JsonNode requests = resources.path("requests");
        amounts(path + ".limits", limits, problems);
        amounts(path + ".requests", requests, problems);
        requests.properties().forEach(request -> {
            String name = request.getKey();
            if (!limits.has(name)) {
                if (extended(name)) {
                    problems.add(Problem.required(path + ".limits",
                            "Limit must be set for non overcommitable resources"));
                }
                return;
            }
            String limit = limits.path(name).asText();
            compare(path, name, request.getValue().asText(), limit).ifPresent(problems::add);
        });
    }

    private static Optional<Problem> compare(String path, String name, String request, String limit) {
        Optional<BigDecimal> asked = Quantities.parse(request);
        Optional<BigDecimal> most = Quantities.parse(limit);
        if (asked.isEmpty() || most.isEmpty()) {
            return Optional.empty();
        }
        int order = asked.get().compareTo(most.get());
        if (extended(name) && order != 0) {
            return Optional.of(Problem.invalid(path + ".requests", Problem.quoted(request), "must be equal to " + name
                    + " limit of " + limit));
        }
        return order <= 0 ? Optional.empty() : Optional.of(Problem.invalid(path + ".requests",
                Problem.quoted(request), "must be less than or equal to " + name + " limit of " + limit));
    }

    private static void amounts(String path, JsonNode amounts, List<Problem> problems) {
        amounts.properties().forEach(entry -> {
            String name = entry.getKey();
            String field = path + "[" + name + "]";
            if (!STANDARD.contains(name) && !name.startsWith("hugepages-") && !name.contains("/")) {
                problems.add(Problem.invalid(field, Problem.quoted(name),
                        "must be a standard resource type or fully qualified"));
                problems.add(Problem.invalid(field, Problem.quoted(name), "must be a standard resource for containers"));
            }
            Optional<BigDecimal> amount = Quantities.parse(entry.getValue().asText());
            amount.filter(number -> number.signum() < 0).ifPresent(negative -> problems.add(Problem.invalid(field,
                    Problem.quoted(entry.getValue().asText()), "must be greater than or equal to 0")));
            amount.filter(number -> extended(name) && number.stripTrailingZeros().scale() > 0)
                    .ifPresent(broken -> problems.add(Problem.invalid(field,
                            Problem.quoted(entry.getValue().asText()), "must be an integer")));
        });
    }

    /** Counted whole and never overcommitted, such as {@code nvidia.com/gpu}. */
    private static boolean extended(String name) {
        return name.contains("/") && !name.startsWith("kubernetes.io/") || name.startsWith("hugepages-");
    }
}
