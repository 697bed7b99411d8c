package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.change.ObjectRef;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was tried with a card, what the cluster would let in, and what a model server on it answers.
 *
 * @param at      when it was looked at; it names the next pods
 * @param proofs  newest first
 * @param tried   what came of a dry run of the proof's pod, by namespace in the order in which they were tried; empty
 *                where there is no node yet
 * @param servers what model servers on the card's node answered, by their Service
 */
public record ProofSurvey(Instant at, List<Proof> proofs, Map<String, Tried> tried,
                          Map<ObjectRef, Answered> servers) {

    /** What the API server said of a pod that was not really made. */
    public sealed interface Tried {

        /**
         * @param asked the pod that was to be made
         * @param pod   as it would be stored: policies may have changed it
         */
        record Admitted(JsonNode asked, JsonNode pod) implements Tried {
        }

        record Refused(Trouble why) implements Tried {
        }
    }

    /** What a model server answered. */
    public sealed interface Answered {

        record Well(ServerReport report) implements Answered {
        }

        record Not(Trouble why) implements Answered {
        }
    }

    public ProofSurvey {
        proofs = List.copyOf(proofs);
        tried = Collections.unmodifiableMap(new LinkedHashMap<>(tried));
        servers = Map.copyOf(servers);
    }

    /** The newest try of a kind. */
    public Optional<Proof> last(String by) {
        return proofs.stream().filter(proof -> proof.by().equals(by)).findFirst();
    }
}
