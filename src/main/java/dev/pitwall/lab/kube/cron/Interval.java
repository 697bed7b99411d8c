package dev.pitwall.lab.kube.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The same time again and again, whole seconds: {@code @every 1h30m}. @param every at least one second */
record Interval(Duration every) implements Schedule {
    static final String PREFIX = "@every ";
    private static final Pattern DURATION = Pattern.compile("(?:[0-9]+(?:\\.[0-9]+)?(?:ns|us|µs|ms|s|m|h))+");
    private static final Pattern PART = Pattern.compile("([0-9.]+)(ns|us|µs|ms|s|m|h)");
    private static final Map<String, Double> NANOS = Map.of("ns", 1.0, "us", 1e3, "µs", 1e3, "ms", 1e6, "s", 1e9,
            "m", 6e10, "h", 3.6e12);

    static Interval parse(String text) throws ScheduleRefusal {
        String duration = text.substring(PREFIX.length());
        if (!DURATION.matcher(duration).matches()) {
            throw new ScheduleRefusal("failed to parse duration " + text + ": time: invalid duration \"" + duration + "\"");
        }
        double nanos = 0;
        Matcher part = PART.matcher(duration);
        while (part.find()) {
            nanos += Double.parseDouble(part.group(1)) * NANOS.get(part.group(2));
        }
        return new Interval(Duration.ofSeconds(Math.max(1, (long) (nanos / NANOS.get("s")))));
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return Optional.of(after.truncatedTo(ChronoUnit.SECONDS).plus(every));
    }
}
