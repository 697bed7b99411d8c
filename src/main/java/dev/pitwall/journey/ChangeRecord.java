package dev.pitwall.journey;

import dev.pitwall.journey.change.Change;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * One change of a run as the journal has it.
 *
 * @param position from 1
 * @param step     id of the step it belongs to
 * @param change   the change itself, whole
 * @param mark     what was noted of the system before it was made, to tell later whether it was: a boot id, a process
 * @param message  what the system said, or why it stopped
 */
public record ChangeRecord(int position, String step, Change change, State state, Optional<String> mark,
                           Optional<String> message, Optional<Instant> started, Optional<Instant> ended) {

    /** How a change stands. */
    public enum State {
        TO_DO,
        /** Begun; what became of it is told by the system alone. */
        RUNNING,
        DONE,
        /** What it would have made was there already. */
        ALREADY_SO,
        SKIPPED,
        /** Not made, because the system was neither as before it nor as after it. */
        STOPPED,
        FAILED,
        UNDONE;

        /** The stable name in JSON, for example {@code already-so}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
