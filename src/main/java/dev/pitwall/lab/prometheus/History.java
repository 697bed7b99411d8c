package dev.pitwall.lab.prometheus;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An hour of telemetry before the lab began. <strong>It is made up</strong> from the cards as they are at the start,
 * so that a chart that is opened at once is not empty: spells of work for cards that have a model server, idling for
 * the others, ending in the present figures. The same card always has the same past.
 */
final class History {
    static final Duration LENGTH = Duration.ofHours(1);
    private static final double IDLE_SHARE = 0.12;

    private History() {
    }

    /** A card's figures at a moment of the past. */
    record Past(long time, CardSample sample) {
    }

    /** @param busy whether the card is worked with; @param powerLimit in watts */
    static List<Past> of(CardSample now, Instant until, Duration step, boolean busy, double powerLimit) {
        List<Past> past = new ArrayList<>();
        long end = until.toEpochMilli();
        double energy = now.energy();
        double temperature = now.temperature();
        for (long t = end - step.toMillis(); t >= end - LENGTH.toMillis(); t -= step.toMillis()) {
            double age = (end - t) / 1000.0;
            double load = busy ? load(now.uuid().hashCode(), t / 1000.0) : 0;
            // The last minute glides into the present.
            double share = Math.min(1, age / 60);
            double utilization = mix(now.utilization(), 97 * load, share);
            double power = mix(now.power(), powerLimit * (IDLE_SHARE + (0.94 - IDLE_SHARE) * load), share);
            temperature += (31 + 35 * load - temperature) * 0.12;
            energy = Math.max(0, energy - power * step.toSeconds() * 1000);
            past.add(new Past(t, new CardSample(now.id(), now.index(), now.uuid(), now.busId(), now.product(),
                    mix(now.smClock(), 210 + 1250 * load, share), now.memoryClock(), Math.round(temperature), power,
                    energy, Math.round(utilization), now.memoryFree(), now.memoryUsed(), now.memoryReserved(), 0,
                    false)));
        }
        return past.reversed();
    }

    private static double mix(double now, double then, double share) {
        return now * (1 - share) + then * share;
    }

    /** Work in spells: two slow waves decide whether there is any, a fast one how much. */
    private static double load(int seed, double seconds) {
        double phase = (seed & 0xffff) / 1000.0;
        double spell = Math.sin(seconds / 210 + phase) + 0.7 * Math.sin(seconds / 97 + 2.3 * phase);
        return spell < 0.35 ? 0 : Math.min(1, 0.72 + 0.28 * Math.sin(seconds / 11 + phase));
    }
}
