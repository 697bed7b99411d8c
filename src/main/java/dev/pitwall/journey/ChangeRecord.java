package dev.pitwall.journey;

import java.time.Instant;
import java.util.Optional;

/**
 * One change of a run as the journal has it.
 *
 * @param position from 1
 * @param target   the file, command, API path, object or release
 * @param summary  for example {@code 4 lines, new file}
 * @param message  what the system said, or why it stopped
 */
public record ChangeRecord(int position, Kind kind, String target, String summary, Risk risk, State state,
                           Optional<String> message, Optional<Instant> started, Optional<Instant> ended) {

    public enum Kind { FILE, COMMAND, API, MANIFEST, HELM, POWER }

    /** The worst that happens while it is made. */
    public enum Risk { NONE, RESTARTS_PODS, DRAINS_NODE, POWER_CYCLES_VM, REBOOTS_HOST }

    public enum State { TO_DO, RUNNING, DONE, ALREADY_SO, SKIPPED, STOPPED, FAILED, UNDONE }
}
