package dev.pitwall.journey.consent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.FieldManager;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ManifestChange.Others;
import java.util.List;
import java.util.Optional;

/** Sees to it, in the moment of the write, that no field goes out of the hands of somebody who keeps it. */
public final class FieldGuard {
    private final Sentences texts = new Sentences("journey/consent");
    private final Holds holds = new Holds(Keepers.load());
    private final HoldWords words = new HoldWords(texts);

    /** What the fields' managers say before; empty if nobody keeps what would change. */
    public Optional<String> kept(ManifestChange change, Cluster cluster) throws TroubleException, InterruptedException {
        List<Hold> held = change.others() == Others.TAKEN_OVER || change.before().isEmpty() ? List.of()
                : holds.of(change, cluster.managers(change.object()));
        return held.isEmpty() ? Optional.empty() : Optional.of(words.why(held));
    }

    /**
     * What the fields' managers say, and then the API server itself, which is asked to try.
     *
     * @throws TroubleException naming the field and whose it is
     */
    public void refuseIfKept(ManifestChange change, Cluster cluster) throws TroubleException, InterruptedException {
        if (change.others() == Others.TAKEN_OVER || change.before().isEmpty()) {
            return;
        }
        List<FieldManager> managers = cluster.managers(change.object());
        refuse(change, holds.of(change, managers));
        JsonNode fields = change.differing();
        if (!fields.isEmpty()) {
            refuse(change, holds.of(change, cluster.claims(change.object(), fields), managers));
        }
    }

    private void refuse(ManifestChange change, List<Hold> held) throws TroubleException {
        if (!held.isEmpty()) {
            throw new TroubleException(new Trouble(Trouble.Kind.BUSY, change.object().toString(), words.why(held),
                    texts.say("hold.undoAgain")));
        }
    }
}
