package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.OmitEmpty;
import java.util.List;
import java.util.Map;

/** The counts of a DaemonSet's status; the oldest pod of a node speaks for it. */
record DaemonStatus(int desired, int current, int misscheduled, int ready, int available, int updated) {

    static DaemonStatus of(DaemonView view) {
        int current = 0;
        int misscheduled = 0;
        int ready = 0;
        int available = 0;
        int updated = 0;
        for (Map.Entry<String, DaemonTemplate.Place> node : view.places().entrySet()) {
            List<PodFacts> pods = view.on(node.getKey());
            if (pods.isEmpty()) {
                continue;
            }
            if (node.getValue() != DaemonTemplate.Place.WANTED) {
                misscheduled++;
                continue;
            }
            PodFacts pod = pods.getFirst();
            current++;
            ready += pod.ready() ? 1 : 0;
            available += view.isAvailable(pod) ? 1 : 0;
            updated += view.isFresh(pod) ? 1 : 0;
        }
        return new DaemonStatus(view.desired(), current, misscheduled, ready, available, updated);
    }

    /** Only the first four are there when they are 0, as the API's {@code omitempty} has it. */
    void write(ObjectNode status, long generation) {
        status.put("currentNumberScheduled", current).put("numberMisscheduled", misscheduled)
                .put("desiredNumberScheduled", desired).put("numberReady", ready)
                .put("observedGeneration", generation);
        OmitEmpty.put(status, "updatedNumberScheduled", updated);
        OmitEmpty.put(status, "numberAvailable", available);
        OmitEmpty.put(status, "numberUnavailable", desired - available);
    }
}
