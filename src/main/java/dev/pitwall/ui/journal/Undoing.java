package dev.pitwall.ui.journal;

import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Change;
import java.util.List;
import java.util.Optional;

/**
 * What the journal alone tells about taking a run back. What undo would really do, and whether it may, is read from the
 * systems when a run is chosen.
 */
sealed interface Undoing {

    /** It can be asked for. */
    record Offered() implements Undoing {
    }

    /** It goes on in this window. */
    record Running() implements Undoing {
    }

    /** It has not ended, and this window does not make it. */
    record Unfinished() implements Undoing {
    }

    record ChangedNothing() implements Undoing {
    }

    /** It changed nothing that stays, such as a power cycle. */
    record NothingToUndo() implements Undoing {
    }

    record Undone() implements Undoing {
    }

    /** It is an undo itself. */
    record IsUndo(long of) implements Undoing {
    }

    /** A later run rests on it and has to be taken back before. */
    record After(long run) implements Undoing {
    }

    /**
     * @param all     the runs of the site
     * @param running number of the run that this window makes; empty for none
     */
    static Undoing of(RunRecord run, List<RunRecord> all, Optional<Long> running) {
        if (running.filter(n -> n == run.number()).isPresent()) {
            return new Running();
        }
        if (run.state() == RunRecord.State.UNDONE) {
            return new Undone();
        }
        if (run.undoes().isPresent()) {
            return new IsUndo(run.undoes().get());
        }
        if (run.ended().isEmpty()) {
            return new Unfinished();
        }
        if (made(run).isEmpty()) {
            return new ChangedNothing();
        }
        if (contents(run).isEmpty()) {
            return new NothingToUndo();
        }
        return all.stream().filter(later -> later.number() > run.number() && later.undoes().isEmpty()
                        && later.state() != RunRecord.State.UNDONE && restsOn(later, run))
                .mapToLong(RunRecord::number).max().stream().mapToObj(n -> (Undoing) new After(n)).findFirst()
                .orElseGet(Offered::new);
    }

    /** The changes that were made and not taken back. */
    static List<Change> made(RunRecord run) {
        return run.changes().stream().filter(c -> c.state() == ChangeRecord.State.DONE).map(ChangeRecord::change).toList();
    }

    /** Later steps of a card rest on earlier ones; so does whatever changed the same thing again. */
    private static boolean restsOn(RunRecord later, RunRecord run) {
        List<Change> contents = contents(later);
        boolean sameCard = run.card().isPresent() && run.card().map(RunRecord.CardRef::id)
                .equals(later.card().map(RunRecord.CardRef::id));
        return !contents.isEmpty() && (sameCard || contents.stream().anyMatch(c -> contents(run).stream()
                .anyMatch(m -> m.system().equals(c.system()) && m.target().equals(c.target()))));
    }

    private static List<Change> contents(RunRecord run) {
        return made(run).stream().filter(c -> c.turn() == Change.Turn.CONTENT).toList();
    }
}
