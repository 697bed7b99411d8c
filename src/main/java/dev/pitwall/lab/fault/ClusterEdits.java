package dev.pitwall.lab.fault;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

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
        public void put(ObjectRef ref, ObjectNode object) {
            throw new IllegalStateException("this lab has no cluster");
        }

        @Override
        public void remove(ObjectRef ref) {
            throw new IllegalStateException("this lab has no cluster");
        }
    };

    /** A copy of the object as it is now. */
    Optional<ObjectNode> find(ObjectRef ref);

    /** Creates the object, or makes it like this. */
    void put(ObjectRef ref, ObjectNode object);

    /** Deletes the object at once; nothing if it is not there. */
    void remove(ObjectRef ref);
}
