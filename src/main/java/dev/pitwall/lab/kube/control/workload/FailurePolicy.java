package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The {@code podFailurePolicy} of a Job: what the failure of a pod means for it. The first rule that matches counts. */
final class FailurePolicy {
    private final JsonNode policy;

    /** @param policy missing if the Job has none: each failure counts */
    FailurePolicy(JsonNode policy) {
        this.policy = policy;
    }

    enum Action {
        Ignore, Count, FailIndex, FailJob
    }

    /** @param message why the Job fails, in the controller's words; empty unless it does */
    record Verdict(Action action, String message) {
        /** It counts against the limit of failures. */
        boolean counts() {
            return action != Action.Ignore;
        }
    }

    boolean isPresent() {
        return policy.isObject();
    }

    Verdict of(JobPod pod) {
        int index = 0;
        for (JsonNode rule : policy.path("rules")) {
            Optional<Verdict> verdict = rule.hasNonNull("onExitCodes") ? exitCodes(rule, index, pod)
                    : conditions(rule, index, pod);
            if (verdict.isPresent()) {
                return verdict.get();
            }
            index++;
        }
        return new Verdict(Action.Count, "");
    }

    private static Optional<Verdict> exitCodes(JsonNode rule, int index, JobPod pod) {
        JsonNode wanted = rule.path("onExitCodes");
        for (JsonNode container : containers(pod)) {
            JsonNode ended = container.at("/state/terminated");
            boolean named = !wanted.hasNonNull("containerName")
                    || wanted.path("containerName").asText().equals(container.path("name").asText());
            int code = ended.path("exitCode").asInt();
            if (ended.isObject() && named && code != 0 && matches(wanted, code)) {
                return Optional.of(verdict(rule, "Container " + container.path("name").asText() + " for pod "
                        + pod.path() + " failed with exit code " + code, index));
            }
        }
        return Optional.empty();
    }

    private static List<JsonNode> containers(JobPod pod) {
        List<JsonNode> all = new ArrayList<>();
        pod.tree().at("/status/containerStatuses").forEach(all::add);
        pod.tree().at("/status/initContainerStatuses").forEach(all::add);
        return all;
    }

    private static boolean matches(JsonNode wanted, int code) {
        boolean listed = false;
        for (JsonNode value : wanted.path("values")) {
            listed |= value.asInt() == code;
        }
        return wanted.path("operator").asText().equals("NotIn") != listed;
    }

    private static Optional<Verdict> conditions(JsonNode rule, int index, JobPod pod) {
        for (JsonNode pattern : rule.path("onPodConditions")) {
            for (JsonNode condition : pod.tree().at("/status/conditions")) {
                if (condition.path("type").equals(pattern.path("type"))
                        && condition.path("status").asText().equals(pattern.path("status").asText("True"))) {
                    return Optional.of(verdict(rule, "Pod " + pod.path() + " has condition "
                            + condition.path("type").asText(), index));
                }
            }
        }
        return Optional.empty();
    }

    private static Verdict verdict(JsonNode rule, String what, int index) {
        Action action = Action.valueOf(rule.path("action").asText(Action.Count.name()));
        return new Verdict(action, action == Action.FailJob
                ? what + " matching FailJob rule at index " + index : "");
    }
}
