package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.OmitEmpty;
import java.time.Instant;
import java.util.List;

/**
 * What a StatefulSet's status says of its pods.
 *
 * @param currentReplicas pods of the revision that an update comes from
 * @param updatedReplicas pods of the revision of its template
 */
record StatefulStatus(int replicas, int ready, int available, int currentReplicas, int updatedReplicas,
                      String currentRevision, String updateRevision) {

    static StatefulStatus of(StatefulSpec spec, List<PodFacts> pods, String current, String update, Instant now) {
        int ready = 0;
        int available = 0;
        int currents = 0;
        int updated = 0;
        for (PodFacts pod : pods) {
            boolean runs = pod.phase().equals("Running") && pod.ready();
            ready += runs ? 1 : 0;
            available += runs && pod.isAvailable(spec.minReadySeconds(), now) ? 1 : 0;
            boolean stays = pod.deletion().isEmpty();
            currents += stays && StatefulPod.revision(pod).equals(current) ? 1 : 0;
            updated += stays && StatefulPod.revision(pod).equals(update) ? 1 : 0;
        }
        return new StatefulStatus(pods.size(), ready, available, currents, updated, current, update).completed(spec);
    }

    /** When all are updated and ready, that revision is what the next update comes from. */
    private StatefulStatus completed(StatefulSpec spec) {
        boolean done = spec.update() == StatefulSpec.Update.ROLLING && updatedReplicas == spec.replicas()
                && ready == spec.replicas() && replicas == spec.replicas();
        return done ? new StatefulStatus(replicas, ready, available, updatedReplicas, updatedReplicas, updateRevision,
                updateRevision) : this;
    }

    void write(ObjectNode set, long generation) {
        ObjectNode status = set.withObjectProperty("status");
        status.put("observedGeneration", generation).put("replicas", replicas).put("availableReplicas", available)
                .put("currentRevision", currentRevision).put("updateRevision", updateRevision)
                .put("collisionCount", status.path("collisionCount").asInt(0));
        OmitEmpty.put(status, "readyReplicas", ready);
        OmitEmpty.put(status, "currentReplicas", currentReplicas);
        OmitEmpty.put(status, "updatedReplicas", updatedReplicas);
    }
}
