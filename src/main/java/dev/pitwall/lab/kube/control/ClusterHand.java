package dev.pitwall.lab.kube.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.object.PodLife;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoreRefusal;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** How a controller writes: under a name of its own, and through the same admission as everybody. */
public final class ClusterHand {
    private final ObjectStore store;
    private final Admission admission;
    private final String user;

    /** @param user for example {@code system:serviceaccount:kube-system:daemon-set-controller} */
    public ClusterHand(ObjectStore store, Admission admission, String user) {
        this.store = store;
        this.admission = admission;
        this.user = user;
    }

    public ClusterHand as(String other) {
        return new ClusterHand(store, admission, other);
    }

    public ObjectStore store() {
        return store;
    }

    public Optional<StoredObject> find(ObjectKey key) {
        return store.find(key);
    }

    /**
     * Creates an object.
     *
     * @throws dev.pitwall.lab.kube.admit.AdmissionRefusal if admission does not let it through
     * @throws StoreRefusal if it is there already
     */
    public StoredObject create(ObjectKey key, ObjectNode object) {
        ObjectNode body = object.deepCopy();
        admission.admit(new Admission.Request(key.resource(), Admission.Operation.CREATE, key.namespace(), key.name(),
                "", body, Optional.empty(), user));
        return store.create(key, body);
    }

    /**
     * Changes an object as it is now, its status too; a change that changes nothing makes no new version.
     *
     * @return empty if it is not there
     * @throws dev.pitwall.lab.kube.admit.AdmissionRefusal if admission does not let it through
     */
    public Optional<StoredObject> change(ObjectKey key, Consumer<ObjectNode> change) {
        return update(key, change, (before, body) -> admission.admit(new Admission.Request(key.resource(),
                Admission.Operation.UPDATE, key.namespace(), key.name(), "", body, Optional.of(before.tree()), user)));
    }

    /** Changes an object's status, without admission, as the status subresource does. @return empty if it is not there */
    public Optional<StoredObject> status(ObjectKey key, Consumer<ObjectNode> change) {
        return update(key, change, (before, body) -> { });
    }

    /** Deletes as a client would; nothing if it is not there. */
    public void delete(ObjectKey key, int graceSeconds) {
        try {
            store.delete(key, graceSeconds, Preconditions.NONE);
        } catch (StoreRefusal gone) {
            // Somebody else was faster, which is what was wanted.
        }
    }

    /**
     * Deletes as a client that names no grace period: a pod has the one of its spec, unless it is not bound or has come
     * to its end.
     */
    public void delete(ObjectKey key) {
        delete(key, grace(key));
    }

    /**
     * Deletes an object if it is still the one that was meant, with the grace period of its spec.
     *
     * @param mark changes it before, for example adds the finalizer that says what becomes of its dependents
     */
    public void delete(ObjectKey key, String uid, Consumer<ObjectNode> mark) {
        int grace = grace(key);
        try {
            store.delete(key, grace, Preconditions.uid(uid), mark);
        } catch (StoreRefusal gone) {
            // Somebody else was faster, and it may be another object by now.
        }
    }

    /** Deletes so that what depends on the object goes first: it stays until the garbage collector has seen to that. */
    public void deleteInForeground(ObjectKey key, String uid) {
        delete(key, uid, object -> Finalizers.add(object, Finalizers.FOREGROUND));
    }

    /** Takes an object away at once, finalizers or not. */
    public void purge(ObjectKey key) {
        store.purge(key);
    }

    private int grace(ObjectKey key) {
        return key.resource().equals(Resource.PODS)
                ? store.find(key).map(pod -> PodLife.grace(pod.tree())).orElse(0) : 0;
    }

    private Optional<StoredObject> update(ObjectKey key, Consumer<ObjectNode> change,
                                          BiConsumer<StoredObject, ObjectNode> check) {
        while (true) {
            Optional<StoredObject> before = store.find(key);
            if (before.isEmpty()) {
                return before;
            }
            ObjectNode body = before.get().copy();
            change.accept(body);
            check.accept(before.get(), body);
            try {
                return Optional.of(store.update(key, body));
            } catch (StoreRefusal refused) {
                // A client was faster: what it wrote is the ground for the next try.
                if (refused.reason() != StoreRefusal.Reason.Conflict) {
                    return Optional.empty();
                }
            }
        }
    }
}
