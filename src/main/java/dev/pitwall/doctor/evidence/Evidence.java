package dev.pitwall.doctor.evidence;

import dev.pitwall.card.TroubleException;

/** Where documents come from: a folder, an archive, a pasted text, or the systems of a site. */
@FunctionalInterface
public interface Evidence {

    /** Takes documents one after the other. */
    @FunctionalInterface
    interface Taker {
        void take(Document document) throws InterruptedException;
    }

    /**
     * Gives every document in turn; each is read before the next is opened.
     *
     * @throws TroubleException if there is nothing to be read at all
     */
    void each(Taker taker) throws TroubleException, InterruptedException;
}
