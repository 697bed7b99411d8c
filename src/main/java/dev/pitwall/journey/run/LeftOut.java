package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Aim;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The steps that a person has left out, as the journal has them. */
final class LeftOut {
    /** How many runs are looked through. */
    private static final int RUNS = 1000;
    private static final String STEP = "skip";

    private final String siteId;
    private final Journal journal;

    LeftOut(String siteId, Journal journal) {
        this.siteId = siteId;
        this.journal = journal;
    }

    /** What the run of a step that is left out is begun for. */
    static Aim aim(String step) {
        return new Aim(Choices.NONE.with(STEP, step), Optional.empty());
    }

    /** Reasons by step; a run of this kind that was taken back counts no more. */
    Map<String, String> of(Situation.Subject card) throws TroubleException {
        Map<String, String> reasons = new HashMap<>();
        for (RunRecord run : journal.runs(siteId, RUNS)) {
            if (run.state() == RunRecord.State.SKIPPED
                    && run.card().filter(c -> c.id().equals(card.id())).isPresent()) {
                Optional<String> step = journal.aim(run.number()).choices().get(STEP);
                step.ifPresent(s -> reasons.putIfAbsent(s, run.note().orElse("skipped")));
            }
        }
        return reasons;
    }
}
