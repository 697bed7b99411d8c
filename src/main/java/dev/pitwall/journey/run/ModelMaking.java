package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.ModelChange.Disk;
import dev.pitwall.journey.change.ModelChange.Presence;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Pulls a model, or removes it. */
final class ModelMaking implements Making {
    private final ModelChange change;
    private final ModelServer server;
    private final Patience patience;

    ModelMaking(ModelChange change, Cluster cluster, Patience patience) {
        this.change = change;
        this.server = new ModelServer(cluster, change.service(), change.port());
        this.patience = patience;
    }

    /** A server that the same run makes does not answer yet, and has no model. */
    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        try {
            return server.has(change.model()) == (change.after() == Presence.PRESENT) ? Standing.AFTER : Standing.BEFORE;
        } catch (TroubleException e) {
            if (change.disk() == Disk.OURS && !Lost.is(e.trouble())) {
                return Standing.BEFORE;
            }
            throw e;
        }
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        Instant began = patience.now();
        server.awake(patience, change.limit());
        if (change.after() == Presence.ABSENT) {
            server.delete(change.model());
            return "";
        }
        server.pull(change.model());
        if (!server.has(change.model())) {
            throw Refusal.failed(change.target(), "the pull ended, and the server does not have it",
                    "See the log of the server's pod.");
        }
        return "pulled in " + Spans.words(Duration.between(began, patience.now()));
    }
}
