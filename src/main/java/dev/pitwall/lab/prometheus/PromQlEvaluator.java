package dev.pitwall.lab.prometheus;

import dev.pitwall.lab.prometheus.MetricStore.Sample;
import dev.pitwall.lab.prometheus.MetricStore.Series;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Works a query out at one instant. */
final class PromQlEvaluator {
    /** How old a sample may be to count as the present value: Prometheus' default. */
    private static final long LOOK_BACK = Duration.ofMinutes(5).toMillis();

    /** What a query gives. */
    sealed interface Result {
        record Scalar(double value) implements Result {
        }

        record Vector(Map<Labels, Double> values) implements Result {
        }

        record Matrix(List<Series> series) implements Result {
        }
    }

    private final MetricStore store;

    PromQlEvaluator(MetricStore store) {
        this.store = store;
    }

    /** @throws PromQlException if the types do not fit or two results would have the same labels */
    Result at(PromQl query, long time) throws PromQlException {
        return switch (query) {
            case PromQl.Number n -> new Result.Scalar(n.value());
            case PromQl.Selector s -> new Result.Vector(instant(s, time));
            case PromQl.Range r -> new Result.Matrix(range(r, time));
            case PromQl.OverTime o -> new Result.Vector(overTime(o, time));
            case PromQl.Timestamp t -> new Result.Vector(timestamp(t, time));
            case PromQl.Aggregate a -> new Result.Vector(aggregate(a, time));
            case PromQl.Binary b -> binary(b, time);
            case PromQl.Negative n -> binary(new PromQl.Binary("*", n.of(), new PromQl.Number(-1), false), time);
        };
    }

    private Map<Labels, Double> instant(PromQl.Selector s, long time) {
        Map<Labels, Double> values = new LinkedHashMap<>();
        latest(s, time).forEach((labels, sample) -> values.put(labels, sample.value()));
        return values;
    }

    private Map<Labels, Sample> latest(PromQl.Selector s, long time) {
        long when = time - s.offset();
        Map<Labels, Sample> samples = new LinkedHashMap<>();
        for (Series series : store.select(s.matchers(), when - LOOK_BACK + 1, when)) {
            Sample last = series.samples().getLast();
            if (!last.isStale()) {
                samples.put(series.labels(), last);
            }
        }
        return samples;
    }

    /** Of a plain selector the samples' own times; of anything computed the time of the computation. */
    private Map<Labels, Double> timestamp(PromQl.Timestamp t, long time) throws PromQlException {
        Map<Labels, Double> times = new LinkedHashMap<>();
        if (t.of() instanceof PromQl.Selector s) {
            latest(s, time).forEach((labels, sample) -> times.put(labels.withoutName(), sample.time() / 1000.0));
        } else {
            vector(t.of(), time, "call to function \"timestamp\"").keySet()
                    .forEach(labels -> times.put(labels.withoutName(), time / 1000.0));
        }
        return times;
    }

    private List<Series> range(PromQl.Range r, long time) {
        long when = time - r.selector().offset();
        List<Series> found = new ArrayList<>();
        for (Series series : store.select(r.selector().matchers(), when - r.range() + 1, when)) {
            List<Sample> live = series.samples().stream().filter(s -> !s.isStale()).toList();
            if (!live.isEmpty()) {
                found.add(new Series(series.labels(), live));
            }
        }
        return found;
    }

    private Map<Labels, Double> overTime(PromQl.OverTime o, long time) {
        Map<Labels, Double> values = new LinkedHashMap<>();
        for (Series series : range(o.range(), time)) {
            var numbers = series.samples().stream().mapToDouble(Sample::value).summaryStatistics();
            long end = time - o.range().selector().offset();
            Labels labels = o.function() == PromQl.Function.LAST_OVER_TIME ? series.labels()
                    : series.labels().withoutName();
            switch (o.function()) {
                case AVG_OVER_TIME -> values.put(labels, numbers.getAverage());
                case MAX_OVER_TIME -> values.put(labels, numbers.getMax());
                case MIN_OVER_TIME -> values.put(labels, numbers.getMin());
                case SUM_OVER_TIME -> values.put(labels, numbers.getSum());
                case COUNT_OVER_TIME -> values.put(labels, (double) numbers.getCount());
                case LAST_OVER_TIME -> values.put(labels, series.samples().getLast().value());
                case RATE, INCREASE, DELTA -> {
                    if (series.samples().size() > 1) {
                        values.put(labels, extrapolated(o.function(), series.samples(), o.range().range(), end));
                    }
                }
            }
        }
        return values;
    }

    /**
     * Prometheus' way: the change between the first and last sample, with counter resets added up, stretched to the
     * edges of the range as far as the sample spacing allows ({@code extrapolatedRate} in promql/functions.go).
     */
    private static double extrapolated(PromQl.Function function, List<Sample> samples, long range, long end) {
        boolean counter = function != PromQl.Function.DELTA;
        double change = samples.getLast().value() - samples.getFirst().value();
        for (int i = 1; counter && i < samples.size(); i++) {
            double before = samples.get(i - 1).value();
            change += samples.get(i).value() < before ? before : 0;
        }
        double sampled = (samples.getLast().time() - samples.getFirst().time()) / 1000.0;
        double spacing = sampled / (samples.size() - 1);
        double toStart = (samples.getFirst().time() - (end - range)) / 1000.0;
        double toEnd = (end - samples.getLast().time()) / 1000.0;
        double limit = spacing * 1.1;
        double start = toStart < limit ? toStart : spacing / 2;
        if (counter && change > 0 && samples.getFirst().value() >= 0) {
            start = Math.min(start, sampled * (samples.getFirst().value() / change));
        }
        double stretched = sampled + start + (toEnd < limit ? toEnd : spacing / 2);
        double result = change * (stretched / sampled);
        return function == PromQl.Function.RATE ? result / (range / 1000.0) : result;
    }

    private Map<Labels, Double> aggregate(PromQl.Aggregate a, long time) throws PromQlException {
        Map<Labels, double[]> groups = new LinkedHashMap<>();
        for (Map.Entry<Labels, Double> e : vector(a.of(), time, "aggregation expression").entrySet()) {
            Labels key = a.grouping() == PromQl.Aggregate.Grouping.BY ? e.getKey().only(a.labels())
                    : e.getKey().withoutName().without(a.labels());
            double v = e.getValue();
            double[] g = groups.computeIfAbsent(key, k -> new double[] {0, 0, Double.NaN, Double.NaN});
            g[0] += v;
            g[1]++;
            g[2] = Double.isNaN(g[2]) ? v : Math.min(g[2], v);
            g[3] = Double.isNaN(g[3]) ? v : Math.max(g[3], v);
        }
        Map<Labels, Double> values = new LinkedHashMap<>();
        groups.forEach((labels, g) -> values.put(labels, switch (a.operation()) {
            case SUM -> g[0];
            case COUNT -> g[1];
            case AVG -> g[0] / g[1];
            case MIN -> g[2];
            case MAX -> g[3];
        }));
        return values;
    }

    private Map<Labels, Double> vector(PromQl query, long time, String where) throws PromQlException {
        return switch (at(query, time)) {
            case Result.Vector v -> v.values();
            case Result.Scalar s -> throw new PromQlException("expected type instant vector in " + where
                    + ", got scalar");
            case Result.Matrix m -> throw new PromQlException("expected type instant vector in " + where
                    + ", got range vector");
        };
    }

    private Result binary(PromQl.Binary b, long time) throws PromQlException {
        Result left = at(b.left(), time);
        Result right = at(b.right(), time);
        if (left instanceof Result.Scalar l && right instanceof Result.Scalar r) {
            if (isComparison(b.operator()) && !b.keepsBool()) {
                throw new PromQlException("comparisons between scalars must use BOOL modifier");
            }
            return new Result.Scalar(compute(b.operator(), l.value(), r.value()));
        }
        Map<Labels, Double> values = new LinkedHashMap<>();
        if (left instanceof Result.Scalar l) {
            vector(b.right(), time, "binary expression").forEach((labels, v) ->
                    put(values, b, labels, l.value(), v, v));
        } else if (right instanceof Result.Scalar r) {
            vector(b.left(), time, "binary expression").forEach((labels, v) ->
                    put(values, b, labels, v, r.value(), v));
        } else {
            pairs(values, b, time);
        }
        return new Result.Vector(values);
    }

    /** One to one, on all labels but the name. */
    private void pairs(Map<Labels, Double> values, PromQl.Binary b, long time) throws PromQlException {
        Map<Labels, Double> byLabels = new LinkedHashMap<>();
        for (Map.Entry<Labels, Double> e : vector(b.right(), time, "binary expression").entrySet()) {
            if (byLabels.put(e.getKey().withoutName(), e.getValue()) != null) {
                throw new PromQlException("found duplicate series for the match group on the right hand-side of the "
                        + "operation; many-to-many matching not allowed: matching labels must be unique on one side");
            }
        }
        vector(b.left(), time, "binary expression").forEach((labels, v) -> {
            Double other = byLabels.get(labels.withoutName());
            if (other != null) {
                put(values, b, labels, v, other, v);
            }
        });
    }

    /** A comparison filters and keeps the value and name; arithmetic drops the name. */
    private static void put(Map<Labels, Double> values, PromQl.Binary b, Labels labels, double left, double right,
                            double kept) {
        double result = compute(b.operator(), left, right);
        if (!isComparison(b.operator()) || b.keepsBool()) {
            values.put(labels.withoutName(), result);
        } else if (result == 1) {
            values.put(labels, kept);
        }
    }

    private static boolean isComparison(String operator) {
        return "== != > < >= <=".contains(operator) && !operator.equals("=");
    }

    private static double compute(String operator, double a, double b) {
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> a / b;
            case "%" -> a % b;
            case "^" -> Math.pow(a, b);
            case "==" -> a == b ? 1 : 0;
            case "!=" -> a != b ? 1 : 0;
            case ">" -> a > b ? 1 : 0;
            case "<" -> a < b ? 1 : 0;
            case ">=" -> a >= b ? 1 : 0;
            default -> a <= b ? 1 : 0;
        };
    }
}
