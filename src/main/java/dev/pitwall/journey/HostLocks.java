package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;

import java.util.Optional;

/** Keeps two runs from working on one host at once, whichever process they belong to. Thread-safe. */
public interface HostLocks {

    /**
     * Takes a host for a run.
     *
     * @param host what tells it from all others, whatever a site calls it: see {@link Systems#identity}
     * @return empty if a run of this process or of another has it; what a process held is free when it dies
     * @throws TroubleException if it cannot be told
     */
    Optional<Held> take(String host) throws TroubleException;

    /** A host that was taken; closing gives it back. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }
}
