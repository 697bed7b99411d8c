package dev.pitwall.journey.proof;

import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.Proof;
import dev.pitwall.journey.survey.ProofSurvey;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the journal's tries say of a card as it is now: a start of the node, or another driver, makes them old. */
final class CardProof {
    private final Optional<ProofSurvey> survey;
    private final CardNode node;
    private final Instant since;

    CardProof(Situation situation, CardNode node) {
        this.survey = situation.proofs();
        this.node = node;
        this.since = situation.choices().get(ProofStep.SINCE).flatMap(CardProof::instant).orElse(Instant.EPOCH);
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** How a card stands with its proof. */
    enum Standing {
        PROVED,
        /** Never tried. */
        NEW,
        /** The last try failed, and nothing has changed since. */
        FAILED,
        /** The node was started since. */
        BOOTED,
        /** The node has another driver since. */
        OTHER_DRIVER,
        /** It is to be tried again, whatever the last try said. */
        ASKED_AGAIN
    }

    Standing standing() {
        List<Proof> last = Stream.of(ProofPods.Kind.values()).flatMap(kind -> last(kind).stream()).toList();
        if (last.isEmpty()) {
            return Standing.NEW;
        }
        if (last.stream().anyMatch(p -> !p.boot().equals(node.boot()))) {
            return Standing.BOOTED;
        }
        if (last.stream().anyMatch(p -> !p.withDriver(node.driver()))) {
            return Standing.OTHER_DRIVER;
        }
        if (last.stream().anyMatch(p -> p.at().isBefore(since))) {
            return Standing.ASKED_AGAIN;
        }
        boolean passed = last.stream().allMatch(p -> p.result() == Proof.Result.PASSED);
        return !passed ? Standing.FAILED : last.size() == ProofPods.Kind.values().length ? Standing.PROVED : Standing.NEW;
    }

    Optional<Proof> last(ProofPods.Kind kind) {
        return survey.flatMap(s -> s.last(kind.word()));
    }

    /** The newest of all tries. */
    Optional<Proof> newest() {
        return Stream.of(ProofPods.Kind.values()).flatMap(kind -> last(kind).stream())
                .max(Comparator.comparing(Proof::at));
    }

    /** When it was looked at; the beginning of time where nothing was. */
    Instant at() {
        return survey.map(ProofSurvey::at).orElse(Instant.EPOCH);
    }
}
