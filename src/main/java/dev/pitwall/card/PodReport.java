package dev.pitwall.card;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pod, reduced to what says where it is, what it holds and why it waits.
 *
 * @param app         label {@code app}, else {@code app.kubernetes.io/name}
 * @param owner       controlling owner, for example {@code DaemonSet/nvidia-device-plugin-daemonset}
 * @param node        empty until it is bound; an unbound pod holds nothing
 * @param targetNode  for a DaemonSet's pending pod, the node its affinity names
 * @param phase       {@code Pending}, {@code Running}, {@code Succeeded}, {@code Failed} or {@code Unknown}
 * @param reason      {@code status.reason}, for example {@code UnexpectedAdmissionError}
 * @param gpuRequests devices it holds once bound, by resource name, counted as the scheduler counts
 *                    (max of the init containers and the sum of the others)
 * @param deleting    it is terminating; it still counts until the object is gone
 * @param startedAt   when its kubelet took it on; before that, when it was made
 * @param scheduling  the message of condition {@code PodScheduled} while that is false
 */
public record PodReport(String namespace, String name, String uid, Optional<String> app, Optional<String> owner,
                        Optional<String> node, Optional<String> targetNode, String phase, Optional<String> reason,
                        Map<String, Long> gpuRequests, boolean ready, boolean deleting, Optional<Instant> startedAt,
                        Optional<String> scheduling, List<ContainerReport> initContainers,
                        List<ContainerReport> containers) {

    public PodReport {
        gpuRequests = Map.copyOf(gpuRequests);
        initContainers = List.copyOf(initContainers);
        containers = List.copyOf(containers);
    }

    /** True if the scheduler counts it: bound to a node and not finished. Terminating pods count. */
    public boolean holdsResources() {
        return node.isPresent() && !phase.equals("Succeeded") && !phase.equals("Failed");
    }

    /**
     * @param state        {@code waiting}, {@code running} or {@code terminated}
     * @param reason       for example {@code CrashLoopBackOff} or {@code OOMKilled}
     * @param exitCode     of the current termination
     * @param lastReason   reason of the termination before
     * @param lastExitCode exit code of the termination before
     * @param since        start of the current state where known
     */
    public record ContainerReport(String name, String state, boolean ready, int restarts, Optional<String> reason,
                                  Optional<String> message, Optional<Integer> exitCode, Optional<String> lastReason,
                                  Optional<Integer> lastExitCode, Optional<Instant> since) {
    }
}
