package dev.pitwall.journey.proof;

import dev.pitwall.card.SiteFacts.ProofResult;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.site.Proofs;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The last proof of each card of a site, as the journal has it. */
public final class LastProofs implements Proofs {
    private final Journal journal;
    private final String siteId;

    public LastProofs(Journal journal, String siteId) {
        this.journal = journal;
        this.siteId = siteId;
    }

    private record Tried(long run, ProofPod pod) {
    }

    @Override
    public Map<String, ProofResult> read() {
        try {
            Map<String, List<Tried>> byCard = journal.last(siteId, ProofStep.ID).stream()
                    .flatMap(LastProofs::tried).collect(Collectors.groupingBy(t -> t.pod().run().card()));
            Map<String, ProofResult> results = new HashMap<>();
            byCard.forEach((card, tried) -> result(tried).ifPresent(result -> results.put(card, result)));
            return results;
        } catch (TroubleException e) {
            // A journal that cannot be read says so where it is shown; the cards go on without it.
            return Map.of();
        }
    }

    private static Stream<Tried> tried(Journal.Made made) {
        return made.change().change() instanceof PodRun run
                ? Stream.of(new Tried(made.run(), new ProofPod(run, made.change()))) : Stream.empty();
    }

    /** Of the pod that says how it ended: the one that failed, else the one that computed. */
    private static Optional<ProofResult> result(List<Tried> newestFirst) {
        boolean failed = newestFirst.stream().anyMatch(t -> t.pod().failed());
        return newestFirst.stream().filter(t -> failed ? t.pod().failed() : t.pod().computes() && t.pod().passed())
                .findFirst().flatMap(t -> t.pod().at().map(at -> new ProofResult(!failed, at,
                        t.pod().took().orElse(Duration.ZERO).toMillis(), "pitwall journal --run " + t.run(),
                        Optional.of(t.pod().boot()).filter(boot -> !boot.isEmpty()))));
    }
}
