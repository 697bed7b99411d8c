package dev.pitwall.engine.policy;

/**
 * How soon a model is needed again, as far as a decision can know: the hazard of its {@link Gaps}, summed up over the time
 * it is left alone, so that many draws from it and many looks at it cost little.
 */
final class Outlook {
    private static final double[] EDGES = Gaps.EDGES;

    private static final int STEPS_A_NEED = 16;

    private final double[] hazard;
    /** Needs that are expected until each edge. */
    private final double[] upTo;
    /** In which span so many needs are reached, in steps: from there it is not far to the right one. */
    private final int[] guide = new int[STEPS_A_NEED * 4];
    private final double idleSeconds;

    /**
     * @param hazard      needs per second within each span of {@link Gaps}; all 0 if it may never be needed
     * @param idleSeconds how long it is left alone now
     */
    Outlook(double[] hazard, double idleSeconds) {
        this.hazard = hazard;
        this.idleSeconds = idleSeconds;
        upTo = new double[hazard.length];
        for (int span = 1; span < hazard.length; span++) {
            upTo[span] = upTo[span - 1] + hazard[span - 1] * (EDGES[span] - EDGES[span - 1]);
        }
        int span = 0;
        for (int step = 0; step < guide.length; step++) {
            while (span + 1 < upTo.length && upTo[span + 1] <= (double) step / STEPS_A_NEED) {
                span++;
            }
            guide[step] = span;
        }
    }

    /** How long it is left alone at the time of the decision, seconds. */
    double idleSeconds() {
        return idleSeconds;
    }

    /** How likely a need is within so many seconds, 0 to 1, after it was left alone for {@code age} seconds. */
    double likelihood(double age, double seconds) {
        return 1 - Math.exp(expected(age) - expected(age + seconds));
    }

    private double expected(double age) {
        int span = Gaps.span(age);
        return upTo[span] + (age - EDGES[span]) * hazard[span];
    }

    /** In how many seconds from the decision on so many needs are expected; without end if they may never be. */
    double next(double needs) {
        return gap(expected(idleSeconds) + needs) - idleSeconds;
    }

    /** How long it is left alone until so many needs are expected; without end if they may never be. */
    double gap(double needs) {
        int span = guide[(int) Math.min(guide.length - 1, needs * STEPS_A_NEED)];
        while (span + 1 < upTo.length && upTo[span + 1] <= needs) {
            span++;
        }
        return hazard[span] <= 0 ? Double.POSITIVE_INFINITY : EDGES[span] + (needs - upTo[span]) / hazard[span];
    }
}
