package dev.pitwall.ui.doctor;

import dev.pitwall.card.Card;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.ui.words.Texts;
import java.util.List;

/**
 * Where a finding is, in the words of the site.
 *
 * @param cards those that it keeps from being used
 * @param names of hosts or nodes: of the cards if there are any, else those that the finding names
 */
record FindingPlace(List<Card> cards, List<String> names) {

    static FindingPlace of(Finding finding, List<Card> all) {
        List<Card> cards = all.stream().filter(card -> concerns(finding, card)).toList();
        List<String> names = cards.isEmpty() ? (finding.nodes().isEmpty() ? finding.cards() : finding.nodes())
                : cards.stream().map(Card::host).distinct().toList();
        return new FindingPlace(cards, names);
    }

    /** True if the finding is about the card: by its id, its node or its host. */
    static boolean concerns(Finding finding, Card card) {
        return finding.cards().contains(card.id()) || finding.nodes().contains(card.host())
                || card.node().filter(finding.nodes()::contains).isPresent();
    }

    /** With all that is known of a single card. */
    String full(Texts texts) {
        if (cards.size() == 1) {
            Card card = cards.getFirst();
            return card.address().map(a -> texts.get("doctor.place.card", card.host(), card.name(), a))
                    .orElseGet(() -> texts.get("doctor.place.no-slot", card.host(), card.name()));
        }
        return names.size() <= 3 ? String.join(", ", names) : texts.get("doctor.place.more", names.getFirst(), names.get(1),
                names.size() - 2);
    }

    /** In a word or two; empty text for what is about no place in particular. */
    String brief(Texts texts) {
        return switch (names.size()) {
            case 0 -> "";
            case 1 -> names.getFirst();
            default -> texts.get("doctor.place.count", names.size());
        };
    }
}
