package dev.pitwall.doctor;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;

import java.util.Optional;

/**
 * The Doctor of one connected site: it looks at every system of the site, names what keeps its cards from being used, and
 * makes what cures it. All methods block and may be interrupted. Thread-safe.
 */
public interface SiteDoctor extends AutoCloseable {

    /**
     * Reads what the catalogue can use of every system of the site, in parallel, and judges it. It writes nothing.
     *
     * @param watcher is told every command and call as it is made, from any thread
     * @return findings name cards by {@link dev.pitwall.card.Card#id} and nodes by their name in the cluster; a system
     *         that was not reached is one sentence of {@link Diagnosis#unseen}
     */
    Diagnosis diagnose(Watcher watcher) throws TroubleException, InterruptedException;

    /**
     * What would cure a finding, read from the systems now: a plan of exact changes, or what is to be done by hand. It
     * writes nothing.
     *
     * @param card    the card that is to be cured, as a finding may be about several; empty for the first of them
     * @param choices decided questions of the step or cure; {@link Choices#NONE} at first
     */
    Treatment treatment(Finding finding, Optional<String> card, Choices choices, Watcher watcher)
            throws TroubleException, InterruptedException;

    /**
     * Makes a treatment as it was shown. It is a run of the journal like any other: written ahead, stopped where the
     * system is not as it was shown, and taken back by undo. At its end the systems are looked at again until the finding
     * is gone, or the time is over in which it usually goes: then the run has failed.
     *
     * @throws IllegalArgumentException if there is nothing that Pitwall can make of it
     */
    RunRecord apply(Treatment treatment, Watcher watcher, Stop stop) throws TroubleException, InterruptedException;

    /** Lets go of the connections that were made for it; the site stays open. */
    @Override
    void close();
}
