package dev.pitwall.journey.run;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** One boot of a host. */
sealed interface Boot {

    /** As the journal keeps it. */
    String mark();

    /** True if this boot is a later one than that of the mark. */
    boolean after(String mark);

    /** @param id of {@code /proc/sys/kernel/random/boot_id}, another one at each boot */
    record Id(String id) implements Boot {
        @Override
        public String mark() {
            return "boot " + id;
        }

        @Override
        public boolean after(String mark) {
            return !mark.equals(mark());
        }
    }

    /** @param at by this computer's clock, from an uptime in whole seconds that took a moment to come */
    record Began(Instant at) implements Boot {
        private static final Duration BLUR = Duration.ofSeconds(30);

        @Override
        public String mark() {
            return "since " + at;
        }

        @Override
        public boolean after(String mark) {
            try {
                return at.isAfter(Instant.parse(mark.replaceFirst("^since ", "")).plus(BLUR));
            } catch (DateTimeParseException e) {
                return false;
            }
        }
    }
}
