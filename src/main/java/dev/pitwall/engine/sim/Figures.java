package dev.pitwall.engine.sim;

import java.util.Map;

/**
 * What a policy came to on a trace; the fields are those of {@code pitwall simulate --json}.
 *
 * @param served         requests that were served to the end of their wait; the others were refused
 * @param coldStarts      requests that waited for a load
 * @param loadSeconds     seconds providers spent loading
 * @param bytesLoaded     weights that were loaded
 * @param waitMeanMs      from arrival to service start, over served requests
 * @param refused         requests by the reason they were refused for
 * @param pinViolations   pinned placements that were driven out; always 0
 * @param interrupted     requests in service whose placement was driven out; always 0
 * @param decideP99Micros real time of one decision, 99th percentile
 */
public record Figures(String policy, long requests, long served, long coldStarts, double loadSeconds, long bytesLoaded, long evictions,
                      double waitMeanMs, double waitP50Ms, double waitP95Ms, double waitMaxMs, Map<String, Long> refused,
                      long pinViolations, long interrupted, double decideP99Micros) {
    public Figures {
        refused = Map.copyOf(refused);
    }
}
