package dev.pitwall.journey.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.SiteFacts.ProofResult;
import dev.pitwall.ui.run.SampleJournal;
import dev.pitwall.ui.run.SampleProofs;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LastProofsTest {
    private static final String CARD = "pve2/0000:01:00";
    private static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");

    private final SampleJournal journal = new SampleJournal();
    private final LastProofs proofs = new LastProofs(journal, "basement-id");

    @Test
    void theNewestTryOfEachCardCounts() {
        journal.put(SampleProofs.failed(1, CARD, "pve2", AT.minusSeconds(600)));
        journal.put(SampleProofs.passed(2, CARD, "pve2", AT));
        journal.put(SampleProofs.failed(3, "pve3/0000:01:00", "pve3", AT));

        Map<String, ProofResult> results = proofs.read();

        assertThat(results).containsOnlyKeys(CARD, "pve3/0000:01:00");
        assertThat(results.get(CARD)).isEqualTo(new ProofResult(true, AT, 6200, "pitwall journal --run 2", Optional.of("b-1")));
        assertThat(results.get("pve3/0000:01:00").passed()).isFalse();
    }

    @Test
    void withoutATryThereIsNoResult() {
        assertThat(proofs.read()).isEmpty();
    }
}
