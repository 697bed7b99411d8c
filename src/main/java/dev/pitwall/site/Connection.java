package dev.pitwall.site;

import dev.pitwall.card.Observed;
import dev.pitwall.card.Trouble;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How one source of a site is doing.
 *
 * @param name          the source's name in the site, for example {@code pve1}
 * @param at            time of its last good data; an earlier run's counts only once this run has failed to read
 * @param trouble       why it fails now
 * @param since         when the trouble began
 * @param nextTry       when it is asked again
 * @param usualInterval time between two reads; data older than twice this is stale
 */
public record Connection(Kind kind, String name, Optional<Instant> at, Optional<Trouble> trouble,
                         Optional<Instant> since, Optional<Instant> nextTry, Duration usualInterval) {

    static Connection of(Kind kind, Observed<?> source, Optional<Instant> nextTry, Duration usualInterval) {
        return new Connection(kind, source.system(), source.pending() ? Optional.empty() : source.at(),
                source.trouble(), source.since(), nextTry, usualInterval);
    }

    public enum Kind { PROXMOX, SHELL, CLUSTER, PROMETHEUS, MODELS }

    public enum State { READING, LIVE, FAILING }

    public State state() {
        if (trouble.isPresent()) {
            return State.FAILING;
        }
        return at.isPresent() ? State.LIVE : State.READING;
    }
}
