package dev.pitwall.doctor.catalogue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One named cause of the catalogue: what it is, what proves it, what rules it out and what cures it.
 *
 * @param name        its stable name from the trap vocabulary
 * @param floor       where the cause sits
 * @param title       a few words for lists
 * @param says        the finding in one or two sentences; words in braces stand for values of the signs that proved it
 * @param means       what happens and why, for the page of the trap
 * @param mistakenFor what it looks like, and what tells them apart
 * @param proofs      what speaks for it
 * @param against     what speaks against it
 * @param explains    names of traps that are consequences of this one and are not told beside it
 * @param fix         what cures it
 * @param normal      how long waiting is normal; only of {@link Kind#WAITING}
 * @param next        what to look at where the evidence does not suffice, with the exact command
 * @param sources     addresses of what this rests on
 */
public record Trap(String name, TrapFloor floor, Kind kind, String title, String says, String means,
                   List<LookAlike> mistakenFor, List<Clause> proofs, List<Against> against, List<String> explains,
                   Fix fix, Optional<Duration> normal, String next, List<String> sources) {

    /** What it is when it is found. */
    public enum Kind {
        /** Something is wrong. */
        FAULT,
        /** Nothing is wrong yet: it has to be waited for. */
        WAITING,
        /** It works, and could be better. */
        ADVICE,
        /** It looks alarming and means nothing. */
        HARMLESS
    }

    /** @param differs what tells the two apart */
    public record LookAlike(String trap, String differs) {
    }

    /**
     * Some pieces of evidence that together count.
     *
     * @param all    every one must be there
     * @param any    one of them must be there; empty for no such demand
     * @param none   none of them may be there
     * @param weight how likely the cause is if this is all that is known, more than 0 and less than 1
     * @param same   what the signs of {@code all} must share
     */
    public record Clause(List<SignRef> all, List<SignRef> any, List<SignRef> none, double weight, Same same) {
        public Clause {
            all = List.copyOf(all);
            any = List.copyOf(any);
            none = List.copyOf(none);
            if (weight <= 0 || weight >= 1) {
                throw new IllegalArgumentException("a weight is more than 0 and less than 1, not " + weight);
            }
            if (all.isEmpty() && any.isEmpty()) {
                throw new IllegalArgumentException("a clause needs a sign that has to be there");
            }
        }
    }

    /** What several signs must be about. */
    public enum Same { ANYTHING, DOCUMENT, COMPONENT, POD }

    /**
     * What speaks against a cause.
     *
     * @param weight  how far: 1 rules it out
     * @param because the reason in words, for "why not"
     */
    public record Against(List<SignRef> any, double weight, String because) {
        public Against {
            any = List.copyOf(any);
        }
    }

    /**
     * @param summary one sentence
     * @param steps   by hand, in order
     * @param remedy  what Pitwall can do itself; empty where it can do nothing
     */
    public record Fix(String summary, List<String> steps, Optional<Remedy> remedy) {
        public Fix {
            steps = List.copyOf(steps);
        }
    }

    /** What makes the plan that cures. */
    public sealed interface Remedy {

        /** A step of the wizard, with choices set. */
        record WizardStep(String step, Map<String, String> choices) implements Remedy {
            public WizardStep {
                choices = Map.copyOf(choices);
            }
        }

        /** A cure of the Doctor's own, by name. */
        record Cure(String name) implements Remedy {
        }

        /** None: it is for a person to do or to decide. {@code why} says it in one sentence. */
        record ByHand(String why) implements Remedy {
        }
    }

    public Trap {
        mistakenFor = List.copyOf(mistakenFor);
        proofs = List.copyOf(proofs);
        against = List.copyOf(against);
        explains = List.copyOf(explains);
        sources = List.copyOf(sources);
    }
}
