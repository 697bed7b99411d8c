package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;

/** Something that is done with a system. */
@FunctionalInterface
interface Act<T> {
    T perform() throws TroubleException, InterruptedException;
}
