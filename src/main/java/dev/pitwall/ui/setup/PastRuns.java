package dev.pitwall.ui.setup;

import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Change;
import java.util.List;
import java.util.Optional;

/** What the journal says about a card and a step. */
final class PastRuns {

    private PastRuns() {
    }

    /** The oldest run on a host that has begun and not ended: it died, or somebody else makes it now. */
    static Optional<RunRecord> unfinished(List<RunRecord> newestFirst, String host) {
        return newestFirst.stream().filter(r -> r.host().equals(host) && r.ended().isEmpty()
                && r.state() == RunRecord.State.RUNNING).reduce((newer, older) -> older);
    }

    /** The last run that changed something for this step of this card, whatever became of it. */
    static Optional<RunRecord> last(List<RunRecord> newestFirst, String cardId, String step) {
        return newestFirst.stream().filter(r -> r.undoes().isEmpty() && r.ended().isPresent()
                && r.card().filter(c -> c.id().equals(cardId)).isPresent()
                && r.changes().stream().anyMatch(c -> c.step().equals(step) && made(c))).findFirst();
    }

    /** True if the change was made, then perhaps taken back; what leaves nothing behind cannot be. */
    private static boolean made(ChangeRecord change) {
        return change.change().undo().isPresent() && (change.state() == ChangeRecord.State.DONE || change.state() == ChangeRecord.State.UNDONE);
    }

    /** The changes that a run which died has still to make. */
    static List<Change> left(RunRecord run) {
        return run.changes().stream().filter(c -> c.state() == ChangeRecord.State.TO_DO
                || c.state() == ChangeRecord.State.RUNNING).map(ChangeRecord::change).toList();
    }

    /** Position of the change a run is in, from 1; the number of its changes once all are behind it. */
    static int position(RunRecord run) {
        return run.changes().stream().filter(c -> c.state() == ChangeRecord.State.RUNNING
                || c.state() == ChangeRecord.State.TO_DO).mapToInt(ChangeRecord::position).min()
                .orElse(run.changes().size());
    }
}
