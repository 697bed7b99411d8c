package dev.pitwall.lab.kube.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.object.Texts;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What Deployments, DaemonSets, StatefulSets, ReplicaSets and Jobs must be like, and what of them may not change. */
final class WorkloadRules {
    private static final List<String> STATEFUL_FREE = List.of("replicas", "ordinals", "template", "updateStrategy",
            "revisionHistoryLimit", "persistentVolumeClaimRetentionPolicy", "minReadySeconds");

    private final PodRules pods;
    private final NameRules names;

    WorkloadRules(PodRules pods, NameRules names) {
        this.pods = pods;
        this.names = names;
    }

    void check(String kind, JsonNode object, List<Problem> problems) {
        JsonNode template = object.at("/spec/template");
        JsonNode selector = object.at("/spec/selector");
        if (selector.isObject() && selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty()) {
            problems.add(Problem.invalid("spec.selector", goSelector(selector), "empty selector is invalid for "
                    + kind.toLowerCase(Locale.ROOT)));
        }
        names.labels("spec.template.labels", template.at("/metadata/labels"), problems);
        if (selector.isObject() && !Selector.of(selector).test(Texts.map(template.at("/metadata/labels")))) {
            problems.add(Problem.invalid("spec.template.metadata.labels", goMap(template.at("/metadata/labels")),
                    "`selector` does not match template `labels`"));
        }
        Set<String> claims = new HashSet<>();
        object.at("/spec/volumeClaimTemplates").forEach(claim -> claims.add(claim.at("/metadata/name").asText()));
        pods.check("spec.template.spec", template.path("spec"), claims, problems);
        restart("spec.template.spec", template.path("spec"), List.of("Always"), problems);
    }

    void checkJob(String path, JsonNode spec, List<Problem> problems) {
        pods.check(path + ".template.spec", spec.at("/template/spec"), problems);
        restart(path + ".template.spec", spec.at("/template/spec"), List.of("OnFailure", "Never"), problems);
    }

    private static void restart(String path, JsonNode spec, List<String> allowed, List<Problem> problems) {
        String policy = spec.path("restartPolicy").asText("");
        if (!policy.isEmpty() && !allowed.contains(policy)) {
            problems.add(allowed.size() > 1
                    ? new Problem("FieldValueRequired", path + ".restartPolicy",
                    "Required value: valid values: \"OnFailure\", \"Never\"")
                    : Problem.unsupported(path + ".restartPolicy", Problem.quoted(policy), allowed));
        }
    }

    void checkUpdate(String kind, JsonNode object, JsonNode before, List<Problem> problems) {
        JsonNode selector = object.at("/spec/selector");
        switch (kind) {
            case "StatefulSet" -> {
                if (!without(object.path("spec")).equals(without(before.path("spec")))) {
                    problems.add(Problem.forbidden("spec", "updates to statefulset spec for fields other than"
                            + " 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit',"
                            + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"));
                }
            }
            case "Job" -> job(object, before, problems);
            default -> {
                if (!selector.equals(before.at("/spec/selector"))) {
                    problems.add(Problem.invalid("spec.selector", goSelector(selector), "field is immutable"));
                }
            }
        }
    }

    private static void job(JsonNode object, JsonNode before, List<Problem> problems) {
        boolean indexed = object.at("/spec/completionMode").asText("").equals("Indexed");
        if (!indexed && !object.at("/spec/completions").equals(before.at("/spec/completions"))) {
            problems.add(Problem.invalid("spec.completions", object.at("/spec/completions").asText("null"),
                    "field is immutable"));
        }
        if (!object.at("/spec/selector").equals(before.at("/spec/selector"))) {
            problems.add(Problem.invalid("spec.selector", goSelector(object.at("/spec/selector")),
                    "field is immutable"));
        }
        boolean held = before.at("/spec/suspend").asBoolean() && !before.at("/status").has("startTime");
        if (!held && !object.at("/spec/template").equals(before.at("/spec/template"))) {
            problems.add(Problem.invalid("spec.template", "core.PodTemplateSpec" + object.at("/spec/template"),
                    "field is immutable"));
        }
    }

    private static JsonNode without(JsonNode spec) {
        return spec instanceof ObjectNode object ? object.deepCopy().without(STATEFUL_FREE) : spec;
    }

    private static String goSelector(JsonNode selector) {
        return "v1.LabelSelector{MatchLabels:" + goMap(selector.path("matchLabels"))
                + ", MatchExpressions:[]v1.LabelSelectorRequirement(nil)}";
    }

    private static String goMap(JsonNode labels) {
        if (labels.isEmpty()) {
            return "map[string]string(nil)";
        }
        TreeMap<String, String> sorted = new TreeMap<>();
        labels.properties().forEach(label -> sorted.put(label.getKey(), label.getValue().asText()));
        return sorted.entrySet().stream().map(label -> Problem.quoted(label.getKey()) + ":"
                + Problem.quoted(label.getValue())).collect(Collectors.joining(", ", "map[string]string{", "}"));
    }
}
