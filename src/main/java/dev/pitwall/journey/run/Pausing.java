package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.change.PodRun.Pause;
import java.util.List;
import java.util.Optional;

/** Workloads that stand still while something runs in their place. Whatever comes of that, they are started again. */
final class Pausing implements AutoCloseable {
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

    /** One that somebody has scaled meanwhile keeps what it has got. */
    @Override
    public void close() throws TroubleException, InterruptedException {
        for (Pause pause : pauses) {
            scale(pause, pause.replicas());
        }
    }

    private void scale(Pause pause, int replicas) throws TroubleException, InterruptedException {
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
