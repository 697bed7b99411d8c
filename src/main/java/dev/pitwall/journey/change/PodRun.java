package dev.pitwall.journey.change;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A pod is run to its end, its log is read, and it is removed, whatever comes of it. Nothing is left of it, so there is
 * nothing to take back; a run that died in it removes what is left and runs it again.
 *
 * @param cluster  the cluster in the site
 * @param pod      its name is for this run alone
 * @param manifest with a deadline of its own, so that it lets go of its card even if nobody comes back
 * @param card     the id of the card that it proves
 * @param expects  a text that the log of each of its containers must have, for example {@code Test PASSED}
 * @param pauses   what holds the card now: it is stopped before, and started again after, whatever comes of the run
 * @param takes    how long it usually takes, image pull included
 * @param limit    how long it may take
 */
public record PodRun(String cluster, ObjectRef pod, JsonNode manifest, String card, String expects,
                     List<Pause> pauses, Duration takes, Duration limit, String summary) implements Change {

    /**
     * A workload that is stopped for as long as the pod runs.
     *
     * @param workload a Deployment or StatefulSet
     * @param replicas that it has, and gets again
     */
    public record Pause(ObjectRef workload, int replicas) {
    }

    public PodRun {
        pauses = List.copyOf(pauses);
    }

    /** Nobody has to make room for it. */
    public PodRun(String cluster, ObjectRef pod, JsonNode manifest, String card, String expects, Duration takes,
                  Duration limit, String summary) {
        this(cluster, pod, manifest, card, expects, List.of(), takes, limit, summary);
    }

    @Override
    public String system() {
        return cluster;
    }

    @Override
    public String target() {
        return "run " + pod;
    }

    @Override
    public Risk risk() {
        return pauses.isEmpty() ? Risk.NONE : Risk.RESTARTS_PODS;
    }

    /** Nothing is left of it. */
    @Override
    public Optional<String> undo() {
        return Optional.empty();
    }

    /** What a run that died in it has left is removed. */
    public ManifestChange removal() {
        return new ManifestChange(cluster, pod, Optional.of(manifest), Optional.empty(), Risk.NONE, "removed");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(takes);
    }

    /** What stands still meanwhile, one a line. */
    public String paused() {
        return pauses.stream().map(p -> "stops " + p.workload() + " meanwhile, and starts it again with "
                + p.replicas() + (p.replicas() == 1 ? " replica\n" : " replicas\n")).collect(Collectors.joining());
    }
}
