package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.HostLocks;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.WatchedSystems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Targets;

import java.util.List;
import java.util.Optional;

/** Makes the open changes of a run, one after the other, each written to the journal before it is begun. */
final class Execution {
    /** A folder of hosts. */
    private static final String COPIES = "/var/backups/pitwall";

    private final Makings makings;
    private final Maker maker;
    private final Hosts hosts;

    Execution(Makings makings, Maker maker, Hosts hosts) {
        this.makings = makings;
        this.maker = maker;
        this.hosts = hosts;
    }

    static Execution of(SiteJourney.Equipment site, Watcher watcher) {
        Systems seen = new WatchedSystems(site.systems(), watcher, site.patience().clock());
        return new Execution(new Makings(seen, site.patience()), new Maker(site.patience()), new Hosts(site));
    }

    /** How it ended. */
    sealed interface End {

        record AllMade() implements End {
        }

        /** @param why one sentence without a full stop */
        record Stopped(String why) implements End {
        }

        /** @param why sentences */
        record Failed(String why) implements End {
        }
    }

    /**
     * All of them are judged before the first is begun, and each again before its own turn.
     *
     * @throws TroubleException of a lost connection: the run stays open and can be gone on with
     */
    End run(OpenRun run, Stop stop) throws TroubleException, InterruptedException {
        List<ChangeRecord> open = run.open();
        try (HostLocks.Held held = hosts.takeCluster(run.number(), open.stream().map(ChangeRecord::change).toList())) {
            return run(run, open, stop);
        }
    }

    private End run(OpenRun run, List<ChangeRecord> open, Stop stop) throws TroubleException, InterruptedException {
        Optional<End> guarded = guard(run, open);
        if (guarded.isPresent()) {
            return guarded.get();
        }
        for (ChangeRecord change : open) {
            if (stop.asked() && change.state() == ChangeRecord.State.TO_DO) {
                return new End.Stopped("stopped by you before change " + change.position());
            }
            Optional<End> end = one(run, change);
            if (end.isPresent()) {
                return end.get();
            }
        }
        return new End.AllMade();
    }

    private Optional<End> guard(OpenRun run, List<ChangeRecord> open) throws TroubleException, InterruptedException {
        if (open.stream().anyMatch(c -> c.state() == ChangeRecord.State.RUNNING)) {
            // Gone on with: the first write was long ago, and the system may be on its way through a reboot.
            return Optional.empty();
        }
        Targets before = new Targets();
        for (ChangeRecord change : open) {
            // What an earlier change of the run leaves there cannot be read yet; it is judged at its own turn.
            if (!before.hasFileOf(change.change())
                    && maker.standing(makings.of(change.change()), Optional.empty()) instanceof Standing.Other other) {
                return Optional.of(stopped(run, change, other.what()));
            }
            before.add(change.change());
        }
        return Optional.empty();
    }

    private static End stopped(OpenRun run, ChangeRecord change, String what) throws TroubleException {
        run.ended(change, ChangeRecord.State.STOPPED, what);
        return new End.Stopped("stopped before change " + change.position() + ": " + what);
    }

    private Optional<End> one(OpenRun run, ChangeRecord change) throws TroubleException, InterruptedException {
        Making making = makings.of(change.change(), copies(run, change));
        if (change.state() == ChangeRecord.State.RUNNING) {
            return bring(run, change, making, change.mark());
        }
        return switch (maker.standing(making, Optional.empty())) {
            case Standing.Other other -> Optional.of(stopped(run, change, other.what()));
            case Standing.After after -> {
                run.ended(change, ChangeRecord.State.ALREADY_SO, "");
                yield Optional.empty();
            }
            case Standing.Before _, Standing.Half _ -> {
                Optional<String> mark = maker.mark(making);
                run.starting(change, mark);
                yield bring(run, change, making, mark);
            }
        };
    }

    /** What an undo takes away is in the journal. */
    private static String copies(OpenRun run, ChangeRecord change) throws TroubleException {
        return run.record().undoes().isPresent() ? ""
                : COPIES + "/run-" + run.number() + "-change-" + change.position();
    }

    private Optional<End> bring(OpenRun run, ChangeRecord change, Making making, Optional<String> mark)
            throws TroubleException, InterruptedException {
        switch (maker.bring(making, mark)) {
            case Outcome.Made(String message) -> {
                run.ended(change, ChangeRecord.State.DONE, message);
                return Optional.empty();
            }
            case Outcome.Stopped(String what) -> {
                run.ended(change, ChangeRecord.State.STOPPED, what);
                return Optional.of(new End.Stopped("stopped in change " + change.position() + ": " + what));
            }
            case Outcome.Failed(String what) -> {
                run.ended(change, ChangeRecord.State.FAILED, what);
                return Optional.of(new End.Failed(what));
            }
        }
    }
}
