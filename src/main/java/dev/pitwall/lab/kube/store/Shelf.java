package dev.pitwall.lab.kube.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;

/** The objects of one resource and the window of their last changes. Touched only under the store's lock. */
final class Shelf {
    final TreeMap<String, StoredObject> objects = new TreeMap<>();
    final Condition changed;
    private final ArrayDeque<Change> log = new ArrayDeque<>();
    private final int window;
    /** Changes up to this revision are forgotten. */
    private long forgotten;

    Shelf(int window, long openedAt, Condition changed) {
        this.window = window;
        this.forgotten = openedAt;
        this.changed = changed;
    }

    void append(Change change) {
        log.addLast(change);
        while (log.size() > window) {
            forgotten = log.removeFirst().revision();
        }
        changed.signalAll();
    }

    /** @return 0 if there was none */
    long lastChange() {
        return log.isEmpty() ? 0 : log.peekLast().revision();
    }

    long forgotten() {
        return forgotten;
    }

    /** @return false if changes after {@code revision} are no longer all known */
    boolean reachesBackTo(long revision) {
        return revision >= forgotten;
    }

    List<Change> after(long revision, int limit) {
        if (lastChange() <= revision) {
            return List.of();
        }
        List<Change> found = new ArrayList<>();
        Iterator<Change> newestFirst = log.descendingIterator();
        while (newestFirst.hasNext()) {
            Change change = newestFirst.next();
            if (change.revision() <= revision) {
                break;
            }
            found.add(change);
        }
        List<Change> oldestFirst = found.reversed();
        return List.copyOf(oldestFirst.subList(0, Math.min(limit, oldestFirst.size())));
    }

    Collection<StoredObject> in(String namespace) {
        return rows(objects, namespace);
    }

    /** The objects as they were at a revision: now, with the later changes taken back one by one. */
    Collection<StoredObject> at(long revision, String namespace) {
        TreeMap<String, StoredObject> then = new TreeMap<>(objects);
        Iterator<Change> newestFirst = log.descendingIterator();
        while (newestFirst.hasNext()) {
            Change change = newestFirst.next();
            if (change.revision() <= revision) {
                break;
            }
            switch (change) {
                case Change.Added added -> then.remove(added.now().key().row());
                case Change.Modified modified -> then.put(modified.before().key().row(), modified.before());
                case Change.Deleted deleted -> then.put(deleted.before().key().row(), deleted.before());
            }
        }
        return rows(then, namespace);
    }

    private static Collection<StoredObject> rows(TreeMap<String, StoredObject> objects, String namespace) {
        // '0' is the character after '/': everything between is of this namespace.
        return namespace.isEmpty() ? objects.values() : objects.subMap(namespace + "/", namespace + "0").values();
    }
}
