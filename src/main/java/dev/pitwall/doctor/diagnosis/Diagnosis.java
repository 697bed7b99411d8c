package dev.pitwall.doctor.diagnosis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a look at the evidence gave.
 *
 * @param findings causes, the root cause first; each certain or likely
 * @param advice   what works and could be better
 * @param waiting  what only has to be waited for
 * @param harmless what looks alarming and means nothing
 * @param next     what to look at next, with the command, if nothing certain was found but something seems wrong
 * @param unseen   what could not be looked at, one sentence each
 * @param looked   how much was looked at
 */
public record Diagnosis(List<Finding> findings, List<Finding> advice, List<Waiting> waiting, List<Finding> harmless,
                        List<String> next, List<String> unseen, Looked looked) {

    /**
     * A wait.
     *
     * @param finding what shows it
     * @param normal  how long it is normal
     * @param since   when it began; empty where the evidence does not say
     */
    public record Waiting(Finding finding, Duration normal, Optional<Instant> since) {
    }

    /**
     * @param documents pieces of evidence that were read
     * @param lines     lines of them
     * @param objects   objects of clusters
     * @param causes    causes that were compared
     */
    public record Looked(int documents, long lines, long objects, int causes) {
    }

    public Diagnosis {
        findings = List.copyOf(findings);
        advice = List.copyOf(advice);
        waiting = List.copyOf(waiting);
        harmless = List.copyOf(harmless);
        next = List.copyOf(next);
        unseen = List.copyOf(unseen);
    }

    /** The same, with more that could not be looked at. */
    public Diagnosis unseen(List<String> more) {
        List<String> all = new ArrayList<>(more);
        all.addAll(unseen);
        return new Diagnosis(findings, advice, waiting, harmless, next, all, looked);
    }

    /** The same with other findings. */
    public Diagnosis findings(List<Finding> others) {
        return new Diagnosis(others, advice, waiting, harmless, next, unseen, looked);
    }

    /** The same with something else to look at next. */
    public Diagnosis next(List<String> others) {
        return new Diagnosis(findings, advice, waiting, harmless, others, unseen, looked);
    }

    /** True if something is wrong. */
    public boolean foundFault() {
        return !findings.isEmpty();
    }
}
