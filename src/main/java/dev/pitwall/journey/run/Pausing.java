package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.change.PodRun.Pause;
import java.util.List;
import java.util.Optional;

/** Workloads that stand still while something runs in their place. Whatever comes of that, they are started again. */
final class Pausing {
    /** A workload's own controller writes to it as well, and whoever comes second has to look again. */
    private static final int TRIES = 10;

    private final List<Pause> pauses;
    private final Cluster cluster;

    Pausing(List<Pause> pauses, Cluster cluster) {
        this.pauses = pauses;
        this.cluster = cluster;
    }

    void stop() throws TroubleException, InterruptedException {
        for (Pause pause : pauses) {
            scale(pause, 0);
        }
    }

    /** One that somebody has scaled meanwhile keeps what it has got; one that cannot be started keeps no other from it. */
    void end() throws TroubleException, InterruptedException {
        Optional<TroubleException> first = Optional.empty();
        for (Pause pause : pauses) {
            try {
                scale(pause, pause.replicas());
            } catch (TroubleException e) {
                first = first.or(() -> Optional.of(Lost.is(e.trouble()) ? e : still(pause, e.trouble())));
            }
        }
        if (first.isPresent()) {
            throw first.get();
        }
    }

    private static TroubleException still(Pause pause, Trouble why) {
        return Refusal.failed(pause.workload().toString(), "it was stopped, and could not be started again: " + why.what(),
                "Start it with: kubectl -n " + pause.workload().namespace() + " scale " + pause.workload().type().resource()
                        + "/" + pause.workload().name() + " --replicas=" + pause.replicas());
    }

    private void scale(Pause pause, int replicas) throws TroubleException, InterruptedException {
        for (int tried = 1; ; tried++) {
            try {
                scaleOnce(pause, replicas);
                return;
            } catch (TroubleException e) {
                if (e.trouble().kind() != Trouble.Kind.BUSY || tried == TRIES) {
                    throw e;
                }
            }
        }
    }

    private void scaleOnce(Pause pause, int replicas) throws TroubleException, InterruptedException {
        Optional<JsonNode> now = cluster.get(pause.workload());
        int has = now.map(workload -> workload.at("/spec/replicas").asInt(1)).orElse(replicas);
        // From what this run has left it at, and from nothing else.
        if (has == (replicas == 0 ? pause.replicas() : 0)) {
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            fields.putObject("spec").put("replicas", replicas);
            cluster.patch(pause.workload(), fields, now.orElseThrow().at("/metadata/resourceVersion").asText(),
                    Earnest.MAKE);
        }
    }
}
