package dev.pitwall.engine.charge;

import dev.pitwall.card.TroubleException;
import java.util.Optional;

/** The Lease of one cluster. Calls block; interrupting ends them. Implemented in {@code link.kube}. */
public interface Leases {

    /** As it is now; empty where there is none yet. */
    Optional<Lease> read() throws TroubleException, InterruptedException;

    /**
     * Writes it, if nobody else has since it was read.
     *
     * @param lease with the version that was read, or none to make it
     * @return as it was written; empty if somebody else was quicker
     */
    Optional<Lease> write(Lease lease) throws TroubleException, InterruptedException;
}
