package dev.pitwall.lab.kube.kubelet;

import java.time.Instant;

/**
 * How one run of a container ended.
 *
 * @param reason  {@code Completed}, {@code Error}, {@code OOMKilled}, {@code StartError} or {@code Unknown}
 * @param message its termination message; empty for none
 */
record End(Instant from, Instant to, int exitCode, String reason, String message, String containerId) {
    /** Killed by signal 9. */
    static final int KILLED = 137;
    /** What containerd says of a process that a boot has ended. */
    static final int LOST = 255;

    static String reason(int exitCode) {
        return exitCode == 0 ? "Completed" : "Error";
    }
}
