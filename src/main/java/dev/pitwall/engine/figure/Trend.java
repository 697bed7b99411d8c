package dev.pitwall.engine.figure;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A curve as it is drawn: bars of the same width, from {@code over} ago until now.
 *
 * @param bars  the means, the oldest first; NaN where nothing was measured
 * @param last  the newest value
 * @param least of all values
 * @param most  of all values
 */
public record Trend(Duration over, List<Double> bars, OptionalDouble last, OptionalDouble least, OptionalDouble most) {

    public Trend {
        bars = List.copyOf(bars);
    }

    /** Nothing was measured. */
    public static Trend nothing(Duration over, int bars) {
        return of(List.of(), Instant.EPOCH, over, bars);
    }

    /** @param points of one curve or of several that are alike, in any order; a point counts where it begins */
    public static Trend of(List<Point> points, Instant now, Duration over, int bars) {
        double[] sums = new double[bars];
        int[] counts = new int[bars];
        Instant from = now.minus(over);
        Instant newest = Instant.MIN;
        double last = Double.NaN;
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (Point point : points) {
            if (point.at().isBefore(from) || point.at().isAfter(now)) {
                continue;
            }
            int bar = (int) Math.min(bars - 1, Duration.between(from, point.at()).toMillis() * bars / over.toMillis());
            sums[bar] += point.mean();
            counts[bar]++;
            least = Math.min(least, point.least());
            most = Math.max(most, point.most());
            if (point.at().isAfter(newest)) {
                newest = point.at();
                last = point.mean();
            }
        }
        Double[] means = new Double[bars];
        Arrays.setAll(means, i -> counts[i] == 0 ? Double.NaN : sums[i] / counts[i]);
        return new Trend(over, List.of(means), present(last), present(least), present(most));
    }

    private static OptionalDouble present(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    public boolean isEmpty() {
        return last.isEmpty();
    }
}
