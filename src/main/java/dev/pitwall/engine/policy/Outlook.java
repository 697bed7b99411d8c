package dev.pitwall.engine.policy;

import java.util.Arrays;

/**
 * How soon a model is needed again, as far as a decision can know: the hazard of its {@link Gaps}, summed up over the time
 * it is left alone, so that many draws from it and many looks at it cost little.
 */
final class Outlook {
    private static final double[] EDGES = Gaps.EDGES;

    private final double[] hazard;
    /** Needs that are expected until each edge. */
    private final double[] upTo;
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
    }

    /** How long it is left alone at the time of the decision, seconds. */
    double idleSeconds() {
        return idleSeconds;
    }

    /** How likely a need is within so many seconds, 0 to 1, after it was left alone for {@code age} seconds. */
    double likelihood(double age, double seconds) {
        return -Math.expm1(expected(age) - expected(age + seconds));
    }

    private double expected(double age) {
        int span = Gaps.span(age);
        return upTo[span] + (age - EDGES[span]) * hazard[span];
    }

    /** After how many seconds so many needs are expected, from an age on; without end if it may never be. */
    double until(double age, double needs) {
        double target = expected(age) + needs;
        int at = Arrays.binarySearch(upTo, target);
        int span = at >= 0 ? at : -at - 2;
        return hazard[span] <= 0 ? Double.POSITIVE_INFINITY : EDGES[span] + (target - upTo[span]) / hazard[span] - age;
    }
}
