package dev.pitwall.engine.charge;

import dev.pitwall.card.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What one engine knows of the Lease, and what it does with it. It takes nothing before it is told to claim it: who only looks
 * leaves the cluster as it is. Reads no clock and starts no thread. The times are those of
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
    private boolean claims;

    /** @param name that nobody else has */
    Candidate(String name, Terms terms) {
        this.name = name;
        this.terms = terms;
    }

    /** From now on it takes the Lease where it can be had. */
    void claim() {
        claims = true;
    }

    /** What is to be written now, if anything. @param read the Lease as it is, if there is one */
    Optional<Lease> wants(Optional<Lease> read, Instant now) {
        looked = true;
        if (!read.equals(seen)) {
            seen = read;
            seenAt = now;
        }
        Optional<Lease> wanted = wanted(read, now);
        if (wanted.isEmpty()) {
            // What is to be written may fail again, so until then what failed still holds.
            trouble = Optional.empty();
        }
        return wanted;
    }

    private Optional<Lease> wanted(Optional<Lease> read, Instant now) {
        if (read.isEmpty()) {
            heldSince = Optional.empty();
            return claims ? Optional.of(new Lease(name, now, now, terms.duration(), 0, "")) : Optional.empty();
        }
        Lease lease = read.get();
        if (lease.holder().equals(name)) {
            return Optional.of(new Lease(name, lease.acquired(), now, terms.duration(), lease.transitions(), lease.version()));
        }
        heldSince = Optional.empty();
        return claims && isOver(lease, now) ? Optional.of(new Lease(name, now, now, terms.duration(), lease.transitions() + 1, lease.version()))
                : Optional.empty();
    }

    private boolean isOver(Lease lease, Instant now) {
        return lease.holder().isEmpty() || now.isAfter(seenAt.plus(lease.duration()));
    }

    /** @param began when the write was sent: it counts from then, since the answer may have been long in coming */
    void wrote(Optional<Lease> written, Instant began, Instant now) {
        trouble = Optional.empty();
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
        if (!looked) {
            return new Charge.State.Looking();
        }
        // Its own name on a Lease that it could not renew in time: it looks whether somebody else has it by now.
        return seen.filter(lease -> !isOver(lease, now)).map(lease -> lease.holder().equals(name)
                ? new Charge.State.Looking() : (Charge.State) new Charge.State.Elsewhere(lease.holder()))
                .orElseGet(Charge.State.Free::new);
    }

    /** What is to be written at the end; empty if it is not held. One second: no other number is allowed to be smaller. */
    Optional<Lease> givesBack(Instant now) {
        boolean held = heldSince.isPresent();
        heldSince = Optional.empty();
        return held ? seen.map(lease -> new Lease("", lease.acquired(), now, Duration.ofSeconds(1), lease.transitions(),
                lease.version())) : Optional.empty();
    }
}
