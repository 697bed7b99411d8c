package dev.pitwall.journey;

import dev.pitwall.journey.change.Change;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a step says of one card now. It rests on what was read and changes nothing.
 *
 * @param state    where the step stands
 * @param why      one short sentence for the list of steps, for example {@code already on, 21 groups}
 * @param found    what it looked at
 * @param changes  what it would change, in order; empty unless {@link State#READY}
 * @param foreseen what a step that waits would change, in order, as far as can be told before what it waits for is
 *                 done; empty unless {@link State#WAITING}, and where nothing can be told
 * @param notes    what a person should know before: costs, limits, what it does not do; one sentence each
 * @param questions what the person decides, with what is chosen now
 * @param coming   what comes by itself, so that it only has to be waited for; only of {@link State#WAITING}
 */
public record Answer(State state, String why, List<Found> found, List<Change> changes, List<Change> foreseen,
                     List<String> notes, List<Question> questions, Optional<Coming> coming) {

    /**
     * Something that others are doing.
     *
     * @param what   a stable name of this part of it, for example {@code driver-compiles}; the next part has another
     * @param normal how long this part may take, from when it began or was first seen, before it is no longer normal
     */
    public record Coming(String what, Duration normal) {
    }

    /** Where a step stands. */
    public enum State {
        /** It is as wanted; nothing would change. */
        DONE,
        /** It may run, and would make the changes. */
        READY,
        /** It cannot begin before another step, named in the sentence. */
        WAITING,
        /** It must not run, or cannot: the sentence says why and what to do. */
        BLOCKED,
        /** This card has no need of it. */
        NOT_APPLICABLE,
        /** What it rests on could not be read. */
        UNKNOWN,
        /** The person left it out. */
        SKIPPED;

        /** The stable name in JSON, for example {@code not-applicable}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * A choice.
     *
     * @param key     as {@code --set} takes it, for example {@code bind}
     * @param text    what is asked
     * @param options at least one
     * @param chosen  the value of the option that the changes are made of
     */
    public record Question(String key, String text, List<Option> options, String chosen) {
        public Question {
            options = List.copyOf(options);
        }
    }

    /** @param note what follows from it; empty text where nothing is to be said */
    public record Option(String value, String label, String note) {
    }

    public Answer {
        found = List.copyOf(found);
        changes = List.copyOf(changes);
        foreseen = List.copyOf(foreseen);
        notes = List.copyOf(notes);
        questions = List.copyOf(questions);
        if (!changes.isEmpty() && state != State.READY) {
            throw new IllegalArgumentException("only a step that may run changes something");
        }
        if (!foreseen.isEmpty() && state != State.WAITING) {
            throw new IllegalArgumentException("only a step that waits foresees something");
        }
        if (coming.isPresent() && state != State.WAITING) {
            throw new IllegalArgumentException("only a step that waits has something to wait for");
        }
    }

    /** An answer for which nothing comes by itself. */
    public Answer(State state, String why, List<Found> found, List<Change> changes, List<Change> foreseen,
                  List<String> notes, List<Question> questions) {
        this(state, why, found, changes, foreseen, notes, questions, Optional.empty());
    }

    /** An answer that foresees nothing. */
    public Answer(State state, String why, List<Found> found, List<Change> changes, List<String> notes,
                  List<Question> questions) {
        this(state, why, found, changes, List.of(), notes, questions);
    }

    /** An answer that changes nothing. */
    public static Answer of(State state, String why, List<Found> found) {
        return new Answer(state, why, found, List.of(), List.of(), List.of());
    }

    /** @param changes in the order in which they are to be made */
    public static Answer ready(String why, List<Found> found, List<Change> changes) {
        return new Answer(State.READY, why, found, changes, List.of(), List.of());
    }

    /** @param foreseen in the order in which they will be made once what the step waits for is done */
    public static Answer waiting(String why, List<Found> found, List<Change> foreseen) {
        return new Answer(State.WAITING, why, found, List.of(), foreseen, List.of(), List.of());
    }

    /**
     * What a step says while it waits, where this is what it will say once that is done: what it would change then is
     * foreseen, and what stops it then stops it already.
     *
     * @param found what it looked at now
     */
    public Answer until(String why, List<Found> found) {
        return state == State.BLOCKED ? new Answer(state, this.why, found, List.of(), notes, questions)
                : new Answer(State.WAITING, why, found, List.of(), intended(), notes, questions);
    }

    /** The same answer, with what it foresees if it waits. */
    public Answer foreseeing(List<Change> later) {
        return state == State.WAITING ? new Answer(state, why, found, changes, later, notes, questions, coming) : this;
    }

    /** What the step would change, now or once what it waits for is done. */
    public List<Change> intended() {
        return state == State.WAITING ? foreseen : changes;
    }

    public Answer noting(String... more) {
        return noting(List.of(more));
    }

    /** The same answer with more notes behind its own. */
    public Answer noting(List<String> more) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(more);
        return new Answer(state, why, found, changes, foreseen, all, questions, coming);
    }

    /** The same answer with more questions behind its own. */
    public Answer asking(Question... more) {
        List<Question> all = new ArrayList<>(questions);
        all.addAll(List.of(more));
        return new Answer(state, why, found, changes, foreseen, notes, all, coming);
    }

    /**
     * The same answer of a step that waits for what comes by itself.
     *
     * @param what   as {@link Coming#what}
     * @param normal as {@link Coming#normal}
     */
    public Answer coming(String what, Duration normal) {
        return new Answer(state, why, found, changes, foreseen, notes, questions, Optional.of(new Coming(what, normal)));
    }
}
