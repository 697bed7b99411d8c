package dev.pitwall.lab.kube.schedule;

import dev.pitwall.lab.kube.schedule.Refusal.Filter;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.util.HashSet;
import java.util.Set;

/**
 * What has changed since the stuck pods were last looked at, and whom it could help.
 * [kubernetes: queueing hints of the plugins]
 */
final class News {
    private final Ledger ledger;
    private final Set<String> changedNodes = new HashSet<>();
    private final Set<String> leftNodes = new HashSet<>();
    private final Set<ObjectKey> changedClaims = new HashSet<>();
    private boolean podsMoved;
    private boolean volumesChanged;

    News(Ledger ledger) {
        this.ledger = ledger;
    }

    /** A node has come, or is another than before. */
    void node(String name) {
        changedNodes.add(name);
    }

    /** A pod has left a node. */
    void left(String node) {
        leftNodes.add(node);
        podsMoved = true;
    }

    /** Pods are where they were not before, or have other labels. */
    void pods() {
        podsMoved = true;
    }

    /** A claim, a volume or a storage class has changed. */
    void storage(ObjectKey key) {
        if (key.resource().equals(Resource.VOLUME_CLAIMS)) {
            changedClaims.add(key);
        } else {
            volumesChanged = true;
        }
    }

    boolean any() {
        return podsMoved || volumesChanged || !changedNodes.isEmpty() || !leftNodes.isEmpty()
                || !changedClaims.isEmpty();
    }

    void clear() {
        changedNodes.clear();
        leftNodes.clear();
        changedClaims.clear();
        podsMoved = false;
        volumesChanged = false;
    }

    /** True if a stuck pod could do better now than at its last try. */
    boolean helps(Waiting waiting) {
        return byPods(waiting) || byStorage(waiting) || byNodes(waiting);
    }

    private boolean byPods(Waiting waiting) {
        return podsMoved && (waiting.refusedBy.contains(Filter.SPREAD) || waiting.refusedBy.contains(Filter.PODS));
    }

    private boolean byStorage(Waiting waiting) {
        if (!waiting.refusedBy.contains(Filter.VOLUMES)) {
            return false;
        }
        return volumesChanged || waiting.demand().claims().stream()
                .anyMatch(claim -> changedClaims.contains(PodVolumes.key(waiting.pod(), claim)));
    }

    private boolean byNodes(Waiting waiting) {
        for (String node : changedNodes) {
            // It helps too if it would do without the pods it holds: they may have to leave.
            if (ledger.there(node).filter(load -> takes(load.bare(), waiting)).isPresent()) {
                return true;
            }
        }
        boolean crowded = waiting.refusedBy.contains(Filter.RESOURCES) || waiting.refusedBy.contains(Filter.PORTS);
        for (String node : crowded ? leftNodes : Set.<String>of()) {
            if (ledger.there(node).filter(load -> takes(load, waiting)).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static boolean takes(NodeLoad load, Waiting waiting) {
        return Placement.alone(waiting.pod(), waiting.demand(), load).isEmpty();
    }
}
