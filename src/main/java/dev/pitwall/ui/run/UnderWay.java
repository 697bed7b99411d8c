package dev.pitwall.ui.run;

import dev.pitwall.journey.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What this window makes now: a run, or several at once.
 *
 * @param title    what it is, before the journal has its number
 * @param cardId   the card it was started for; empty for what is of no card, or of several
 * @param runs     what the journal has of each run, the one that moved last at the end; empty until its first change
 * @param stopping true once the person has asked it to stop
 */
public record UnderWay(String title, Optional<String> cardId, List<RunRecord> runs, boolean stopping) {

    public UnderWay {
        runs = List.copyOf(runs);
    }

    /** Nothing of it is in the journal yet. */
    UnderWay(String title, Optional<String> cardId) {
        this(title, cardId, List.of(), false);
    }

    /** The run that moved last; empty until its first change. */
    public Optional<RunRecord> record() {
        return runs.isEmpty() ? Optional.empty() : Optional.of(runs.getLast());
    }

    /** True if a run, by its number in the journal, is one of these. */
    public boolean is(long number) {
        return runs.stream().anyMatch(r -> r.number() == number);
    }

    /** The run that is made of a card. */
    public Optional<RunRecord> of(String card) {
        return runs.stream().filter(r -> r.card().filter(c -> c.id().equals(card)).isPresent())
                .reduce((_, later) -> later);
    }

    UnderWay at(RunRecord moved) {
        List<RunRecord> all = new ArrayList<>(runs);
        all.removeIf(r -> r.number() == moved.number());
        all.add(moved);
        return new UnderWay(title, cardId, all, stopping);
    }

    UnderWay asked() {
        return new UnderWay(title, cardId, runs, true);
    }
}
