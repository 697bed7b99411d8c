package dev.pitwall.lab.kube.api;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Ages as kubectl shows them: {@code 45s}, {@code 3m20s}, {@code 5h}, {@code 12d}. */
final class Ages {
    private static final int MINUTE = 60;
    private static final int HOUR = 3600;
    private static final int DAY = 86_400;
    private static final int YEAR = 365 * DAY;

    private Ages() {
    }

    /** @param timestamp RFC 3339; anything else gives {@code <unknown>} */
    static String since(String timestamp, Instant now) {
        try {
            return text(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeException e) {
            return "<unknown>";
        }
    }

    /** The steps of {@code HumanDuration} in k8s.io/apimachinery's duration package. */
    static String text(Duration age) {
        long s = Math.max(0, age.toSeconds());
        if (s < 2 * MINUTE) {
            return s + "s";
        }
        if (s < 10 * MINUTE) {
            return two(s, MINUTE, "m", 1, "s");
        }
        if (s < 3 * HOUR) {
            return s / MINUTE + "m";
        }
        if (s < 8 * HOUR) {
            return two(s, HOUR, "h", MINUTE, "m");
        }
        if (s < 2 * DAY) {
            return s / HOUR + "h";
        }
        if (s < 8 * DAY) {
            return two(s, DAY, "d", HOUR, "h");
        }
        if (s < 2L * YEAR) {
            return s / DAY + "d";
        }
        return s < 8L * YEAR ? two(s, YEAR, "y", DAY, "d") : s / YEAR + "y";
    }

    private static String two(long seconds, long big, String bigName, long small, String smallName) {
        long rest = seconds % big / small;
        return rest == 0 ? seconds / big + bigName : seconds / big + bigName + rest + smallName;
    }
}
