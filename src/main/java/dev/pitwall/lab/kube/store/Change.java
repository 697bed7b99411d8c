package dev.pitwall.lab.kube.store;

/** One entry of the store's log. */
public sealed interface Change {

    long revision();

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
