package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.store.StoredObject;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The upgrade controller: it brings driver pods to their DaemonSet's template, node by node, along the label
 * {@code nvidia.com/gpu-driver-upgrade-state}. (facts: cluster.md 1.6)
 */
final class DriverUpgrade {
    static final String STATE = "nvidia.com/gpu-driver-upgrade-state";
    static final String ENABLED = "nvidia.com/gpu-driver-upgrade-enabled";
    private static final String SKIP = "nvidia.com/gpu-driver-upgrade.skip";
    private static final String RESTARTED = "kubectl.kubernetes.io/restartedAt";
    private static final String VALIDATOR = "nvidia-operator-validator";
    /** Whether the node was unschedulable before, so that it is left so. */
    private static final String WAS_CORDONED = "nvidia.com/gpu-driver-upgrade.initial-state.unschedulable";

    private final ClusterHand hand;
    private final Pods pods;
    private final JsonNode policy;
    private final StoredObject daemonSet;
    private final JsonNode template;

    /** @param policy {@code driver.upgradePolicy} */
    DriverUpgrade(ClusterHand hand, Pods pods, JsonNode policy, StoredObject daemonSet) {
        this.hand = hand;
        this.pods = pods;
        this.policy = policy;
        this.daemonSet = daemonSet;
        this.template = daemonSet.tree().at("/spec/template");
    }

    /** Steps of the way that a node goes, in order; those before the pods' deletion need no more than a look. */
    private enum Step {
        REQUIRED("upgrade-required"), CORDON("cordon-required"), JOBS("wait-for-jobs-required"),
        DELETION("pod-deletion-required"), DRAIN("drain-required"), RESTART("pod-restart-required"),
        VALIDATION("validation-required"), UNCORDON("uncordon-required"), DONE("upgrade-done"),
        FAILED("upgrade-failed"), UNKNOWN("");

        private final String label;

        Step(String label) {
            this.label = label;
        }

        static Step of(StoredObject node) {
            String value = node.labels().getOrDefault(STATE, "");
            return Arrays.stream(values()).filter(step -> step.label.equals(value)).findFirst().orElse(UNKNOWN);
        }

        boolean isUnderWay() {
            return switch (this) {
                case CORDON, JOBS, DELETION, DRAIN, RESTART, VALIDATION, UNCORDON -> true;
                case REQUIRED, DONE, FAILED, UNKNOWN -> false;
            };
        }
    }

    /** Takes each node as far as it can go now. */
    void act(List<StoredObject> nodes) {
        int slots = Math.max(1, policy.path("maxParallelUpgrades").asInt(1))
                - (int) nodes.stream().filter(node -> Step.of(node).isUnderWay()).count();
        for (StoredObject node : nodes) {
            if ("true".equals(node.labels().get(SKIP))) {
                continue;
            }
            annotate(node);
            Step step = Step.of(node);
            if (step == Step.REQUIRED) {
                if (slots > 0) {
                    slots--;
                    go(node, Step.CORDON);
                }
            } else {
                next(node, step).filter(other -> other != step).ifPresent(other -> go(node, other));
            }
        }
    }

    private Optional<Step> next(StoredObject node, Step step) {
        String name = node.key().name();
        Optional<PodFacts> driver = driver(name);
        return switch (step) {
            case UNKNOWN, DONE, FAILED -> driver.filter(pod -> pod.deletion().isEmpty()).flatMap(pod ->
                    !isCurrent(pod) ? Optional.of(step == Step.FAILED ? Step.FAILED : Step.REQUIRED)
                            : pod.ready() ? Optional.of(Step.DONE) : Optional.empty());
            case CORDON -> {
                cordon(node);
                yield Optional.of(Step.JOBS);
            }
            case JOBS -> jobs(name).isEmpty() ? Optional.of(Step.DELETION) : Optional.empty();
            case DELETION -> deletion(name);
            case DRAIN -> userPods(name).isEmpty() ? Optional.of(Step.RESTART) : drain(name);
            case RESTART -> restart(driver);
            case VALIDATION -> validated(name) ? Optional.of(Step.UNCORDON) : Optional.empty();
            case UNCORDON -> {
                uncordon(node);
                yield Optional.of(Step.DONE);
            }
            case REQUIRED -> Optional.empty();
        };
    }

    private Optional<PodFacts> driver(String node) {
        return pods.ownedBy(daemonSet.uid()).stream().filter(pod -> pod.node().equals(node)).findFirst();
    }

    private boolean isCurrent(PodFacts pod) {
        JsonNode tree = pod.object().tree();
        return digest(tree.path("spec")).equals(digest(template.path("spec")))
                && tree.at("/metadata/annotations").path(RESTARTED).asText("")
                .equals(template.at("/metadata/annotations").path(RESTARTED).asText(""));
    }

    private static String digest(JsonNode spec) {
        for (JsonNode variable : spec.at("/containers/0/env")) {
            if (variable.path("name").asText().equals("DRIVER_CONFIG_DIGEST")) {
                return variable.path("value").asText();
            }
        }
        return "";
    }

    /** Pods that the policy says to wait for. */
    private List<PodFacts> jobs(String node) {
        String selector = policy.at("/waitForCompletion/podSelector").asText("");
        if (selector.isEmpty()) {
            return List.of();
        }
        Map<String, String> labels = Arrays.stream(selector.split(",")).map(part -> part.split("=+", 2))
                .filter(part -> part.length == 2)
                .collect(Collectors.toMap(part -> part[0].strip(), part -> part[1].strip(), (a, b) -> b));
        return pods.onNode(node).stream().filter(pod -> !pod.isDone()
                && pod.labels().entrySet().containsAll(labels.entrySet())).toList();
    }

    private List<PodFacts> userPods(String node) {
        return pods.onNode(node).stream().filter(pod -> !pod.isDone()
                && pod.requests().keySet().stream().anyMatch(name -> name.startsWith("nvidia.com/"))).toList();
    }

    /** Pods with cards are evicted, if the policy lets them be. */
    private Optional<Step> deletion(String node) {
        List<PodFacts> holders = userPods(node);
        if (holders.isEmpty()) {
            return Optional.of(Step.RESTART);
        }
        JsonNode rule = policy.has("podDeletion") ? policy.path("podDeletion") : policy.path("gpuPodDeletion");
        boolean drains = policy.at("/drain/enable").asBoolean(false);
        if (holders.stream().anyMatch(pod -> !mayGo(pod, rule))) {
            return Optional.of(drains ? Step.DRAIN : Step.FAILED);
        }
        holders.stream().filter(pod -> pod.deletion().isEmpty()).forEach(pod -> hand.delete(pod.key()));
        return Optional.empty();
    }

    private static boolean mayGo(PodFacts pod, JsonNode rule) {
        boolean scratch = false;
        for (JsonNode volume : pod.object().tree().at("/spec/volumes")) {
            scratch |= volume.has("emptyDir");
        }
        return (rule.path("force").asBoolean(false) || !pod.ownerUid().isEmpty())
                && (rule.path("deleteEmptyDir").asBoolean(false) || !scratch);
    }

    private Optional<Step> drain(String node) {
        userPods(node).stream().filter(pod -> pod.deletion().isEmpty()).forEach(pod -> hand.delete(pod.key()));
        return Optional.empty();
    }

    private Optional<Step> restart(Optional<PodFacts> driver) {
        driver.filter(pod -> pod.deletion().isEmpty() && !isCurrent(pod)).ifPresent(pod -> hand.delete(pod.key()));
        return driver.filter(pod -> pod.deletion().isEmpty() && isCurrent(pod) && pod.ready())
                .map(pod -> Step.VALIDATION);
    }

    private boolean validated(String node) {
        return pods.onNode(node).stream().anyMatch(pod -> VALIDATOR.equals(pod.labels().get("app")) && pod.ready());
    }

    private void annotate(StoredObject node) {
        if (!"true".equals(node.tree().at("/metadata/annotations").path(ENABLED).asText(""))) {
            change(node, object -> object.withObjectProperty("metadata").withObjectProperty("annotations")
                    .put(ENABLED, "true"));
        }
    }

    private void go(StoredObject node, Step step) {
        change(node, object -> object.withObjectProperty("metadata").withObjectProperty("labels")
                .put(STATE, step.label));
    }

    private void cordon(StoredObject node) {
        change(node, object -> {
            ObjectNode spec = object.withObjectProperty("spec");
            if (spec.path("unschedulable").asBoolean(false)) {
                object.withObjectProperty("metadata").withObjectProperty("annotations").put(WAS_CORDONED, "true");
            }
            spec.put("unschedulable", true);
        });
    }

    private void uncordon(StoredObject node) {
        change(node, object -> {
            ObjectNode annotations = object.withObjectProperty("metadata").withObjectProperty("annotations");
            if (annotations.remove(WAS_CORDONED) == null) {
                object.withObjectProperty("spec").remove("unschedulable");
            }
        });
    }

    private void change(StoredObject node, Consumer<ObjectNode> change) {
        hand.change(NodeFacts.key(node.key().name()), change);
    }
}
