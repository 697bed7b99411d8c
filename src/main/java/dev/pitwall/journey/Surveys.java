package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;

/** Reads all that the steps of a card rest on. */
@FunctionalInterface
public interface Surveys {

    /**
     * Reads the card's host, and the VM that is to have the card: the chosen one, else the one that has it.
     *
     * @param systems the ways in that are to be used: whoever looks sees what is read through them
     * @throws TroubleException if the host cannot be read at all
     */
    Situation read(Systems systems, Situation.Subject card, Choices choices)
            throws TroubleException, InterruptedException;
}
