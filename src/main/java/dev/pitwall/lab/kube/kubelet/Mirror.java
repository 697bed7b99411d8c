package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.List;

/** Static pods: the object in the API server only mirrors what the kubelet runs from a file. */
final class Mirror {
    private static final String MIRROR = "kubernetes.io/config.mirror";

    private Mirror() {
    }

    static boolean is(PodRecord record) {
        return record.facts().ownerKind().equals("Node");
    }

    /** Makes the object anew; what runs goes on. */
    static void again(ClusterHand hand, StoredObject last) {
        ObjectNode pod = last.copy();
        ObjectNode metadata = pod.withObjectProperty("metadata");
        metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp",
                "deletionGracePeriodSeconds", "generation"));
        metadata.withObjectProperty("annotations").put(MIRROR,
                metadata.at("/annotations").path(MIRROR).asText(Digests.hex(last.key().name()).substring(0, 32)));
        hand.create(last.key(), pod);
    }
}
