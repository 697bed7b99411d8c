package dev.pitwall.journey;

import java.util.concurrent.atomic.AtomicBoolean;

/** The person's wish that a run ends before its next change. A change that has begun is brought to its end. */
public final class Stop {
    private final AtomicBoolean asked = new AtomicBoolean();

    /** Asks for it; from any thread, more than once without harm. */
    public void ask() {
        asked.set(true);
    }

    public boolean asked() {
        return asked.get();
    }
}
