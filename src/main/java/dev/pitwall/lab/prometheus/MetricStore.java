package dev.pitwall.lab.prometheus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Samples by series, in memory, for a limited time. Safe for use from several threads. */
final class MetricStore {
    /** The end of a series that is no longer there; a NaN with Prometheus' own bits. */
    static final double STALE = Double.longBitsToDouble(0x7ff0000000000002L);
    private static final long STALE_BITS = Double.doubleToRawLongBits(STALE);

    /** @param time milliseconds since 1970 */
    record Sample(long time, double value) {
        boolean isStale() {
            return Double.doubleToRawLongBits(value) == STALE_BITS;
        }
    }

    /** A series and some of its samples, oldest first. */
    record Series(Labels labels, List<Sample> samples) {
    }

    private static final class Column {
        private long[] times = new long[64];
        private double[] values = new double[64];
        private int from;
        private int to;

        void add(long time, double value) {
            if (to > from && times[to - 1] >= time) {
                return;
            }
            if (to == times.length) {
                grow();
            }
            times[to] = time;
            values[to++] = value;
        }

        private void grow() {
            int size = to - from;
            int capacity = size * 2 > times.length ? times.length * 2 : times.length;
            long[] newTimes = new long[capacity];
            double[] newValues = new double[capacity];
            System.arraycopy(times, from, newTimes, 0, size);
            System.arraycopy(values, from, newValues, 0, size);
            times = newTimes;
            values = newValues;
            from = 0;
            to = size;
        }

        void forget(long before) {
            while (from < to && times[from] < before) {
                from++;
            }
        }

        List<Sample> between(long start, long end) {
            List<Sample> samples = new ArrayList<>();
            int at = Arrays.binarySearch(times, from, to, start);
            for (int i = at < 0 ? -at - 1 : at; i < to && times[i] <= end; i++) {
                samples.add(new Sample(times[i], values[i]));
            }
            return samples;
        }
    }

    private final Map<Labels, Column> columns = new HashMap<>();
    private final long keepMillis;

    MetricStore(Duration keep) {
        this.keepMillis = keep.toMillis();
    }

    synchronized void add(Labels labels, long time, double value) {
        Column column = columns.computeIfAbsent(labels, l -> new Column());
        column.add(time, value);
        column.forget(time - keepMillis);
    }

    /** Drops series that have had no sample since a time. */
    synchronized void forget(long before) {
        columns.values().removeIf(c -> {
            c.forget(before);
            return c.from == c.to;
        });
    }

    /** Series that match, with their samples from {@code start} to {@code end}, both inclusive; none without samples. */
    synchronized List<Series> select(List<LabelMatcher> matchers, long start, long end) {
        List<Series> found = new ArrayList<>();
        columns.forEach((labels, column) -> {
            if (LabelMatcher.all(matchers, labels)) {
                List<Sample> samples = column.between(start, end);
                if (!samples.isEmpty()) {
                    found.add(new Series(labels, samples));
                }
            }
        });
        return found;
    }
}
