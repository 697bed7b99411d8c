package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.object.Requirement;
import dev.pitwall.lab.kube.object.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Which nodes a pod accepts or would rather have: its {@code nodeSelector} and its node affinity.
 * [kubernetes: component-helpers, scheduling/corev1/nodeaffinity]
 */
public final class NodeTerms {
    private static final String NAME = "metadata.name";

    private final Map<String, String> selector;
    private final Optional<List<Predicate<NodeFacts>>> required;
    private final List<Preferred> preferred;
    private final Optional<Set<String>> names;

    private record Preferred(int weight, Predicate<NodeFacts> term) {
    }

    private NodeTerms(Map<String, String> selector, Optional<List<Predicate<NodeFacts>>> required,
                      List<Preferred> preferred, Optional<Set<String>> names) {
        this.selector = selector;
        this.required = required;
        this.preferred = preferred;
        this.names = names;
    }

    /** @param spec of the pod */
    public static NodeTerms of(JsonNode spec) {
        JsonNode affinity = spec.at("/affinity/nodeAffinity");
        JsonNode terms = affinity.at("/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms");
        List<Preferred> preferred = new ArrayList<>();
        for (JsonNode wish : affinity.path("preferredDuringSchedulingIgnoredDuringExecution")) {
            preferred.add(new Preferred(wish.path("weight").asInt(0), term(wish.path("preference"))));
        }
        return new NodeTerms(Texts.map(spec.path("nodeSelector")),
                terms.isArray() ? Optional.of(terms(terms)) : Optional.empty(), List.copyOf(preferred), names(terms));
    }

    /** What a volume asks of the nodes it can be used on. @param affinity its {@code spec.nodeAffinity} */
    public static NodeTerms ofVolume(JsonNode affinity) {
        JsonNode terms = affinity.at("/required/nodeSelectorTerms");
        return new NodeTerms(Map.of(), terms.isArray() ? Optional.of(terms(terms)) : Optional.empty(), List.of(),
                Optional.empty());
    }

    /** True if a pod with these terms may run on the node. */
    public boolean accept(NodeFacts node) {
        for (Map.Entry<String, String> label : selector.entrySet()) {
            if (!label.getValue().equals(node.labels().get(label.getKey()))) {
                return false;
            }
        }
        if (required.isEmpty()) {
            return true;
        }
        for (Predicate<NodeFacts> term : required.get()) {
            if (term.test(node)) {
                return true;
            }
        }
        return false;
    }

    /** Sum of the weights of the preferences that the node meets. */
    public long weight(NodeFacts node) {
        long sum = 0;
        for (Preferred wish : preferred) {
            sum += wish.term().test(node) ? wish.weight() : 0;
        }
        return sum;
    }

    /** The nodes named by {@code matchFields}, where each of the terms names some; the scheduler looks at no other. */
    public Optional<Set<String>> names() {
        return names;
    }

    private static List<Predicate<NodeFacts>> terms(JsonNode terms) {
        List<Predicate<NodeFacts>> found = new ArrayList<>();
        terms.forEach(term -> found.add(term(term)));
        return List.copyOf(found);
    }

    /** A term without any requirement accepts nothing. */
    private static Predicate<NodeFacts> term(JsonNode term) {
        List<Requirement> labels = new ArrayList<>();
        List<Requirement> fields = new ArrayList<>();
        boolean understood = requirements(term.path("matchExpressions"), labels)
                & requirements(term.path("matchFields"), fields);
        if (!understood || labels.isEmpty() && fields.isEmpty()) {
            return node -> false;
        }
        return node -> all(labels, node.labels()) && (fields.isEmpty() || all(fields, Map.of(NAME, node.name())));
    }

    /** @return false if one of them has an operator that there is not */
    private static boolean requirements(JsonNode expressions, List<Requirement> into) {
        expressions.forEach(expression -> Requirement.ofNode(expression).ifPresent(into::add));
        return into.size() == expressions.size();
    }

    private static boolean all(List<Requirement> requirements, Map<String, String> values) {
        for (Requirement requirement : requirements) {
            if (!requirement.test(values)) {
                return false;
            }
        }
        return true;
    }

    private static Optional<Set<String>> names(JsonNode terms) {
        Set<String> names = new TreeSet<>();
        for (JsonNode term : terms) {
            int before = names.size();
            for (JsonNode field : term.path("matchFields")) {
                if (field.path("key").asText().equals(NAME) && field.path("operator").asText().equals("In")) {
                    names.addAll(Texts.list(field.path("values")));
                }
            }
            if (names.size() == before) {
                return Optional.empty();
            }
        }
        return names.isEmpty() ? Optional.empty() : Optional.of(Set.copyOf(names));
    }
}
