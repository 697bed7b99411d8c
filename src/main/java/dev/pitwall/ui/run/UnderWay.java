package dev.pitwall.ui.run;

import dev.pitwall.journey.RunRecord;
import java.util.Optional;

/**
 * A run that this window makes now.
 *
 * @param title    what it is, before the journal has its number
 * @param cardId   the card it was started for; empty for a run of no card
 * @param record   what the journal has of it; empty until its first change
 * @param stopping true once the person has asked it to stop
 */
public record UnderWay(String title, Optional<String> cardId, Optional<RunRecord> record, boolean stopping) {

    /** True if this run, by its number in the journal, is the one. */
    public boolean is(long number) {
        return record.filter(r -> r.number() == number).isPresent();
    }

    UnderWay at(RunRecord moved) {
        return new UnderWay(title, cardId, Optional.of(moved), stopping);
    }

    UnderWay asked() {
        return new UnderWay(title, cardId, record, true);
    }
}
