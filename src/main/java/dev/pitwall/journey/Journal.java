package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.Change;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The lasting record of every run. It is written ahead: what is about to be made is on the disk before it is made.
 * Thread-safe.
 */
public interface Journal {

    /**
     * The runs of a site, newest first.
     *
     * @param limit at most so many
     */
    List<RunRecord> runs(String siteId, int limit) throws TroubleException;

    Optional<RunRecord> run(long number) throws TroubleException;

    /**
     * What was made of one step for a card, newest first.
     *
     * @param limit at most so many changes
     */
    default List<Made> made(String siteId, String cardId, String step, int limit) throws TroubleException {
        return runs(siteId, Integer.MAX_VALUE).stream()
                .filter(run -> run.card().filter(card -> card.id().equals(cardId)).isPresent())
                .flatMap(run -> run.changes().reversed().stream().filter(change -> change.step().equals(step))
                        .map(change -> new Made(run.number(), change))).limit(limit).toList();
    }

    /**
     * What came of one step in the newest run of each card that has come to an end with it, newest run first.
     *
     * @param step for example {@code proof}
     */
    default List<Made> last(String siteId, String step) throws TroubleException {
        Set<String> seen = new HashSet<>();
        return runs(siteId, Integer.MAX_VALUE).stream().filter(run -> run.card().isPresent())
                .filter(run -> run.changes().stream().anyMatch(c -> c.step().equals(step) && ended(c)))
                .filter(run -> seen.add(run.card().get().id()))
                .flatMap(run -> run.changes().reversed().stream().filter(c -> c.step().equals(step))
                        .map(change -> new Made(run.number(), change))).toList();
    }

    private static boolean ended(ChangeRecord change) {
        return switch (change.state()) {
            case DONE, FAILED, UNDONE -> true;
            case TO_DO, RUNNING, ALREADY_SO, SKIPPED, STOPPED -> false;
        };
    }

    /** What a run was begun for; {@link Aim#NONE} if there is no such run. */
    Aim aim(long run) throws TroubleException;

    /** The runs of a site that have begun and not ended, oldest first: they run now, or have died. */
    List<RunRecord> unfinished(String siteId) throws TroubleException;

    /** Of all sites: two sites may lead to one cluster. */
    List<RunRecord> unfinished() throws TroubleException;

    /** Opens a run without changes. */
    RunRecord begin(Opening opening) throws TroubleException;

    /** Adds changes to a run, all to do, after those that it has. */
    void add(long run, List<Intended> changes) throws TroubleException;

    /** A change is about to be made. */
    void starting(long run, int position, Optional<String> mark, Instant at) throws TroubleException;

    /** A change has come to its end. */
    void ended(long run, int position, ChangeRecord.State state, Optional<String> message, Instant at)
            throws TroubleException;

    /** A run has come to its end, or is UNDONE later. */
    void close(long run, RunRecord.State state, Optional<String> note, Instant at) throws TroubleException;

    /**
     * @param undoes the run that this one takes back
     * @param aim    what it is to reach
     */
    record Opening(String siteId, String title, String host, Optional<RunRecord.CardRef> card, String byWhom,
                   Optional<Long> undoes, Aim aim, Instant at) {
    }

    record Intended(String step, Change change) {
    }

    /** A change with the number of its run. */
    record Made(long run, ChangeRecord change) {
    }
}
