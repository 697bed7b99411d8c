package dev.pitwall.journey.proof;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Step;
import java.util.List;

/** The last two steps of a card. */
public final class ProofSteps {
    private ProofSteps() {
    }

    /** In the order in which they are walked: {@code proof}, {@code server}. */
    public static List<Step> all() {
        Sentences texts = new Sentences("journey/proof");
        ProofData data = ProofData.load();
        return List.of(new ProofStep(texts, data), new ServerStep(texts, data));
    }
}
