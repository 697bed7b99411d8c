package dev.pitwall.journey;

import java.time.Duration;
import java.time.Instant;

/** Says how long something takes. */
public final class Spans {
    private Spans() {
    }

    /** For example {@code 40 s}, {@code 3 min}, {@code 2 min 31 s}. */
    public static String words(Duration time) {
        long seconds = time.toSeconds();
        if (seconds < 60) {
            return seconds + " s";
        }
        return seconds / 60 + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s");
    }

    /** How long something is over, in one unit: {@code 40 s ago}, {@code 3 min ago}, {@code 5 h ago}, {@code 2 days ago}. */
    public static String ago(Instant then, Instant now) {
        Duration age = then.isAfter(now) ? Duration.ZERO : Duration.between(then, now);
        return age.compareTo(Duration.ofDays(2)) >= 0 ? age.toDays() + " days ago"
                : age.compareTo(Duration.ofHours(2)) >= 0 ? age.toHours() + " h ago"
                : words(age.compareTo(Duration.ofMinutes(2)) >= 0 ? Duration.ofMinutes(age.toMinutes()) : age) + " ago";
    }
}
