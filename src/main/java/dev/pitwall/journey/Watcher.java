package dev.pitwall.journey;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Sees what a look or a run does while it does it. Called from any thread; must not block. */
public interface Watcher {

    /** Watches nothing. */
    Watcher NONE = line -> { };

    /** A read, a write, or a line that a command printed. */
    void line(Line line);

    /** A run has moved: a change has begun or ended. */
    default void moved(RunRecord run) {
    }

    /** The systems have been read and every step asked, at the beginning of a walk or after changes. */
    default void looked(CardPlan plan) {
    }

    /**
     * A walk is about to begin, or is refused right after this. What the plan has up to the last step that is wanted is
     * all that the walk will make.
     */
    default void previewed(CardPlan plan) {
    }

    /**
     * One line of the log.
     *
     * @param system  for example {@code pve2 ssh}, {@code pve2 api} or {@code pitwall}
     * @param text    the command or call; never a secret
     * @param outcome for example {@code exit 0} or {@code 200}; empty for a line that was printed
     */
    record Line(Instant at, String system, String text, Optional<String> outcome, Optional<Duration> took) {
    }
}
