package dev.pitwall.journey.run;

import dev.pitwall.card.Trouble;

/** Tells a connection that was lost, and may come back by itself, from every other trouble. */
final class Lost {
    private Lost() {
    }

    /** A key that has changed is none: it stops everything. */
    static boolean is(Trouble trouble) {
        return trouble.kind().unreachable() && trouble.kind() != Trouble.Kind.TRUST;
    }
}
