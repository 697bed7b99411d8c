package dev.pitwall.lab.prometheus;

import java.util.List;
import java.util.Set;

/** A query as a tree. Times are in milliseconds. */
sealed interface PromQl {

    record Number(double value) implements PromQl {
    }

    /** @param offset how far back it looks */
    record Selector(List<LabelMatcher> matchers, long offset) implements PromQl {
    }

    record Range(Selector selector, long range) implements PromQl {
    }

    /** A function over a range vector. */
    record OverTime(Function function, Range range) implements PromQl {
    }

    enum Function {
        RATE, INCREASE, DELTA, AVG_OVER_TIME, MAX_OVER_TIME, MIN_OVER_TIME, SUM_OVER_TIME, COUNT_OVER_TIME, LAST_OVER_TIME
    }

    /** {@code timestamp()}: when each sample was taken, in seconds. */
    record Timestamp(PromQl of) implements PromQl {
    }

    record Aggregate(Operation operation, Grouping grouping, Set<String> labels, PromQl of) implements PromQl {
        enum Operation { SUM, MAX, AVG, MIN, COUNT }

        enum Grouping { BY, WITHOUT }
    }

    /** @param keepsBool with {@code bool}: 0 or 1 instead of a filter */
    record Binary(String operator, PromQl left, PromQl right, boolean keepsBool) implements PromQl {
    }

    record Negative(PromQl of) implements PromQl {
    }
}
