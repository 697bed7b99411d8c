package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;

import java.util.List;

/**
 * The wizard of one site: it looks, makes what a look has shown, and takes it back. All methods block and may be
 * interrupted; two runs never work on one host at once.
 */
public interface Journey extends AutoCloseable {

    /**
     * Reads the systems of a card and asks every step.
     *
     * @throws TroubleException if its host cannot be read at all
     */
    CardPlan look(Situation.Subject card, Choices choices, Watcher watcher)
            throws TroubleException, InterruptedException;

    /**
     * As above, and of steps above one it neither asks nor reads.
     *
     * @param last id of the last step wanted
     */
    CardPlan look(Situation.Subject card, Choices choices, String last, Watcher watcher)
            throws TroubleException, InterruptedException;

    /**
     * The steps that one run can make of a plan without looking again: those that are READY, up to the first that keeps
     * those above from running. It reads nothing.
     *
     * @param last id of the last step wanted
     * @return ids in the order of the plan, as {@link #apply} takes them; empty if none can be made now
     */
    List<String> together(CardPlan plan, String last);

    /**
     * Makes the changes of some steps exactly as the plan has them. If anything a change rests on is not as it was when
     * the plan was made, nothing is written and the run ends as STOPPED.
     *
     * @param steps ids of steps of the plan that are READY, in any order
     */
    RunRecord apply(CardPlan plan, List<String> steps, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException;

    /**
     * Walks a card up: applies what may run, looks again, and goes on until every step to the target is done or one is
     * not to be passed. It is one run. One that died with the same wish is gone on with; while another that
     * died on the card's host has not ended, it is refused (BUSY).
     *
     * @param last id of the last step wanted
     */
    RunRecord walk(Situation.Subject card, Choices choices, String last, Watcher watcher, Stop stop)
            throws TroubleException, InterruptedException;

    /** Goes on with a run that died. */
    RunRecord resume(long run, Watcher watcher, Stop stop) throws TroubleException, InterruptedException;

    /** What undo of a run would do. */
    UndoPlan undoPlan(long run, Watcher watcher) throws TroubleException, InterruptedException;

    /** Takes a run back. The undo is a run of its own. */
    RunRecord undo(long run, Watcher watcher, Stop stop) throws TroubleException, InterruptedException;

    /** Leaves a step out, with the reason; it is in the journal. */
    RunRecord skip(Situation.Subject card, String step, String reason) throws TroubleException;

    @Override
    void close();
}
