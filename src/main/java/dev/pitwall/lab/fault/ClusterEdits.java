package dev.pitwall.lab.fault;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What faults may do to the objects of the lab's cluster: what an administrator could do with {@code kubectl}. Safe for
 * any number of threads; must not wait for anything, since it is called inside {@link dev.pitwall.lab.world.World#change}.
 */
public interface ClusterEdits {

    /** A lab without a cluster: nothing is there, and nothing can be put there. */
    ClusterEdits NONE = new ClusterEdits() {
        @Override
        public Optional<ObjectNode> find(ObjectRef ref) {
            return Optional.empty();
        }

        @Override
        public void create(ObjectRef ref, ObjectNode object) {
            throw new EditRefused("this lab has no cluster");
        }

        @Override
        public void change(ObjectRef ref, Consumer<ObjectNode> change) {
            throw new EditRefused("this lab has no cluster");
        }

        @Override
        public void delete(ObjectRef ref, Grace grace) {
            throw new EditRefused("this lab has no cluster");
        }

        @Override
        public List<ObjectRef> pods(String node, Map<String, String> labels) {
            return List.of();
        }

        @Override
        public List<ObjectRef> refused(String node) {
            return List.of();
        }
    };

    /** How an object goes. */
    enum Grace {
        /** As with {@code kubectl delete}: a pod has the time of its own specification. */
        OWN,
        /** As with {@code kubectl delete --grace-period=1}. */
        SHORT
    }

    /** A copy of the object as it is now. */
    Optional<ObjectNode> find(ObjectRef ref);

    /** True if the object is there. */
    default boolean has(ObjectRef ref) {
        return find(ref).isPresent();
    }

    /** @throws EditRefused if the cluster does not take it */
    void create(ObjectRef ref, ObjectNode object);

    /**
     * Changes the object as it is now; nothing if it is not there.
     *
     * @throws EditRefused if the cluster does not take it
     */
    void change(ObjectRef ref, Consumer<ObjectNode> change);

    /** Nothing if it is not there. */
    void delete(ObjectRef ref, Grace grace);

    /** The pods that are bound to a node and have all these labels. */
    List<ObjectRef> pods(String node, Map<String, String> labels);

    /** The pods that were bound to a node and that its kubelet did not take; others have come in their place. */
    List<ObjectRef> refused(String node);
}
