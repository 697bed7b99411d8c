package dev.pitwall.journey.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;

/** The troubles that the engine itself has to tell. */
final class Refusal {
    private Refusal() {
    }

    /** A system did what it was asked in another way than was hoped. */
    static TroubleException failed(String where, String what, String next) {
        return new TroubleException(new Trouble(Kind.REMOTE, where, what, next));
    }

    /** It has not come back yet, and may do so later. */
    static TroubleException silent(String where, String what, String next) {
        return new TroubleException(new Trouble(Kind.TIMEOUT, where, what, next));
    }

    /** Something else works there, or has to come first. */
    static TroubleException busy(String where, String what, String next) {
        return new TroubleException(new Trouble(Kind.BUSY, where, what, next));
    }

    static TroubleException missing(String where, String what, String next) {
        return new TroubleException(new Trouble(Kind.MISSING, where, what, next));
    }
}
