package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.survey.Proof;
import dev.pitwall.journey.survey.Proof.Result;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tries of a card that the journal has. */
final class ProofHistory {
    /** Of each step; older ones say nothing of a card as it is now. */
    private static final int MOST = 40;

    private final Journal journal;
    private final String siteId;

    ProofHistory(Journal journal, String siteId) {
        this.journal = journal;
        this.siteId = siteId;
    }

    /** Newest first. */
    List<Proof> of(String cardId) throws TroubleException {
        return Stream.concat(journal.made(siteId, cardId, ProofStep.ID, MOST).stream(),
                journal.made(siteId, cardId, ServerStep.ID, MOST).stream()).flatMap(made -> proof(made).stream()).toList();
    }

    private static Optional<Proof> proof(Journal.Made made) {
        return result(made.change()).flatMap(result -> switch (made.change().change()) {
            case PodRun run -> Optional.of(proof(made, result,
                    run.manifest().at("/metadata/labels").path(ProofPods.PROOF).asText(),
                    run.manifest().at("/metadata/annotations")));
            case ModelAsk ask -> Optional.of(proof(made, result, ask.key(), ask.boot(), ask.driver()));
            default -> Optional.empty();
        });
    }

    /** What was skipped, or stopped before it began, was no try. */
    private static Optional<Result> result(ChangeRecord change) {
        return switch (change.state()) {
            case DONE, UNDONE -> Optional.of(Result.PASSED);
            case FAILED -> Optional.of(Result.FAILED);
            case TO_DO, RUNNING, ALREADY_SO, SKIPPED, STOPPED -> Optional.empty();
        };
    }

    private static Proof proof(Journal.Made made, Result result, String by, JsonNode notes) {
        return proof(made, result, by, notes.path(ProofPods.BOOT).asText(), notes.path(ProofPods.DRIVER).asText());
    }

    private static Proof proof(Journal.Made made, Result result, String by, String boot, String driver) {
        ChangeRecord change = made.change();
        return new Proof(made.run(), by, result, change.ended().orElseThrow(),
                change.started().map(start -> Duration.between(start, change.ended().get())).orElse(Duration.ZERO),
                boot, driver, change.message().orElse(""));
    }
}
