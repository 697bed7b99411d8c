package dev.pitwall.lab.kube.store;

/** One entry of the store's log. */
public sealed interface Change {

    long revision();

    /** The object as it is now; one that has gone as it was. */
    default StoredObject object() {
        return switch (this) {
            case Added added -> added.now();
            case Modified modified -> modified.now();
            case Deleted deleted -> deleted.before();
        };
    }

    /** The object appeared. */
    record Added(StoredObject now) implements Change {
        @Override
        public long revision() {
            return now.revision();
        }
    }

    /** The object is another version than before. */
    record Modified(StoredObject before, StoredObject now) implements Change {
        @Override
        public long revision() {
            return now.revision();
        }
    }

    /** The object has gone; {@code last} is its final state with the revision of the removal. */
    record Deleted(StoredObject before, StoredObject last) implements Change {
        @Override
        public long revision() {
            return last.revision();
        }
    }
}
