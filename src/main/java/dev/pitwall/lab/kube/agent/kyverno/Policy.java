package dev.pitwall.lab.kube.agent.kyverno;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A ClusterPolicy as it is carried out.
 *
 * @param rules    those that are understood
 * @param problems what is not, a line a rule
 */
record Policy(StoredObject object, String failurePolicy, String failureAction, List<Rule> rules,
              List<String> problems) {

    static Policy of(StoredObject object) {
        JsonNode tree = object.tree();
        JsonNode spec = tree.path("spec");
        List<Rule> rules = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (JsonNode each : spec.path("rules")) {
            Rule rule = new Rule(each, Rule.carriedTo(tree, each));
            try {
                rule.check();
                rules.add(rule);
            } catch (NotUnderstood unknown) {
                problems.add("rule " + rule.name() + ": the lab's Kyverno does not know " + unknown.getMessage());
            }
        }
        return new Policy(object, spec.path("failurePolicy").asText("Fail"),
                spec.path("validationFailureAction").asText("Audit"), List.copyOf(rules), List.copyOf(problems));
    }

    String name() {
        return object.key().name();
    }

    boolean isAbout(String kind) {
        return rules.stream().anyMatch(rule -> rule.isAbout(kind));
    }
}
