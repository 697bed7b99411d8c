package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Conditions.Condition;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the scheduler writes into pods and their events. */
final class Reports {
    static final String NAME = "default-scheduler";
    /** Reason of the condition {@code DisruptionTarget}. */
    static final String PREEMPTED = "PreemptionByScheduler";
    private static final String CONDITION = "PodScheduled";

    private final ControlPlane plane;
    private final ClusterHand hand;
    /** What was said last of a pod that waits: most attempts have nothing new to say. */
    private final Map<ObjectKey, String> said = new HashMap<>();

    /** Why a pod is not bound: nothing will do, or something went wrong on the way to its node. */
    enum Failure { Unschedulable, SchedulerError }

    Reports(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.hand().as("system:kube-scheduler");
    }

    ClusterHand hand() {
        return hand;
    }

    /**
     * Binds a pod as the API's binding does: its node and its condition in one write.
     *
     * @return the pod as it is now; empty if it has gone, is leaving or was bound by somebody else
     */
    Optional<PodFacts> bind(PodFacts pod, String node, Instant now) {
        Optional<PodFacts> bound = hand.status(pod.key(), object -> {
            if (isFree(object, pod)) {
                object.withObjectProperty("spec").put("nodeName", node);
                Conditions.set(object, new Condition(CONDITION, "True", "", ""), now);
            }
        }).map(PodFacts::of).filter(after -> after.uid().equals(pod.uid()) && after.node().equals(node));
        bound.ifPresent(after -> event(after.object(), Type.Normal, "Scheduled", "Successfully assigned "
                + pod.key().namespace() + "/" + pod.key().name() + " to " + node, now));
        return bound;
    }

    /**
     * A pod could not be bound; it is told in its condition and in an event.
     *
     * @param nominated node that others leave for it; empty for none
     */
    void failed(PodFacts pod, Failure failure, String text, String nominated, Instant now) {
        String all = pod.uid() + failure + nominated + text;
        if (!all.equals(said.put(pod.key(), all))) {
            hand.status(pod.key(), object -> {
                if (isFree(object, pod)) {
                    nominate(object, nominated);
                    Conditions.set(object, new Condition(CONDITION, "False", failure.name(), text), now);
                }
            });
        }
        event(pod.object(), Type.Warning, "FailedScheduling", text, now);
    }

    /** A pod waits no more. */
    void forget(ObjectKey pod) {
        said.remove(pod);
    }

    /** A pod with gates is not looked at; no event says so. [KEP-3521] */
    void gated(PodFacts pod, Instant now) {
        hand.status(pod.key(), object -> {
            if (isFree(object, pod)) {
                Conditions.set(object, new Condition(CONDITION, "False", "SchedulingGated",
                        "Scheduling is blocked due to non-empty scheduling gates"), now);
            }
        });
    }

    /** A node that others have left for a pod is given to a more important one. */
    void unnominate(PodFacts pod) {
        hand.status(pod.key(), object -> nominate(object, ""));
    }

    /** A pod has to leave its node for another. */
    void preempt(PodFacts victim, PodFacts winner, String node, Instant now) {
        hand.status(victim.key(), object -> {
            if (isThis(object, victim)) {
                Conditions.set(object, new Condition("DisruptionTarget", "True", PREEMPTED,
                        NAME + ": preempting to accommodate a higher priority pod"), now);
            }
        });
        if (victim.deletion().isEmpty()) {
            hand.delete(victim.key());
        }
        event(victim.object(), Type.Normal, "Preempted", "Preempted by pod " + winner.uid() + " on node " + node, now);
    }

    private void event(StoredObject pod, Type type, String reason, String message, Instant now) {
        plane.events().record(Subject.core(pod, "Pod"), Source.of(NAME), type, reason, message, now);
    }

    private static void nominate(ObjectNode object, String node) {
        if (!node.isEmpty()) {
            object.withObjectProperty("status").put("nominatedNodeName", node);
        } else if (object.path("status").has("nominatedNodeName")) {
            object.withObjectProperty("status").remove("nominatedNodeName");
        }
    }

    private static boolean isFree(ObjectNode object, PodFacts pod) {
        return isThis(object, pod) && !object.path("metadata").has("deletionTimestamp")
                && object.at("/spec/nodeName").asText("").isEmpty();
    }

    private static boolean isThis(ObjectNode object, PodFacts pod) {
        return object.at("/metadata/uid").asText().equals(pod.uid());
    }
}
