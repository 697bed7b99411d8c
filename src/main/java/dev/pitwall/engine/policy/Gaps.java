package dev.pitwall.engine.policy;

/**
 * How long models are left alone between needs, and so how likely a need is after so long an idle time: a hazard that is
 * constant within each of a row of spans that grow. A model's own gaps count most; with few of them it is taken to be like
 * the others, at its own rate. So sessions (soon again or not for long), cycles (always after about as long) and steady
 * traffic (any time) are told apart without being told.
 */
final class Gaps {
    static final int SPANS = 30;
    private static final double FIRST_SECONDS = 2;
    private static final double GROWTH = 1.5;
    /** What a gap counts for after each further gap of the same model; of any model. */
    private static final double FADING = 0.99;
    private static final double POOL_FADING = 0.998;
    /** Gaps' worth of trust in what holds for all models; in that models are needed at random. */
    private static final double LIKE_OTHERS = 3;
    private static final double AT_RANDOM = 5;

    /** Where the spans begin, seconds; the last has no end. */
    static final double[] EDGES = edges();

    /** Bits of an age that are not looked at: all but one behind the point. */
    private static final int COARSE_BITS = 51;
    private static final long LEAST_BITS = Double.doubleToRawLongBits(1) >>> COARSE_BITS;
    /** The span of the least age with such bits: from there it is not far to the right one. */
    private static final int[] GUIDE = guide();

    private final double[][] ended;
    private final double[][] lived;
    private final double[] pooledEnded = new double[SPANS];
    private final double[] pooledExpected = new double[SPANS];

    Gaps(int models) {
        ended = new double[models][];
        lived = new double[models][];
    }

    private static double[] edges() {
        double[] edges = new double[SPANS + 1];
        for (int span = 1; span < SPANS; span++) {
            edges[span] = FIRST_SECONDS * Math.pow(GROWTH, span - 1);
        }
        edges[SPANS] = Double.POSITIVE_INFINITY;
        return edges;
    }

    /** In which span an age lies. */
    static int span(double age) {
        int span = GUIDE[(int) Math.clamp((Double.doubleToRawLongBits(age) >>> COARSE_BITS) - LEAST_BITS, 0, GUIDE.length - 1)];
        while (EDGES[span + 1] <= age) {
            span++;
        }
        return span;
    }

    private static int[] guide() {
        int[] guide = new int[2 * SPANS];
        int span = 0;
        for (int place = 1; place < guide.length; place++) {
            while (EDGES[span + 1] <= Double.longBitsToDouble(place + LEAST_BITS << COARSE_BITS)) {
                span++;
            }
            guide[place] = span;
        }
        return guide;
    }

    /**
     * A need ended a gap.
     *
     * @param rate the needs per second that were expected of the model
     */
    void add(int model, double seconds, double rate) {
        if (ended[model] == null) {
            ended[model] = new double[SPANS];
            lived[model] = new double[SPANS];
        }
        fade(ended[model], FADING);
        fade(lived[model], FADING);
        fade(pooledEnded, POOL_FADING);
        fade(pooledExpected, POOL_FADING);
        int last = span(seconds);
        for (int span = 0; span <= last; span++) {
            double within = Math.min(seconds, EDGES[span + 1]) - EDGES[span];
            lived[model][span] += within;
            pooledExpected[span] += within * rate;
        }
        ended[model][last]++;
        pooledEnded[last]++;
    }

    private static void fade(double[] values, double by) {
        for (int i = 0; i < values.length; i++) {
            values[i] *= by;
        }
    }

    /** How many needs are expected within so many seconds, of a model with that rate that was left alone for {@code idle} seconds. */
    double expected(int model, double rate, double idle, double seconds) {
        double sum = 0;
        for (int span = span(idle); span < SPANS && EDGES[span] < idle + seconds; span++) {
            double within = Math.min(idle + seconds, EDGES[span + 1]) - Math.max(idle, EDGES[span]);
            sum += within * hazard(model, rate, span);
        }
        return sum;
    }

    /** The hazard of a model with that rate within each span, needs per second. */
    double[] hazards(int model, double rate) {
        double[] hazards = new double[SPANS];
        for (int span = 0; span < SPANS; span++) {
            hazards[span] = hazard(model, rate, span);
        }
        return hazards;
    }

    private double hazard(int model, double rate, int span) {
        double like = (pooledEnded[span] + AT_RANDOM) / (pooledExpected[span] + AT_RANDOM);
        return ended[model] == null ? rate * like
                : (ended[model][span] + LIKE_OTHERS * like) / (lived[model][span] + LIKE_OTHERS / rate);
    }
}
