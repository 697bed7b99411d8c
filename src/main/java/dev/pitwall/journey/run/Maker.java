package dev.pitwall.journey.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.time.Instant;
import java.util.Optional;

/**
 * Makes one change, whatever the connection does meanwhile: after a loss the present state is read and tells whether
 * the change is still to be made.
 */
final class Maker {
    /** A connection that is lost in the same change again and again is no accident. */
    private static final int TRIES = 3;

    private final Patience patience;

    Maker(Patience patience) {
        this.patience = patience;
    }

    /**
     * Reads where a change stands, waiting for a lost connection.
     *
     * @throws TroubleException of a lost connection that did not come back
     */
    Standing standing(Making making, Optional<String> mark) throws TroubleException, InterruptedException {
        return again(making, () -> making.standing(mark));
    }

    /** As above, for what is noted before it is begun. */
    Optional<String> mark(Making making) throws TroubleException, InterruptedException {
        return again(making, making::mark);
    }

    private <T> T again(Making making, Act<T> read) throws TroubleException, InterruptedException {
        Instant end = patience.in(making.patience(patience));
        Patience.Looks looks = patience.looks();
        while (true) {
            try {
                return read.perform();
            } catch (TroubleException e) {
                if (!Lost.is(e.trouble()) || patience.past(end)) {
                    throw e;
                }
                looks.untilNext();
            }
        }
    }

    /**
     * Brings a change that has begun to its end.
     *
     * @param mark as it was noted before it was begun
     * @throws TroubleException of a lost connection that did not come back: what became of the change is not known
     */
    Outcome bring(Making making, Optional<String> mark) throws TroubleException, InterruptedException {
        for (int tried = 1; ; tried++) {
            Standing standing = standing(making, mark);
            switch (standing) {
                case Standing.After after -> {
                    return new Outcome.Made(tried == 1 ? "it had been made before the run was cut off" : "");
                }
                case Standing.Other other -> {
                    return new Outcome.Stopped(other.what());
                }
                case Standing.Before _, Standing.Half _ -> {
                    Optional<Outcome> made = make(making, mark, tried == TRIES);
                    if (made.isPresent()) {
                        return made.get();
                    }
                }
            }
        }
    }

    /** @return empty if the connection was lost and it is to be tried again */
    private Optional<Outcome> make(Making making, Optional<String> mark, boolean lastTry)
            throws TroubleException, InterruptedException {
        try {
            return Optional.of(new Outcome.Made(making.make(mark)));
        } catch (TroubleException e) {
            if (!Lost.is(e.trouble())) {
                return Optional.of(new Outcome.Failed(sentences(e.trouble())));
            }
            if (lastTry) {
                throw e;
            }
            patience.untilNextTry();
            return Optional.empty();
        }
    }

    static String sentences(Trouble trouble) {
        return trouble.sentence() + ". " + trouble.next();
    }
}
