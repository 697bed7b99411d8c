package dev.pitwall.ui.setup;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What the page keeps of each card while the site is open, and which card is chosen. */
final class CardWorks {

    private final Map<String, CardWork> kept = new HashMap<>();
    private Optional<String> chosen = Optional.empty();

    Optional<String> chosen() {
        return chosen;
    }

    void choose(String cardId) {
        chosen = Optional.of(cardId);
    }

    boolean isChosen(String cardId) {
        return chosen.filter(cardId::equals).isPresent();
    }

    CardWork of(String cardId) {
        return kept.getOrDefault(cardId, CardWork.NEW);
    }

    /** Of the chosen card. */
    CardWork current() {
        return chosen.map(this::of).orElse(CardWork.NEW);
    }

    void change(String cardId, UnaryOperator<CardWork> how) {
        kept.put(cardId, how.apply(of(cardId)));
    }

    /** Changes what is kept of the chosen card. */
    void change(UnaryOperator<CardWork> how) {
        chosen.ifPresent(id -> change(id, how));
    }

    /** Whatever was being read is not waited for any more. */
    void notReading() {
        kept.replaceAll((_, k) -> k.notReading());
    }

    /** What was read of all cards but this one may be old now: they may share its host. */
    void forgetReadingsBut(String cardId) {
        kept.replaceAll((id, k) -> id.equals(cardId) ? k : k.unread());
    }
}
