package dev.pitwall.journey.change;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * A pod is run to its end, its log is read, and it is removed, whatever comes of it. Nothing is left of it, so there is
 * nothing to take back; a run that died in it removes what is left and runs it again.
 *
 * @param cluster  the cluster in the site
 * @param pod      its name is for this run alone
 * @param manifest with a deadline of its own, so that it lets go of its card even if nobody comes back
 * @param card     the id of the card that it proves
 * @param expects  a text that its log must have, for example {@code Test PASSED}
 * @param takes    how long it usually takes, image pull included
 * @param limit    how long it may take
 */
public record PodRun(String cluster, ObjectRef pod, JsonNode manifest, String card, String expects, Duration takes,
                     Duration limit, String summary) implements Change {

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
        return Risk.NONE;
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
}
