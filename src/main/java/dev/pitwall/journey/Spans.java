package dev.pitwall.journey;

import java.time.Duration;

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
}
