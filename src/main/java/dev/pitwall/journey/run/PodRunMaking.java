package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.PodRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Runs a pod to its end, reads its log, and removes it. */
final class PodRunMaking implements Making {
    private static final int LINES = 200;
    private static final Duration GOING = Duration.ofMinutes(1);

    private final PodRun run;
    private final Cluster cluster;
    private final Patience patience;

    PodRunMaking(PodRun run, Cluster cluster, Patience patience) {
        this.run = run;
        this.cluster = cluster;
        this.patience = patience;
    }

    @Override
    public Optional<String> mark() {
        return Optional.of("begun");
    }

    /** What an earlier try has left proves nothing, but has to go. */
    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        return mark.isPresent() && cluster.get(run.pod()).isPresent() ? new Standing.Half() : Standing.BEFORE;
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        remove();
        String result;
        try {
            result = toItsResult();
        } catch (TroubleException | InterruptedException | RuntimeException failed) {
            // Nothing is left behind, whatever happened; and what happened is what is told.
            try {
                cluster.delete(run.pod());
            } catch (TroubleException left) {
                failed.addSuppressed(left);
            }
            throw failed;
        }
        remove();
        return result;
    }

    private String toItsResult() throws TroubleException, InterruptedException {
        Instant began = patience.now();
        cluster.create(run.pod(), run.manifest(), Earnest.MAKE);
        JsonNode ended = toItsEnd(patience.in(run.limit()));
        String log = cluster.log(run.pod(), container(), LINES);
        return judge(ended, log, Duration.between(began, patience.now()));
    }

    private String judge(JsonNode ended, String log, Duration took) throws TroubleException {
        if (log.contains(run.expects())) {
            return run.expects() + " in " + Spans.words(took);
        }
        String phase = ended.at("/status/phase").asText();
        String last = log.lines().filter(l -> !l.isBlank()).reduce((a, b) -> b).orElse("it printed nothing");
        throw Refusal.failed(run.pod().toString(), "it ended as " + phase + " without \"" + run.expects() + "\": " + last,
                "See the log of the run above; the floors below the proof say what is wrong.");
    }

    private JsonNode toItsEnd(Instant end) throws TroubleException, InterruptedException {
        while (true) {
            JsonNode pod = cluster.get(run.pod()).orElseThrow(() -> Refusal.failed(run.pod().toString(),
                    "somebody removed it while it ran", "Run it again."));
            String phase = pod.at("/status/phase").asText();
            if (phase.equals("Succeeded") || phase.equals("Failed")) {
                return pod;
            }
            if (patience.past(end)) {
                throw Refusal.failed(run.pod().toString(), "it did not end within " + Spans.words(run.limit())
                        + waits(pod), "See what it waits for, then run it again.");
            }
            patience.untilNextLook();
        }
    }

    /** What the scheduler or the kubelet says of a pod that does not run. */
    private static String waits(JsonNode pod) {
        for (JsonNode condition : pod.at("/status/conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")
                    && condition.path("status").asText().equals("False")) {
                return ": " + condition.path("message").asText();
            }
        }
        JsonNode waiting = pod.at("/status/containerStatuses/0/state/waiting");
        return waiting.isMissingNode() ? "" : ": " + waiting.path("reason").asText() + " "
                + waiting.path("message").asText("");
    }

    private String container() {
        return run.manifest().at("/spec/containers/0/name").asText();
    }

    /** Removes it, also what a run that died has left, and waits until it is gone: it lets go of its card only then. */
    private void remove() throws TroubleException, InterruptedException {
        Optional<JsonNode> left = cluster.get(run.pod());
        if (left.isEmpty()) {
            return;
        }
        cluster.delete(run.pod());
        Instant end = patience.in(GOING);
        while (cluster.get(run.pod()).isPresent()) {
            if (patience.past(end)) {
                throw Refusal.failed(run.pod().toString(), "it is deleted and does not go since " + Spans.words(GOING),
                        "See what its node is doing, then run again.");
            }
            patience.untilNextLook();
        }
    }
}
