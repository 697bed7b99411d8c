package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Targets;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the run that has to be taken back before an older one. */
final class LaterRuns {
    /** How many runs are looked through. */
    private static final int RUNS = 1000;

    private final String siteId;
    private final Journal journal;
    private final Ladder ladder;

    LaterRuns(String siteId, Journal journal, Ladder ladder) {
        this.siteId = siteId;
        this.journal = journal;
        this.ladder = ladder;
    }

    /** The newest run that rests on this one. */
    Optional<RunRecord> restingOn(RunRecord run) throws TroubleException {
        return journal.runs(siteId, RUNS).stream().filter(r -> r.number() > run.number() && stands(r))
                .filter(r -> restsOn(r, run)).max(Comparator.comparingLong(RunRecord::number));
    }

    /**
     * True if what it made of contents is still there. An undo leaves what was there before, so nothing rests on it.
     */
    private static boolean stands(RunRecord run) {
        return run.state() != RunRecord.State.UNDONE && run.undoes().isEmpty() && !contents(run).isEmpty();
    }

    private boolean restsOn(RunRecord later, RunRecord run) {
        Set<String> both = contents(run);
        both.retainAll(contents(later));
        return !both.isEmpty() || changesVmOf(later, run) || needs(later, run);
    }

    private static boolean changesVmOf(RunRecord later, RunRecord run) {
        return made(run).stream().map(ChangeRecord::change).filter(VmCreation.class::isInstance)
                .map(VmCreation.class::cast)
                .anyMatch(vm -> made(later).stream().anyMatch(c -> c.change() instanceof VmConfigChange config
                        && config.node().equals(vm.node()) && config.vmid() == vm.vmid()));
    }

    /** A step needs those below it: of its own card, and those that are for the whole host. */
    private boolean needs(RunRecord later, RunRecord run) {
        boolean sameCard = run.card().isPresent() && run.card().map(RunRecord.CardRef::id)
                .equals(later.card().map(RunRecord.CardRef::id));
        List<String> below = steps(run).stream()
                .filter(s -> sameCard || later.host().equals(run.host()) && ladder.forWholeHost(s)).toList();
        int lowest = below.stream().mapToInt(ladder::place).min().orElse(Integer.MAX_VALUE);
        return steps(later).stream().anyMatch(s -> ladder.place(s) > lowest);
    }

    private static List<String> steps(RunRecord run) {
        return made(run).stream().filter(c -> c.change().turn() == Change.Turn.CONTENT).map(ChangeRecord::step)
                .toList();
    }

    private static Set<String> contents(RunRecord run) {
        Set<String> contents = new HashSet<>();
        made(run).forEach(c -> contents.addAll(Targets.contents(c.change())));
        return contents;
    }

    /** The changes that were begun: what became of them is read from the systems. */
    static List<ChangeRecord> made(RunRecord run) {
        return run.changes().stream().filter(c -> c.started().isPresent()).toList();
    }
}
