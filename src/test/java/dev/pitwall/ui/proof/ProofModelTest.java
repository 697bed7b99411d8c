package dev.pitwall.ui.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Card;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.proof.RollCall;
import dev.pitwall.ui.SampleSite;
import dev.pitwall.ui.change.CodeLine;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.run.Journeys;
import dev.pitwall.ui.run.SampleJourney;
import dev.pitwall.ui.run.SampleProofs;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The words and rules of the proof's page, without a toolkit and without threads. */
class ProofModelTest {

    private static final String CARD = "pve2/0000:01:00";
    private static final Instant AT = SampleSite.NOW.minusSeconds(120);

    private final Queue<Runnable> background = new ArrayDeque<>();
    private final SampleJourney journey = new SampleJourney();
    private final SiteWork work = new SiteWork(SampleSite.SITE, new Journeys.Opened(journey, journey.journal, List.of()),
            background::add, Runnable::run, draw -> draw);
    private final List<String> called = new ArrayList<>();
    private final ProofModel model = new ProofModel(new Texts(), InstantSource.fixed(SampleSite.NOW), Optional.of(work),
            () -> called.add("again"));

    @BeforeEach
    void threeCards() {
        model.show(SampleSite.view(List.of(card("pve1"), card("pve2"), card("pve3"))));
    }

    @Test
    void aProofThatPassedSaysWhatItShowsAndWhatItDoesNot() {
        journey.journal.put(SampleProofs.passed(43, CARD, "pve2", AT));
        proved(true);
        ProofPage.Head head = page().head().orElseThrow();
        assertThat(head.title()).isEqualTo("Test PASSED");
        assertThat(head.took()).isEqualTo("6.2 s");
        assertThat(head.when()).endsWith("run 43");
        assertThat(page().standing()).isEqualTo(ProofPage.Standing.PROVED);
        assertThat(page().proved()).extracting(ProofPage.Proved::floor).containsExactly("driver", "runtime", "plugin",
                "scheduling", "admission", "card", "not proven");
        assertThat(page().proved()).extracting(ProofPage.Proved::detail).contains("nvidia 570.133.20",
                "00000000:01:00.0 · " + SampleProofs.UUID, "tolerates nvidia.com/gpu:NoSchedule", "runs as 1000, no capabilities");
        assertThat(page().log().orElseThrow().lines()).filteredOn(l -> l.look() == CodeLine.Look.GOOD)
                .extracting(CodeLine::text).containsExactly("Test PASSED");
    }

    @Test
    void aProofThatCountsNoMoreSaysWhy() {
        journey.journal.put(SampleProofs.passed(43, CARD, "pve2", AT));
        look();
        model.choose(CARD, Optional.of(Answer.of(Answer.State.BLOCKED, "due again: the node was started since the last proof",
                List.of())), "");
        assertThat(page().standing()).isEqualTo(ProofPage.Standing.DUE);
        assertThat(page().head().orElseThrow().title()).isEqualTo("Test PASSED, and is due again");
        assertThat(page().head().orElseThrow().text()).contains("the node was started since");
    }

    @Test
    void aTestThatFailedShowsOnlyWhatThePodBeforeItHasShown() {
        journey.journal.put(SampleProofs.failed(44, CARD, "pve2", AT));
        proved(false);
        assertThat(page().head().orElseThrow().mark()).isEqualTo(Mark.FAILING);
        assertThat(page().proved()).extracting(ProofPage.Proved::floor).doesNotContain("card")
                .contains("driver", "plugin");
        assertThat(page().proved()).extracting(ProofPage.Proved::text).contains("That it computes: the test that does failed");
        assertThat(page().log().orElseThrow().lines()).extracting(CodeLine::look).containsExactly(CodeLine.Look.DECIDES);
    }

    @Test
    void theRollCallHasEveryCardWithItsLastTest() {
        journey.journal.put(SampleProofs.passed(41, "pve1/0000:01:00", "pve1", AT));
        journey.journal.put(SampleProofs.failed(42, "pve3/0000:01:00", "pve3", AT));
        proved(false);
        assertThat(page().roll()).extracting(ProofPage.RollLine::mark).containsExactly(Mark.OK, Mark.MINUS, Mark.FAILING);
        assertThat(page().roll()).extracting(ProofPage.RollLine::word)
                .containsExactly("Test PASSED", "not tried yet", "The test failed");
        assertThat(page().tally()).isEqualTo("1 of 3");
    }

    @Test
    void callingAllMovesLineByLineAndEndsWithTheirResults() {
        journey.withProof();
        proved(false);
        model.callAll(RollCall.Held.LEFT);
        assertThat(page().roll()).extracting(ProofPage.RollLine::word).containsOnly("is called …");
        all();
        assertThat(page().tally()).isEqualTo("3 of 3");
        assertThat(page().roll()).extracting(ProofPage.RollLine::mark).containsOnly(Mark.OK);
        assertThat(called).containsExactly("again");
        assertThat(journey.asked).contains("apply pve1 [proof]", "apply pve2 [proof]", "apply pve3 [proof]");
    }

    @Test
    void aCardThatIsNotReachedSaysSoBesideTheOthers() {
        journey.withProof();
        journey.silence("pve3");
        proved(false);
        model.callAll(RollCall.Held.LEFT);
        all();
        assertThat(page().roll()).extracting(ProofPage.RollLine::word)
                .containsExactly("Test PASSED", "Test PASSED", "not reached");
        assertThat(page().roll().getLast().note()).startsWith("pve3:22: no answer within 10 s");
    }

    @Test
    void theReportHasResultFloorsCardsAndLog() {
        journey.journal.put(SampleProofs.passed(43, CARD, "pve2", AT));
        proved(true);
        assertThat(model.report()).startsWith("# Proof of RTX A1000 in pve2 (0000:01:00)\n")
                .contains("**Test PASSED** · 6.2 s", "| scheduling | Placed the pod on worker-pve2 |",
                        "| pve2 RTX A1000 |", "```\n[Vector addition of 50000 elements]\nTest PASSED\nDone\n```");
        assertThat(model.byHand()).contains("kubectl apply -f -", "delete pod pitwall-vectoradd-pve2-01-00");
    }

    private void proved(boolean done) {
        look();
        model.choose(CARD, Optional.of(Answer.of(done ? Answer.State.DONE : Answer.State.WAITING, "waits", List.of())), "");
    }

    private void look() {
        work.refresh();
        all();
    }

    private void all() {
        while (!background.isEmpty()) {
            background.remove().run();
        }
    }

    private ProofPage page() {
        return model.pageProperty().get();
    }

    private static Card card(String host) {
        return SampleSite.up(host, "0000:01:00", "RTX A1000");
    }
}
