package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Conditions.Condition;
import dev.pitwall.lab.kube.object.OmitEmpty;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToIntFunction;

/**
 * The status of a Deployment while one turn works it out; written once, at the turn's end.
 * [kubernetes: pkg/controller/deployment/progress.go and sync.go]
 */
final class DeploymentStatus {
    private static final String PROGRESSING = "Progressing";
    private static final String AVAILABLE = "Available";
    private static final String FAILURE = "ReplicaFailure";
    private static final String COMPLETE = "NewReplicaSetAvailable";
    private static final String TIMED_OUT = "ProgressDeadlineExceeded";
    private static final String PAUSED = "DeploymentPaused";

    private final ControlPlane plane;
    private final DeploymentPlan plan;
    private final Instant now;
    private final ObjectNode object;
    private final Counts before;
    private OptionalLong revision = OptionalLong.empty();

    /** How many pods there are of which kind. */
    private record Counts(int replicas, int updated, int ready, int available) {
        static Counts of(JsonNode status) {
            return new Counts(status.path("replicas").asInt(0), status.path("updatedReplicas").asInt(0),
                    status.path("readyReplicas").asInt(0), status.path("availableReplicas").asInt(0));
        }

        int old() {
            return replicas - updated;
        }

        boolean isBetterThan(Counts other) {
            return updated > other.updated || old() < other.old() || ready > other.ready
                    || available > other.available;
        }
    }

    DeploymentStatus(ControlPlane plane, DeploymentPlan plan, Instant now) {
        this.plane = plane;
        this.plan = plan;
        this.now = now;
        this.object = plan.item().tree().deepCopy();
        this.before = Counts.of(object.path("status"));
    }

    /** Names that collided with other templates' so far. */
    int collisions() {
        return object.at("/status/collisionCount").asInt(0);
    }

    void collided() {
        status().put("collisionCount", collisions() + 1);
    }

    /** The number of its newest ReplicaSet, which the Deployment has too. */
    void revision(long number) {
        revision = OptionalLong.of(number);
    }

    boolean hasProgress() {
        return Conditions.find(object, PROGRESSING).isObject();
    }

    /** Something has happened that the deadline counts from. Says nothing for a Deployment without a deadline. */
    void progress(String status, String reason, String message) {
        if (plan.deadline().isPresent()) {
            set(new Condition(PROGRESSING, status, reason, message));
        }
    }

    /** While it is paused the deadline does not run; a rollout that has failed stays failed. */
    void pauses() {
        String reason = Conditions.find(object, PROGRESSING).path("reason").asText("");
        if (reason.equals(TIMED_OUT)) {
            return;
        }
        if (plan.paused() && !reason.equals(PAUSED)) {
            progress("Unknown", PAUSED, "Deployment is paused");
        } else if (!plan.paused() && reason.equals(PAUSED)) {
            progress("Unknown", "DeploymentResumed", "Deployment is resumed");
        }
    }

    /** True if the last turn left everything as it is to be. */
    boolean wasComplete() {
        return isComplete(before) && object.at("/status/observedGeneration").asLong()
                >= object.at("/metadata/generation").asLong();
    }

    /** Counts the pods, and says whether enough of them can be used. */
    void count(List<RevisionSet> all, Optional<RevisionSet> newest) {
        ObjectNode status = status();
        int available = sum(all, RevisionSet::available);
        status.put("observedGeneration", object.at("/metadata/generation").asLong());
        OmitEmpty.put(status, "replicas", sum(all, RevisionSet::actual));
        OmitEmpty.put(status, "updatedReplicas", newest.map(RevisionSet::actual).orElse(0));
        OmitEmpty.put(status, "readyReplicas", sum(all, RevisionSet::ready));
        OmitEmpty.put(status, "availableReplicas", available);
        OmitEmpty.put(status, "unavailableReplicas", Math.max(0, sum(all, RevisionSet::replicas) - available));
        set(available >= plan.leastAvailable()
                ? new Condition(AVAILABLE, "True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
                : new Condition(AVAILABLE, "False", "MinimumReplicasUnavailable",
                        "Deployment does not have minimum availability."));
    }

    /** Says how far the rollout is, after {@link #count}. */
    void judge(List<RevisionSet> all, Optional<RevisionSet> newest) {
        Counts counts = Counts.of(status());
        boolean settled = counts.old() == 0
                && Conditions.find(object, PROGRESSING).path("reason").asText("").equals(COMPLETE);
        String subject = newest.map(set -> "ReplicaSet \"" + set.name() + "\"")
                .orElse("Deployment \"" + plan.name() + "\"");
        if (plan.deadline().isEmpty()) {
            Conditions.remove(object, PROGRESSING);
        } else if (!settled) {
            if (isComplete(counts)) {
                set(new Condition(PROGRESSING, "True", COMPLETE, subject + " has successfully progressed."));
            } else if (counts.isBetterThan(before)) {
                renew(new Condition(PROGRESSING, "True", "ReplicaSetUpdated", subject + " is progressing."));
            } else if (isTimedOut()) {
                set(new Condition(PROGRESSING, "False", TIMED_OUT, subject + " has timed out progressing."));
            }
        }
        failure(all, newest);
    }

    /** When the deadline has run out, if it runs. */
    Optional<Instant> timesOut() {
        JsonNode condition = Conditions.find(object, PROGRESSING);
        String reason = condition.path("reason").asText("");
        if (reason.isEmpty() || reason.equals(TIMED_OUT) || reason.equals(COMPLETE)) {
            return Optional.empty();
        }
        Instant from = Instant.parse(condition.path("lastUpdateTime").asText());
        return plan.deadline().map(from::plus);
    }

    /** A second after the deadline, if it is still to come: what {@link #judge} has to be asked again. */
    Optional<Instant> comesBack() {
        return timesOut().map(moment -> moment.plus(Duration.ofSeconds(1))).filter(now::isBefore);
    }

    void write() {
        if (object.at("/status/conditions").isEmpty()) {
            status().remove("conditions");
        }
        plane.hand().status(plan.item().key(), there -> {
            if (there.at("/metadata/uid").asText().equals(plan.item().uid())) {
                there.set("status", object.path("status").deepCopy());
                revision.ifPresent(number ->
                        RevisionNotes.notes(there).put(RevisionNotes.REVISION, Long.toString(number)));
            }
        });
    }

    private boolean isComplete(Counts counts) {
        return counts.updated() == plan.replicas() && counts.replicas() == plan.replicas()
                && counts.available() == plan.replicas();
    }

    private boolean isTimedOut() {
        return timesOut().filter(moment -> moment.isBefore(now)).isPresent();
    }

    /** A ReplicaSet that cannot make pods is the Deployment's failure too; the newest one's comes first. */
    private void failure(List<RevisionSet> all, Optional<RevisionSet> newest) {
        Optional<JsonNode> failure = newest.map(set -> Conditions.find(set.tree(), FAILURE)).filter(JsonNode::isObject)
                .or(() -> all.stream().map(set -> Conditions.find(set.tree(), FAILURE)).filter(JsonNode::isObject)
                        .findFirst());
        if (failure.isEmpty()) {
            Conditions.remove(object, FAILURE);
            return;
        }
        JsonNode there = failure.get();
        set(new Condition(FAILURE, there.path("status").asText(), there.path("reason").asText(),
                there.path("message").asText()));
    }

    /** A condition that says the same as before keeps its text and its times. */
    private void set(Condition wanted) {
        JsonNode there = Conditions.find(object, wanted.type());
        if (!there.path("status").asText("").equals(wanted.status())
                || !there.path("reason").asText("").equals(wanted.reason())) {
            renew(wanted);
        }
    }

    /** Writes a condition behind the others; how long its status lasts is kept. */
    private void renew(Condition wanted) {
        JsonNode there = Conditions.find(object, wanted.type());
        String since = there.path("status").asText("").equals(wanted.status())
                ? there.path("lastTransitionTime").asText() : Timestamp.of(now);
        Conditions.remove(object, wanted.type());
        status().withArrayProperty("conditions").addObject().put("type", wanted.type()).put("status", wanted.status())
                .put("lastUpdateTime", Timestamp.of(now)).put("lastTransitionTime", since)
                .put("reason", wanted.reason()).put("message", wanted.message());
    }

    private ObjectNode status() {
        return object.withObjectProperty("status");
    }

    private static int sum(List<RevisionSet> sets, ToIntFunction<RevisionSet> count) {
        return sets.stream().mapToInt(count).sum();
    }
}
