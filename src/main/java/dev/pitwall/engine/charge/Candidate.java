package dev.pitwall.engine.charge;

import dev.pitwall.card.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What one engine knows of the Lease, and what it does with it. Reads no clock and starts no thread. The times are those of
 * this machine alone: a Lease of another is over when it has not changed for its duration as seen from here, whatever the
 * other's clock says.
 */
final class Candidate {
    private final String name;
    private final Terms terms;
    private Optional<Lease> seen = Optional.empty();
    private Instant seenAt = Instant.MIN;
    private Optional<Instant> heldSince = Optional.empty();
    private Optional<Trouble> trouble = Optional.empty();
    private boolean looked;

    /** @param name that nobody else has */
    Candidate(String name, Terms terms) {
        this.name = name;
        this.terms = terms;
    }

    /** What is to be written now, if anything. @param read the Lease as it is, if there is one */
    Optional<Lease> wants(Optional<Lease> read, Instant now) {
        looked = true;
        trouble = Optional.empty();
        if (!read.equals(seen)) {
            seen = read;
            seenAt = now;
        }
        if (read.isEmpty()) {
            return Optional.of(new Lease(name, now, now, terms.duration(), 0, ""));
        }
        Lease lease = read.get();
        if (lease.holder().equals(name)) {
            return Optional.of(new Lease(name, lease.acquired(), now, terms.duration(), lease.transitions(), lease.version()));
        }
        heldSince = Optional.empty();
        boolean over = lease.holder().isEmpty() || now.isAfter(seenAt.plus(lease.duration()));
        return over ? Optional.of(new Lease(name, now, now, terms.duration(), lease.transitions() + 1, lease.version()))
                : Optional.empty();
    }

    /** @param began when the write was sent: it counts from then, since the answer may have been long in coming */
    void wrote(Optional<Lease> written, Instant began, Instant now) {
        if (written.isPresent()) {
            seen = written;
            seenAt = now;
            heldSince = Optional.of(began);
        } else {
            // Somebody else was quicker; whoever it is is known by the next look.
            heldSince = Optional.empty();
        }
    }

    /** The cluster could not be asked. What was held stays held until its deadline. */
    void missed(Trouble why) {
        trouble = Optional.of(why);
    }

    Charge.State state(Instant now) {
        if (heldSince.filter(at -> now.isBefore(at.plus(terms.deadline())) && !now.isBefore(at)).isPresent()) {
            return new Charge.State.Here();
        }
        if (trouble.isPresent()) {
            return new Charge.State.Unknown(trouble.get());
        }
        Optional<String> other = seen.map(Lease::holder).filter(holder -> !holder.isEmpty() && !holder.equals(name));
        return !looked || other.isEmpty() ? new Charge.State.Looking() : new Charge.State.Elsewhere(other.get());
    }

    /** What is to be written at the end; empty if it is not held. One second: no other number is allowed to be smaller. */
    Optional<Lease> givesBack(Instant now) {
        boolean held = heldSince.isPresent();
        heldSince = Optional.empty();
        return held ? seen.map(lease -> new Lease("", lease.acquired(), now, Duration.ofSeconds(1), lease.transitions(),
                lease.version())) : Optional.empty();
    }
}
