package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a Job asks for, with the defaults of the API server where an object leaves them out.
 *
 * @param parallelism   pods at a time
 * @param completions   pods that must succeed; empty for a work queue, which is done when one has succeeded and none runs
 * @param backoffLimit  failures that are borne
 * @param limitPerIndex failures that are borne for each index; empty for the one limit
 * @param mostFailedIndexes indexes that may fail; empty for all
 * @param deadline      seconds from its start
 * @param ttl           seconds that it is kept when it is finished; empty for ever
 */
record JobSpec(JsonNode tree, int parallelism, OptionalInt completions, Mode mode, Restarts restarts,
               Replacement replacement, boolean suspended, int backoffLimit, OptionalInt limitPerIndex,
               OptionalInt mostFailedIndexes, OptionalLong deadline, OptionalLong ttl, FailurePolicy failurePolicy) {
    private static final int BACKOFF_LIMIT = 6;
    private static final String OURSELVES = "kubernetes.io/job-controller";

    enum Mode { NON_INDEXED, INDEXED }

    /** Whether the kubelet starts a container that failed again, or the pod fails with it. */
    enum Restarts { ON_FAILURE, NEVER }

    /** When another pod may take a pod's place: as soon as that is to go, or only when it has failed. */
    enum Replacement { TERMINATING_OR_FAILED, FAILED }

    static JobSpec of(JsonNode job) {
        JsonNode spec = job.path("spec");
        boolean neither = !spec.hasNonNull("parallelism") && !spec.hasNonNull("completions");
        boolean perIndex = spec.hasNonNull("backoffLimitPerIndex");
        FailurePolicy policy = new FailurePolicy(spec.path("podFailurePolicy"));
        String replacement = spec.path("podReplacementPolicy").asText(
                policy.isPresent() ? "Failed" : "TerminatingOrFailed");
        return new JobSpec(spec, spec.path("parallelism").asInt(1),
                neither ? OptionalInt.of(1) : number(spec.path("completions")),
                spec.path("completionMode").asText("").equals("Indexed") ? Mode.INDEXED : Mode.NON_INDEXED,
                spec.at("/template/spec/restartPolicy").asText("").equals("OnFailure") ? Restarts.ON_FAILURE
                        : Restarts.NEVER,
                replacement.equals("Failed") || policy.isPresent() ? Replacement.FAILED
                        : Replacement.TERMINATING_OR_FAILED,
                spec.path("suspend").asBoolean(), spec.path("backoffLimit").asInt(perIndex ? Integer.MAX_VALUE
                : BACKOFF_LIMIT), number(spec.path("backoffLimitPerIndex")), number(spec.path("maxFailedIndexes")),
                seconds(spec.path("activeDeadlineSeconds")), seconds(spec.path("ttlSecondsAfterFinished")), policy);
    }

    boolean isIndexed() {
        return mode == Mode.INDEXED;
    }

    /** Somebody else looks after it. [kubernetes: spec.managedBy] */
    boolean isOthers() {
        return !tree.path("managedBy").asText(OURSELVES).equals(OURSELVES);
    }

    Optional<JsonNode> selector() {
        return Optional.of(tree.path("selector")).filter(JsonNode::isObject);
    }

    private static OptionalInt number(JsonNode node) {
        return node.isNumber() ? OptionalInt.of(node.asInt()) : OptionalInt.empty();
    }

    private static OptionalLong seconds(JsonNode node) {
        return node.isNumber() ? OptionalLong.of(node.asLong()) : OptionalLong.empty();
    }
}
