package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Conditions;
import dev.pitwall.lab.kube.control.Conditions.Condition;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Optional;

/** What the scheduler writes into pods and their events. */
final class Reports {
    private static final String NAME = "default-scheduler";
    private static final String CONDITION = "PodScheduled";

    private final ControlPlane plane;
    private final ClusterHand hand;

    Reports(ControlPlane plane) {
        this.plane = plane;
        this.hand = plane.hand().as("system:kube-scheduler");
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

    /** A pod fits nowhere; it is told in its condition and in an event. */
    void failed(PodFacts pod, String text, Instant now) {
        condition(pod, new Condition(CONDITION, "False", "Unschedulable", text), now);
        event(pod.object(), Type.Warning, "FailedScheduling", text, now);
    }

    /** A pod with gates is not looked at; no event says so. [KEP-3521] */
    void gated(PodFacts pod, Instant now) {
        condition(pod, new Condition(CONDITION, "False", "SchedulingGated",
                "Scheduling is blocked due to non-empty scheduling gates"), now);
    }

    private void condition(PodFacts pod, Condition condition, Instant now) {
        hand.status(pod.key(), object -> {
            if (isFree(object, pod)) {
                Conditions.set(object, condition, now);
            }
        });
    }

    private void event(StoredObject pod, Type type, String reason, String message, Instant now) {
        plane.events().record(pod, "v1", "Pod", type, NAME, "", reason, message, now);
    }

    private static boolean isFree(ObjectNode object, PodFacts pod) {
        return object.at("/metadata/uid").asText().equals(pod.uid())
                && !object.path("metadata").has("deletionTimestamp")
                && object.at("/spec/nodeName").asText("").isEmpty();
    }
}
