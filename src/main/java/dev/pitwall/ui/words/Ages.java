package dev.pitwall.ui.words;

import java.time.Duration;

/** Spans of time as the window writes them: short, with one unit, or two where it says how long something lasts. */
public final class Ages {

    private Ages() {
    }

    /** One unit, rounded down: {@code 4 s}, {@code 12 min}, {@code 2 h}, {@code 17 d}. Negative spans are 0 s. */
    public static String brief(Duration age) {
        long s = Math.max(0, age.toSeconds());
        if (s < 60) {
            return s + " s";
        }
        if (s < 3600) {
            return s / 60 + " min";
        }
        return s < 86_400 ? s / 3600 + " h" : s / 86_400 + " d";
    }

    /** Up to two units: {@code 40 s}, {@code 12 min}, {@code 1 h 52 min}, {@code 3 d 4 h}. */
    public static String full(Duration span) {
        long s = Math.max(0, span.toSeconds());
        if (s < 3600) {
            return brief(span);
        }
        return s < 86_400
                ? two(s / 3600, "h", s % 3600 / 60, "min")
                : two(s / 86_400, "d", s % 86_400 / 3600, "h");
    }

    /** How long something usually takes: {@code 40 s}, {@code 2 min}, {@code 1 min 30 s}, {@code 1 h 10 min}. */
    public static String span(Duration span) {
        long s = Math.max(0, span.toSeconds());
        return s < 60 ? s + " s" : s < 3600 ? two(s / 60, "min", s % 60, "s") : full(span);
    }

    /** How long something took, to the tenth of a second where it was short: {@code 0.1 s}, {@code 41 s}, {@code 2 min 31 s}. */
    public static String took(Duration span) {
        long millis = Math.max(0, span.toMillis());
        return millis < 10_000 ? (millis + 50) / 1000 + "." + (millis + 50) % 1000 / 100 + " s" : span(span);
    }

    private static String two(long big, String bigUnit, long small, String smallUnit) {
        return small == 0 ? big + " " + bigUnit : big + " " + bigUnit + " " + small + " " + smallUnit;
    }
}
