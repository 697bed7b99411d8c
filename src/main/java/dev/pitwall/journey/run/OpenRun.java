package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Watcher;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A run that is open in the journal. Whatever happens to it is written there first and then told to the watcher. */
final class OpenRun {
    private final Journal journal;
    private final Watcher watcher;
    private final Patience patience;
    private final long number;
    private final Beginning beginning;

    /** Whether it has just been begun, or has died before and is gone on with. */
    enum Beginning { NEW, AGAIN }

    OpenRun(Journal journal, Watcher watcher, Patience patience, long number, Beginning beginning) {
        this.journal = journal;
        this.watcher = watcher;
        this.patience = patience;
        this.number = number;
        this.beginning = beginning;
    }

    long number() {
        return number;
    }

    RunRecord record() throws TroubleException {
        return journal.run(number).orElseThrow(() -> Refusal.missing("run " + number, "the journal has no such run",
                "Look at the journal for the runs that there are."));
    }

    /** The changes that have not come to an end, in order. */
    List<ChangeRecord> open() throws TroubleException {
        return record().changes().stream().filter(c -> c.state() == ChangeRecord.State.TO_DO
                || c.state() == ChangeRecord.State.RUNNING).toList();
    }

    /** True once a change of it has been begun. */
    boolean begun() throws TroubleException {
        return record().changes().stream().anyMatch(c -> c.started().isPresent());
    }

    void add(List<Journal.Intended> changes) throws TroubleException {
        journal.add(number, changes);
        moved();
    }

    void starting(ChangeRecord change, Optional<String> mark) throws TroubleException {
        journal.starting(number, change.position(), mark, patience.now());
        say("change " + change.position() + " of " + record().changes().size() + ": " + change.change().target());
        moved();
    }

    /** @param message empty text for none */
    void ended(ChangeRecord change, ChangeRecord.State state, String message) throws TroubleException {
        journal.ended(number, change.position(), state, Optional.of(message).filter(m -> !m.isEmpty()), patience.now());
        moved();
    }

    /**
     * Closes the run; what was not begun is skipped.
     *
     * @param why empty text where there is nothing to say
     */
    RunRecord close(RunRecord.State state, String why) throws TroubleException {
        String note = why.isEmpty() && beginning == Beginning.AGAIN ? "continued where it had died" : why;
        for (ChangeRecord change : open()) {
            journal.ended(number, change.position(), ChangeRecord.State.SKIPPED, Optional.empty(), patience.now());
        }
        journal.close(number, state, Optional.of(note).filter(n -> !n.isEmpty()), patience.now());
        RunRecord record = record();
        say("run " + number + " " + state.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (note.isEmpty() ? "" : ": " + note));
        watcher.moved(record);
        return record;
    }

    void say(String text) {
        watcher.line(new Watcher.Line(patience.now(), "pitwall", text, Optional.empty(), Optional.empty()));
    }

    private void moved() throws TroubleException {
        watcher.moved(record());
    }
}
