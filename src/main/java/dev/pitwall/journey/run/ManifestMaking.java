package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Makes, alters or removes an object of a cluster. */
final class ManifestMaking implements Making {
    /** What is removed may have finalizers, pods and their grace before it is gone. */
    private static final Duration GOING = Duration.ofMinutes(3);

    private final ManifestChange change;
    private final Cluster cluster;
    private final Patience patience;

    ManifestMaking(ManifestChange change, Cluster cluster, Patience patience) {
        this.change = change;
        this.cluster = cluster;
        this.patience = patience;
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        return judge(cluster.get(change.object()));
    }

    private Standing judge(Optional<JsonNode> now) {
        if (is(now, change.after())) {
            return Standing.AFTER;
        }
        return is(now, change.before()) ? Standing.BEFORE : new Standing.Other(change.object()
                + (now.isEmpty() ? " is gone" : change.before().isEmpty() ? " is there already, and is another one"
                        : " has other values than before"));
    }

    /** One that is on its way out is as good as gone only when it is gone. */
    private static boolean is(Optional<JsonNode> now, Optional<JsonNode> wanted) {
        return wanted.isEmpty() ? now.isEmpty() : now.filter(object -> !goes(object)
                && Tree.holds(object, wanted.get())).isPresent();
    }

    private static boolean goes(JsonNode object) {
        return object.at("/metadata/deletionTimestamp").isTextual();
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        if (change.after().isEmpty()) {
            remove();
        } else if (change.before().isEmpty()) {
            cluster.create(change.object(), change.after().get(), Earnest.MAKE);
        } else {
            set(change.after().get());
        }
        return "";
    }

    private void set(JsonNode fields) throws TroubleException, InterruptedException {
        Optional<JsonNode> now = cluster.get(change.object());
        if (!(judge(now) instanceof Standing.Before)) {
            throw Refusal.busy(change.object().toString(), "somebody changed it in this moment",
                    "Look at it again, then go on.");
        }
        String version = now.orElseThrow().at("/metadata/resourceVersion").asText();
        cluster.patch(change.object(), fields, version, Earnest.MAKE);
    }

    private void remove() throws TroubleException, InterruptedException {
        cluster.delete(change.object());
        Instant end = patience.in(GOING);
        while (true) {
            Optional<JsonNode> now = cluster.get(change.object());
            if (now.isEmpty()) {
                return;
            }
            if (patience.past(end)) {
                throw Refusal.failed(change.object().toString(), "it is deleted and does not go since "
                        + Spans.words(GOING) + holders(now.get()),
                        "See what still has a finalizer there, then undo again.");
            }
            patience.untilNextLook();
        }
    }

    private static String holders(JsonNode object) {
        JsonNode finalizers = object.at("/metadata/finalizers");
        JsonNode conditions = object.at("/status/conditions");
        for (JsonNode condition : conditions) {
            if (condition.path("type").asText().equals("NamespaceContentRemaining")
                    && condition.path("status").asText().equals("True")) {
                return ": " + condition.path("message").asText();
            }
        }
        return finalizers.isEmpty() ? "" : ": finalizer " + finalizers.path(0).asText();
    }
}
