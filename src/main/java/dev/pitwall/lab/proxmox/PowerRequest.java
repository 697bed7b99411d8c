package dev.pitwall.lab.proxmox;

import java.time.Duration;
import java.util.Optional;

/**
 * How a VM's power is to be changed, beyond what is to be done.
 *
 * @param pastLocks        {@code skiplock}; root only
 * @param patience         {@code timeout}
 * @param forceStop        the plug is pulled on a guest that does not power off in time
 * @param overruleShutdown {@code overrule-shutdown}: a stop ends shutdowns that wait for the guest
 */
public record PowerRequest(boolean pastLocks, Optional<Duration> patience, boolean forceStop, boolean overruleShutdown) {
    /** Nothing special. */
    public static final PowerRequest USUAL = new PowerRequest(false, Optional.empty(), false, false);

    public PowerRequest withPatience(Duration wait) {
        return new PowerRequest(pastLocks, Optional.of(wait), forceStop, overruleShutdown);
    }

    public PowerRequest withForceStop() {
        return new PowerRequest(pastLocks, patience, true, overruleShutdown);
    }
}
