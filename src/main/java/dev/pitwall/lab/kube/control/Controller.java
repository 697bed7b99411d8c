package dev.pitwall.lab.kube.control;

import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Set;

/**
 * One controller of the cluster: it is told what has changed, and brings what is nearer to what ought to be. All of it
 * is called by the one thread of the {@link ControlLoop}, so it needs no locks; it must not wait for anything.
 */
public interface Controller {

    /** Resources whose changes it wants to hear of. */
    Set<Resource> watches();

    /**
     * Something has changed; objects that were there before it came are told as added. It only notes what is dirty. Most
     * controllers want to know no more than {@link #seen} and {@link #gone} say.
     */
    default void observe(Change change) {
        switch (change) {
            case Change.Added added -> seen(added.now());
            case Change.Modified modified -> seen(modified.now());
            case Change.Deleted deleted -> gone(deleted.before());
        }
    }

    /** An object has come, or is another than before. */
    default void seen(StoredObject now) {
    }

    /** An object is there no more. */
    default void gone(StoredObject before) {
    }

    /**
     * Does what is due. Called after changes of what it watches, after any change of the world, and when its time has
     * come.
     *
     * @param now the cluster's time
     * @return when it wants to be called though nothing has changed; {@link Instant#MAX} for never
     */
    Instant act(Instant now);
}
