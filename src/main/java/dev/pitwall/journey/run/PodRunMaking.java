package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Runs a pod to its end, reads its log, and removes it. What holds the card is stopped for that long; pods that a run
 * which died has left behind, ended by their own deadline, are removed with it.
 */
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
        Pausing paused = new Pausing(run.pauses(), cluster);
        try {
            paused.stop();
            return run();
        } finally {
            // That something still stands still matters more than what became of the pod.
            paused.end();
        }
    }

    private String run() throws TroubleException, InterruptedException {
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
        return judge(ended, logs(), Duration.between(began, patience.now()));
    }

    /** By the names of its containers. */
    private List<Map.Entry<String, String>> logs() throws TroubleException, InterruptedException {
        List<Map.Entry<String, String>> logs = new ArrayList<>();
        for (JsonNode container : run.manifest().at("/spec/containers")) {
            String name = container.path("name").asText();
            logs.add(Map.entry(name, cluster.log(run.pod(), name, LINES)));
        }
        return logs;
    }

    private String judge(JsonNode ended, List<Map.Entry<String, String>> logs, Duration took) throws TroubleException {
        String all = logs.stream().map(log -> (logs.size() == 1 ? "" : log.getKey() + ":\n") + log.getValue().strip())
                .collect(Collectors.joining("\n"));
        Optional<String> without = logs.stream().filter(log -> !log.getValue().contains(run.expects()))
                .map(Map.Entry::getValue).findFirst();
        if (without.isEmpty() && ended.at("/status/phase").asText().equals("Succeeded")) {
            String said = all.lines().filter(line -> line.contains(run.expects())).findFirst().orElse(run.expects());
            return said.strip() + " in " + Spans.words(took) + "\n" + all;
        }
        String last = without.orElse(all).lines().filter(l -> !l.isBlank()).reduce((a, b) -> b)
                .orElse("it printed nothing");
        throw Refusal.failed(run.pod().toString(), "it ended as " + ended.at("/status/phase").asText()
                + reason(ended) + " without \"" + run.expects() + "\": " + last,
                "See the log of the run above; the floors below the proof say what is wrong.");
    }

    /** For example a deadline, or what the kubelet had to say of a pod that it did not take. */
    private static String reason(JsonNode pod) {
        String reason = pod.at("/status/reason").asText("");
        String message = pod.at("/status/message").asText("");
        return reason.isEmpty() ? "" : " (" + reason + (message.isEmpty() ? "" : ": " + message) + ")";
    }

    private JsonNode toItsEnd(Instant end) throws TroubleException, InterruptedException {
        Patience.Looks looks = patience.looks();
        while (true) {
            JsonNode pod = cluster.get(run.pod()).orElseThrow(() -> Refusal.failed(run.pod().toString(),
                    "somebody removed it while it ran", "Run it again."));
            if (isOver(pod)) {
                return pod;
            }
            if (patience.past(end)) {
                throw Refusal.failed(run.pod().toString(), "it did not end within " + Spans.words(run.limit())
                        + waits(pod), "See what it waits for, then run it again.");
            }
            looks.untilNext();
        }
    }

    private static boolean isOver(JsonNode pod) {
        String phase = pod.at("/status/phase").asText();
        return phase.equals("Succeeded") || phase.equals("Failed");
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

    /** What a try before this one has left: of this run in whatever state, of others what has ended. */
    private void remove() throws TroubleException, InterruptedException {
        for (JsonNode left : cluster.list(ObjectType.POD, run.pod().namespace(), labels())) {
            if (isOver(left)) {
                cluster.delete(new ObjectRef(ObjectType.POD, run.pod().namespace(), left.at("/metadata/name").asText()));
            }
        }
        if (cluster.get(run.pod()).isEmpty()) {
            return;
        }
        cluster.delete(run.pod());
        Instant end = patience.in(GOING);
        Patience.Looks looks = patience.looks();
        while (cluster.get(run.pod()).isPresent()) {
            if (patience.past(end)) {
                throw Refusal.failed(run.pod().toString(), "it is deleted and does not go since " + Spans.words(GOING),
                        "See what its node is doing, then run again.");
            }
            looks.untilNext();
        }
    }

    private String labels() {
        return run.manifest().at("/metadata/labels").propertyStream()
                .map(label -> label.getKey() + "=" + label.getValue().asText()).collect(Collectors.joining(","));
    }
}
