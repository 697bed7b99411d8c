package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;

/** Reads what the steps of a card rest on. */
@FunctionalInterface
public interface Surveys {

    /**
     * Reads the card's host and its datacenter.
     *
     * @param systems the ways in that are to be used: whoever looks sees what is read through them
     * @throws TroubleException if the host cannot be read at all
     */
    Situation read(Systems systems, Situation.Subject card, Choices choices)
            throws TroubleException, InterruptedException;

    /**
     * Reads more, and what that rests on, as far as it is not known.
     *
     * @return what was known with it; it knows it also where there is nothing of the kind
     */
    default Situation more(Systems systems, Situation known, Survey what) throws TroubleException, InterruptedException {
        return known.reading(what);
    }

    /** Reads all that there is. */
    default Situation whole(Systems systems, Situation.Subject card, Choices choices)
            throws TroubleException, InterruptedException {
        Situation known = read(systems, card, choices);
        for (Survey what : Survey.values()) {
            known = known.knows(what) ? known : more(systems, known, what);
        }
        return known;
    }
}
