package dev.pitwall.engine.trace;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

/** A file that cannot be used, with the line that shows it. */
final class BadInput {
    /** Up to here a double counts every whole number; nothing that is measured comes near. */
    static final double LARGEST = 9_007_199_254_740_992.0;
    private final String file;
    private final String next;

    /** @param next what to do, one sentence */
    BadInput(String file, String next) {
        this.file = file;
        this.next = next;
    }

    /** @param line counted from 1 */
    TroubleException at(long line, String what) {
        return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, file + " line " + line, what, next));
    }

    TroubleException whole(String what) {
        return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, file, what, next));
    }
}
