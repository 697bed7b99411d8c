package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.survey.NodePods;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Deletes pods, and waits until they are gone. A pod is told by its UID: the next one may have the same name. */
final class PodRestartMaking implements Making {
    private final PodRestart restart;
    private final Cluster cluster;
    private final Patience patience;

    PodRestartMaking(PodRestart restart, Cluster cluster, Patience patience) {
        this.restart = restart;
        this.cluster = cluster;
        this.patience = patience;
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        if (restart.which() == PodRestart.Which.REFUSED) {
            return waits().isEmpty() ? Standing.AFTER : Standing.BEFORE;
        }
        int left = left().size();
        return left == 0 ? Standing.AFTER : left == restart.pods().size() ? Standing.BEFORE : new Standing.Half();
    }

    private List<PodRestart.Pod> left() throws TroubleException, InterruptedException {
        List<PodRestart.Pod> left = new ArrayList<>();
        for (PodRestart.Pod pod : restart.pods()) {
            Optional<JsonNode> now = cluster.get(pod.ref());
            if (now.filter(p -> p.at("/metadata/uid").asText().equals(pod.uid())).isPresent()) {
                left.add(pod);
            }
        }
        return left;
    }

    /** Those that have neither begun anew nor gone; one that was refused is among them. */
    private List<PodRestart.Pod> waits() throws TroubleException, InterruptedException {
        List<PodRestart.Pod> waits = new ArrayList<>();
        for (PodRestart.Pod pod : restart.pods()) {
            if (now(pod).filter(p -> NodePods.isRefused(p) || NodePods.began(p).isEmpty() || NodePods.began(p).equals(pod.began())).isPresent()) {
                waits.add(pod);
            }
        }
        return waits;
    }

    private Optional<JsonNode> now(PodRestart.Pod pod) throws TroubleException, InterruptedException {
        return cluster.get(pod.ref()).filter(p -> p.at("/metadata/uid").asText().equals(pod.uid()));
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        return switch (restart.which()) {
            case ALL -> all();
            case REFUSED -> refused();
        };
    }

    /** Whatever does not begin within the limit waits for something else, which is not for this to cure. */
    private String refused() throws TroubleException, InterruptedException {
        Instant end = patience.in(restart.limit());
        Patience.Looks looks = patience.looks();
        int gone = 0;
        for (List<PodRestart.Pod> waits = waits(); !waits.isEmpty() && !patience.past(end); waits = waits()) {
            for (PodRestart.Pod pod : waits) {
                if (now(pod).filter(NodePods::isRefused).isPresent()) {
                    cluster.delete(pod.ref());
                    gone++;
                }
            }
            looks.untilNext();
        }
        return gone == 0 ? "none was refused" : gone + (gone == 1 ? " was refused" : " were refused");
    }

    private String all() throws TroubleException, InterruptedException {
        for (PodRestart.Pod pod : left()) {
            cluster.delete(pod.ref());
        }
        Instant end = patience.in(restart.limit());
        Patience.Looks looks = patience.looks();
        for (List<PodRestart.Pod> left = left(); !left.isEmpty(); left = left()) {
            if (patience.past(end)) {
                throw Refusal.failed(left.getFirst().place(), "it is deleted and does not go since "
                        + Spans.words(restart.limit()), "See its finalizers, and whether the runtime of its node still stops containers.");
            }
            looks.untilNext();
        }
        return "";
    }
}
