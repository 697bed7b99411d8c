package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.HostLocks;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.ManifestChange;

import java.util.List;
import java.util.Optional;

/** Sees to it that one run works on a host at a time, and changes a cluster at a time. */
final class Hosts {
    static final String BY_WHOM = "you, from this computer";

    private final String siteId;
    private final Systems systems;
    private final Journal journal;
    private final HostLocks locks;

    Hosts(SiteJourney.Equipment site) {
        this.siteId = site.id();
        this.systems = site.systems();
        this.journal = site.journal();
        this.locks = site.locks();
    }

    RunRecord record(long number) throws TroubleException {
        Optional<RunRecord> run = journal.run(number).filter(r -> r.siteId().equals(siteId));
        if (run.isEmpty()) {
            throw Refusal.missing("run " + number, "the journal of this site has no such run",
                    "See the journal for the runs that there are.");
        }
        return run.get();
    }

    /** @throws TroubleException naming the run that has the host */
    HostLocks.Held take(String host) throws TroubleException {
        Optional<HostLocks.Held> held = locks.take(systems.identity(host));
        if (held.isEmpty()) {
            throw Refusal.busy(host, unfinished(host).stream().reduce((first, last) -> last)
                    .map(r -> "run " + r.number() + " (" + r.title() + ") works on it since " + r.started())
                    .orElse("another run works on it"), "Wait for its end, or stop it where it was started.");
        }
        return held.get();
    }

    /**
     * Takes the site's cluster for changes that alter it. A pod that is run to its end alters nothing.
     *
     * @param run that wants it
     * @return closes to nothing where none of the changes alters a cluster
     * @throws TroubleException naming the run that has it, of whatever site
     */
    HostLocks.Held takeCluster(long run, List<Change> changes) throws TroubleException, InterruptedException {
        Optional<Cluster> cluster = changes.stream().anyMatch(Hosts::altersCluster) ? systems.cluster() : Optional.empty();
        if (cluster.isEmpty()) {
            return () -> { };
        }
        Optional<HostLocks.Held> held = locks.take("cluster " + cluster.get().identity());
        if (held.isEmpty()) {
            throw Refusal.busy(cluster.get().name(), journal.unfinished().stream()
                    .filter(r -> r.number() != run && r.changes().stream().anyMatch(c -> altersCluster(c.change())))
                    .reduce((first, last) -> last)
                    .map(r -> "run " + r.number() + " (" + r.title() + ") changes it since " + r.started())
                    .orElse("another run changes it"), "Wait for its end, or stop it where it was started.");
        }
        return held.get();
    }

    private static boolean altersCluster(Change change) {
        return change instanceof ManifestChange || change instanceof HelmChange || change instanceof PodRestart;
    }

    /** Runs of a host that have not ended, oldest first. Of a host that is taken they have died. */
    List<RunRecord> unfinished(String host) throws TroubleException {
        return journal.unfinished(siteId).stream().filter(r -> r.host().equals(host)).toList();
    }

    /** @param number of the run that is meant itself */
    void refuseIfAnotherDied(String host, long number) throws TroubleException {
        Optional<RunRecord> dead = unfinished(host).stream().filter(r -> r.number() != number).findFirst();
        if (dead.isPresent()) {
            throw Refusal.busy(host, "run " + dead.get().number() + " (" + dead.get().title() + ") has not ended",
                    "Go on with that run first, by the command or on the page that began it, or undo it.");
        }
    }
}
