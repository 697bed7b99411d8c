package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Journal.Intended;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.UndoPlan;
import dev.pitwall.journey.WatchedSystems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.TalosUpgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes runs back: judges whether that can be, finds the changes that do it, and makes them. */
final class Undoing {
    private final SiteJourney.Equipment site;
    private final LaterRuns later;

    Undoing(SiteJourney.Equipment site) {
        this.site = site;
        this.later = new LaterRuns(site.id(), site.journal(), site.ladder());
    }

    UndoPlan plan(RunRecord run, Watcher watcher) throws TroubleException, InterruptedException {
        Found found = find(run, watcher);
        return new UndoPlan(run.number(), found.refusal(), found.changes().stream().map(Intended::change).toList());
    }

    /** @throws TroubleException if it cannot be undone now */
    List<Intended> changes(RunRecord run, Watcher watcher) throws TroubleException, InterruptedException {
        Found found = find(run, watcher);
        if (found.refusal().isPresent()) {
            throw Refusal.busy("Undo of run " + run.number(), found.refusal().get(), "See run " + run.number()
                    + " in the journal.");
        }
        return found.changes();
    }

    /** @param changes empty if it is refused */
    private record Found(Optional<String> refusal, List<Intended> changes) {
        static Found refused(String why) {
            return new Found(Optional.of(why), List.of());
        }
    }

    private Found find(RunRecord run, Watcher watcher) throws TroubleException, InterruptedException {
        Optional<String> refusal = refusal(run);
        if (refusal.isPresent()) {
            return Found.refused(refusal.get());
        }
        Systems seen = new WatchedSystems(site.systems(), watcher, site.patience().clock());
        Makings makings = new Makings(seen, site.patience());
        Optional<ChangeRecord> between = betweenTwoStates(run, makings);
        if (between.isPresent()) {
            return Found.refused("it has not ended, and died in \"" + between.get().change().target()
                    + "\"; go on with it first");
        }
        List<Intended> inverses = new UndoPower(seen, site.patience()).withPodsOfNow(net(run, makings).inverses());
        List<Intended> changes = new ArrayList<>();
        for (Intended inverse : inverses) {
            switch (makings.of(inverse.change()).standing(Optional.empty())) {
                case Standing.Before _, Standing.Half _ -> changes.add(inverse);
                case Standing.After after -> { }
                case Standing.Other other -> {
                    return Found.refused(other.what() + ". Put it back as run " + run.number()
                            + " has left it, then undo again");
                }
            }
        }
        changes.addAll(new UndoPower(seen, site.patience()).after(run, inverses));
        return new Found(Optional.empty(), changes);
    }

    /**
     * A machine that the run was stopping and starting when it died is neither as before nor as after; nor is a cluster in
     * which something stands still for a pod of the run.
     */
    private static Optional<ChangeRecord> betweenTwoStates(RunRecord run, Makings makings)
            throws TroubleException, InterruptedException {
        for (ChangeRecord change : run.changes()) {
            if (change.state() == ChangeRecord.State.RUNNING && restarts(change.change())
                    && !(makings.of(change.change()).standing(change.mark()) instanceof Standing.After)) {
                return Optional.of(change);
            }
        }
        return Optional.empty();
    }

    /** An upgrade is a content that comes with a reboot of its own; a proof may have paused a holder. */
    private static boolean restarts(Change change) {
        return change.turn() == Change.Turn.POWER || change instanceof TalosUpgrade
                || change instanceof PodRun pod && !pod.pauses().isEmpty();
    }

    /** Of a change that failed, or that the run died in, only the system can tell whether it was made. */
    private static Net net(RunRecord run, Makings makings) throws TroubleException, InterruptedException {
        Net net = new Net();
        for (ChangeRecord change : LaterRuns.made(run)) {
            if (change.state() == ChangeRecord.State.DONE || change.change() instanceof PodRun || change.change().turn() == Change.Turn.CONTENT
                    && !(makings.of(change.change()).standing(change.mark()) instanceof Standing.Before)) {
                net.add(new Intended(change.step(), asMade(change, makings)));
            }
        }
        return net;
    }

    /** What a package manager has brought beside what was asked for is known only now. */
    private static Change asMade(ChangeRecord change, Makings makings) throws TroubleException, InterruptedException {
        return change.change() instanceof PackageChange packages ? makings.packages(packages).asMade(change.mark())
                : change.change();
    }

    /** Goes on with an undo that died. */
    RunRecord resume(OpenRun undo, RunRecord undone, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException {
        if (undo.record().changes().isEmpty()) {
            // It died before it had written down what it would do.
            undo.add(changes(undone, watcher));
        }
        return goOn(undo, watcher, stop);
    }

    /** Makes what is left of an undo, proves it, and notes it with the run that was taken back. */
    RunRecord goOn(OpenRun undo, Watcher watcher, Stop stop) throws TroubleException, InterruptedException {
        return switch (Execution.of(site, watcher).run(undo, stop)) {
            case Execution.End.AllMade made -> proved(undo, watcher);
            case Execution.End.Stopped(String why) -> undo.close(RunRecord.State.STOPPED, why);
            case Execution.End.Failed(String why) -> undo.close(RunRecord.State.FAILED, why + " Undo it again when that is mended.");
        };
    }

    private RunRecord proved(OpenRun undo, Watcher watcher) throws TroubleException, InterruptedException {
        Systems seen = new WatchedSystems(site.systems(), watcher, site.patience().clock());
        Makings makings = new Makings(seen, site.patience());
        // What was started last may not answer yet.
        Maker maker = new Maker(site.patience());
        RunRecord record = undo.record();
        for (ChangeRecord change : record.changes()) {
            if (change.change().turn() == Change.Turn.CONTENT && !(maker.standing(makings.of(change.change()),
                    Optional.empty()) instanceof Standing.After)) {
                return undo.close(RunRecord.State.FAILED, change.change().target()
                        + " was put back, and reads otherwise now.");
            }
        }
        site.journal().close(record.undoes().orElseThrow(), RunRecord.State.UNDONE,
                Optional.of("undone by run " + record.number() + ", contents verified"), site.patience().now());
        boolean changed = record.changes().stream().anyMatch(c -> c.state() == ChangeRecord.State.DONE);
        return undo.close(changed ? RunRecord.State.DONE : RunRecord.State.ALREADY_SO, "");
    }

    private Optional<String> refusal(RunRecord run) throws TroubleException {
        if (run.state() == RunRecord.State.UNDONE) {
            return Optional.of("it is undone already");
        }
        if (run.undoes().isPresent()) {
            return Optional.of("an undo is not undone; apply the steps of run " + run.undoes().get() + " again");
        }
        if (run.state() == RunRecord.State.SKIPPED) {
            return Optional.empty();
        }
        if (LaterRuns.made(run).stream().noneMatch(c -> c.change().turn() == Change.Turn.CONTENT)) {
            return Optional.of("nothing to undo");
        }
        return later.restingOn(run).map(r -> "run " + r.number() + " first");
    }
}
