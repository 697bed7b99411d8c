package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Finalizers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A pod as its Job sees it.
 *
 * @param index   its completion index; empty if it has none that counts
 * @param tracked it has not been counted for good yet: its finalizer is there
 */
record JobPod(PodFacts facts, JsonNode tree, OptionalInt index, boolean tracked) {
    static final String FINALIZER = "batch.kubernetes.io/job-tracking";
    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    static JobPod of(PodFacts facts) {
        JsonNode tree = facts.object().tree();
        return new JobPod(facts, tree, index(tree.path("metadata").path("annotations").path(INDEX).asText("")),
                isTracked(tree));
    }

    static boolean isTracked(JsonNode pod) {
        return Finalizers.has(pod, FINALIZER);
    }

    private static OptionalInt index(String text) {
        return text.matches("\\d{1,9}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }

    String uid() {
        return facts.uid();
    }

    String path() {
        return facts.key().namespace() + "/" + facts.key().name();
    }

    boolean hasSucceeded() {
        return facts.phase().equals("Succeeded");
    }

    boolean isActive() {
        return facts.isActive();
    }

    /** It is to go and has not come to its end. */
    boolean isTerminating() {
        return !facts.isDone() && facts.deletion().isPresent();
    }

    /** A pod that is to go counts as failed, unless the Job waits for its end: an unbound one would never come to it. */
    boolean hasFailed(JobSpec spec) {
        return facts.phase().equals("Failed")
                || spec.replacement() == JobSpec.Replacement.TERMINATING_OR_FAILED && isTerminating();
    }

    /** Starts of its containers after the first. */
    int restarts() {
        int restarts = 0;
        for (String list : List.of("/status/initContainerStatuses", "/status/containerStatuses")) {
            for (JsonNode container : tree.at(list)) {
                restarts += container.path("restartCount").asInt();
            }
        }
        return restarts;
    }

    /** When it came to its end; as near as it says. [kubernetes: job/backoff_utils.go, getFinishedTime] */
    Instant finishedAt() {
        return lastContainer().or(this::notReadySince).or(this::deletedAt).orElse(facts.created());
    }

    private Optional<Instant> lastContainer() {
        List<Instant> ends = new ArrayList<>();
        JsonNode containers = tree.at("/status/containerStatuses");
        for (JsonNode container : containers) {
            JsonNode at = container.at("/state/terminated/finishedAt");
            if (at.isTextual()) {
                ends.add(Instant.parse(at.asText()));
            }
        }
        return ends.size() < containers.size() ? Optional.empty() : ends.stream().max(Instant::compareTo);
    }

    private Optional<Instant> notReadySince() {
        JsonNode ready = Conditions.find(tree, "Ready");
        return ready.path("status").asText("").equals("False") && ready.hasNonNull("lastTransitionTime")
                ? Optional.of(Instant.parse(ready.path("lastTransitionTime").asText())) : Optional.empty();
    }

    private Optional<Instant> deletedAt() {
        return facts.deletion().map(end -> end.minusSeconds(tree.at("/metadata/deletionGracePeriodSeconds").asLong()));
    }
}
