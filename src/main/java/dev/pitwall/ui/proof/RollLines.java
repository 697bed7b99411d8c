package dev.pitwall.ui.proof;

import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.proof.ProofPod;
import dev.pitwall.journey.proof.ProofRun;
import dev.pitwall.journey.proof.RollCall;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table of the roll call. Pure: the same journal and call give the same lines. */
final class RollLines {

    private final Texts texts;

    RollLines(Texts texts) {
        this.texts = texts;
    }

    /**
     * @param runs    the journal, newest first
     * @param calling the cards that are being called now, with what makes it
     * @param entries answers of the last call by card id
     */
    record Facts(List<ProofCard> cards, String chosen, List<RunRecord> runs, List<String> calling,
                 Optional<UnderWay> running, Map<String, RollCall.Entry> entries) {
    }

    List<ProofPage.RollLine> of(Facts f) {
        return f.cards().stream().map(card -> line(f, card)).toList();
    }

    String tally(Facts f) {
        long passed = f.cards().stream().filter(c -> ProofRun.last(f.runs(), c.subject().id())
                .filter(ProofRun::passed).isPresent()).count();
        return texts.get("proof.tally", passed, f.cards().size());
    }

    private ProofPage.RollLine line(Facts f, ProofCard card) {
        String id = card.subject().id();
        Optional<ProofRun> last = ProofRun.last(f.runs(), id);
        if (f.calling().contains(id)) {
            return called(f, card);
        }
        Optional<RollCall.Entry> answer = Optional.ofNullable(f.entries().get(id))
                .filter(e -> e.result() == RollCall.Result.NOT_TRIED || e.result() == RollCall.Result.UNREACHED);
        if (answer.isPresent()) {
            boolean reached = answer.get().result() == RollCall.Result.NOT_TRIED;
            return line(f, card, reached ? Mark.LOCK : Mark.QUESTION, reached ? Tone.BLOCKED : Tone.GREY,
                    reached ? texts.get("proof.roll.not-tried") : texts.get("proof.roll.unreached"), answer.get().why(), Optional.empty());
        }
        if (last.isEmpty()) {
            return line(f, card, Mark.MINUS, Tone.GREY, texts.get("proof.roll.never"), "", Optional.empty());
        }
        ProofRun proof = last.get();
        return proof.failed() ? line(f, card, Mark.FAILING, Tone.FAILING, texts.get("proof.failed"), proof.deciding().said(), last)
                : line(f, card, Mark.OK, Tone.OK, texts.get("proof.passed"), texts.get("proof.roll.run", proof.run().number()), last);
    }

    /** A card whose turn it is, has been, or comes. */
    private ProofPage.RollLine called(Facts f, ProofCard card) {
        Optional<RunRecord> run = f.running().flatMap(r -> r.of(card.subject().id()));
        Optional<ProofRun> proof = run.flatMap(ProofRun::of);
        if (run.isEmpty() || proof.isEmpty()) {
            return line(f, card, Mark.CLOCK, Tone.ACT, texts.get("proof.roll.called"), "", Optional.empty());
        }
        if (run.get().ended().isEmpty()) {
            String at = proof.get().pods().stream().filter(p -> p.at().isEmpty()).findFirst()
                    .map(p -> p.run().summary()).orElse("");
            return line(f, card, Mark.RING, Tone.ACT, texts.get("proof.roll.runs"), at, Optional.empty());
        }
        return proof.get().passed() ? line(f, card, Mark.OK, Tone.OK, texts.get("proof.passed"),
                texts.get("proof.roll.run", run.get().number()), proof)
                : line(f, card, Mark.FAILING, Tone.FAILING, texts.get("proof.failed"), proof.get().deciding().said(), proof);
    }

    private static ProofPage.RollLine line(Facts f, ProofCard card, Mark mark, Tone tone, String word, String note,
                                           Optional<ProofRun> proof) {
        Optional<ProofPod> pod = proof.map(ProofRun::deciding);
        return new ProofPage.RollLine(card.subject().id(), mark, tone, card.subject().host(), card.subject().name(),
                card.node().orElse(""), word, note, pod.flatMap(ProofPod::took).map(Ages::took).orElse(""),
                pod.flatMap(ProofPod::at), card.subject().id().equals(f.chosen()));
    }
}
