package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the Doctor's look at a site has come.
 *
 * @param seen    what the last look gave; a look that goes on or fails leaves it as it was
 * @param now     the look that goes on
 * @param trouble why the last look gave nothing
 */
record Look(Optional<Seen> seen, Optional<Going> now, Optional<Trouble> trouble) {

    /** Nobody has looked yet. */
    static final Look NONE = new Look(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * @param at   when it was done
     * @param took how long it took
     */
    record Seen(Diagnosis diagnosis, Instant at, Duration took) {
    }

    /** @param reading what is being read, for example {@code pve2 ssh: lspci -nnk}; empty text at first */
    record Going(Instant since, String reading) {
    }

    Look begun(Instant at) {
        return new Look(seen, Optional.of(new Going(at, "")), trouble);
    }

    Look reading(String what) {
        return new Look(seen, now.map(g -> new Going(g.since(), what)), trouble);
    }

    Look ended(Diagnosis diagnosis, Instant at) {
        Duration took = now.map(g -> Duration.between(g.since(), at)).orElse(Duration.ZERO);
        return new Look(Optional.of(new Seen(diagnosis, at, took)), Optional.empty(), Optional.empty());
    }

    Look failed(Trouble why) {
        return new Look(seen, Optional.empty(), Optional.of(why));
    }

    Look cancelled() {
        return new Look(seen, Optional.empty(), trouble);
    }

    boolean isGoing() {
        return now.isPresent();
    }
}
