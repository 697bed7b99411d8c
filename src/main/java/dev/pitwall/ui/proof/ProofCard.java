package dev.pitwall.ui.proof;

import dev.pitwall.card.Card;
import dev.pitwall.journey.Situation;
import java.util.Optional;

/**
 * A card that can be called.
 *
 * @param node the Kubernetes node that has it now
 * @param uuid NVIDIA's {@code GPU-…}, as far as known
 */
record ProofCard(Situation.Subject subject, Optional<String> node, Optional<String> uuid) {

    /** Empty for a card that only a cluster knows, which no pod can be pinned for by its host. */
    static Optional<ProofCard> of(Card card) {
        return card.address().map(at -> new ProofCard(
                new Situation.Subject(card.id(), card.name(), card.host(), at.slot()), card.node(), card.uuid()));
    }
}
