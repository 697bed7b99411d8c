package dev.pitwall.journey;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One run as the journal has it.
 *
 * @param number  counts up over all sites of this computer and is never given twice
 * @param title   for example {@code Bind the card to vfio-pci}
 * @param host    what it worked on: a Proxmox host, a machine, or the cluster by its site's name
 * @param card    empty for runs of a whole host or cluster
 * @param byWhom  for example {@code you, from this computer}
 * @param undoes  the run that this one takes back
 * @param ended   empty while it runs, and for a run that died and can be continued
 * @param note    what the list says beside the numbers, for example {@code continued after the reboot}
 * @param changes in the order in which they were made
 */
public record RunRecord(long number, String siteId, String title, String host, Optional<CardRef> card, String byWhom,
                        Optional<Long> undoes, Instant started, Optional<Instant> ended, State state,
                        Optional<String> note, List<ChangeRecord> changes) {

    /** How a run stands. */
    public enum State {
        /** It runs now, or has died and can be continued. */
        RUNNING,
        /** All its changes are made, and its steps are proved. */
        DONE,
        /** Everything was as wanted; nothing was changed. */
        ALREADY_SO,
        /** No run at all: the person left a step out; the note has the reason. */
        SKIPPED,
        /**
         * Ended before its aim by the person, at its guard, or at a step that is not to be passed; the note says which.
         */
        STOPPED,
        /** A change could not be made, or a step is not done after its changes; the note says which. */
        FAILED,
        /** Another run has taken it back. */
        UNDONE
    }

    /** @param name for example {@code RTX A1000} */
    public record CardRef(String id, String name) {
    }

    public RunRecord {
        changes = List.copyOf(changes);
    }

    /** How long it took; empty while it runs. */
    public Optional<Duration> took() {
        return ended.map(end -> Duration.between(started, end));
    }
}
