package dev.pitwall.journey.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Spans;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/**
 * Waits for a machine that was rebooted. While it goes down and comes up, connections are refused, hang, or are answered by
 * others, and where the cluster's API runs on it, that does not answer either. A changed key or a refused login will not pass
 * by itself, and logins are not to be tried again and again.
 */
final class Return {
    private static final Set<Trouble.Kind> FINAL =
            EnumSet.of(Trouble.Kind.TRUST, Trouble.Kind.CREDENTIALS, Trouble.Kind.RIGHTS);

    private final String machine;
    private final Duration limit;
    private final Patience patience;

    Return(String machine, Duration limit, Patience patience) {
        this.machine = machine;
        this.limit = limit;
        this.patience = patience;
    }

    /** Tells whether the machine is back. */
    @FunctionalInterface
    interface Sign {
        boolean seen() throws TroubleException, InterruptedException;
    }

    /**
     * @param asked when it was asked to reboot
     * @return how long it was away
     */
    Duration await(Instant asked, Sign sign) throws TroubleException, InterruptedException {
        Patience.Looks looks = patience.looks();
        while (!seen(sign)) {
            if (patience.past(asked.plus(limit))) {
                throw Refusal.silent(machine, "it was rebooted and is not back after " + Spans.words(limit),
                        "Look at its console; go on with the run when it is up.");
            }
            looks.untilNext();
        }
        return Duration.between(asked, patience.now());
    }

    private static boolean seen(Sign sign) throws TroubleException, InterruptedException {
        try {
            return sign.seen();
        } catch (TroubleException e) {
            if (FINAL.contains(e.trouble().kind())) {
                throw e;
            }
            return false;
        }
    }
}
