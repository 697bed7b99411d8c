package dev.pitwall.engine;

import java.util.List;

/**
 * Why a decision was made, as data.
 *
 * @param kind    what speaks for it
 * @param costs   what the decision costs and saves, in seconds
 * @param victims what is known of each placement that goes
 */
public record Reason(Kind kind, Costs costs, List<Going> victims) {

    /** What decided. */
    public enum Kind {
        /** There was room. */
        FITS,
        /** Others went that are needed less. */
        LESS_NEEDED,
        /** Waiting is cheaper than driving out what is in use. */
        WAIT_IS_CHEAPER,
        /** More requests wait than one placement can serve. */
        REPLICA
    }

    /**
     * Seconds a decision is expected to cost.
     *
     * @param load     the load itself
     * @param reload   later loads: the victims again, by the likelihood that they are needed; or, where ways were compared by
     *                 what follows from them, what this one costs beyond the one with least to follow
     * @param waiting  what those who wait lose
     */
    public record Costs(double load, double reload, double waiting) {
        public static final Costs NONE = new Costs(0, 0, 0);

        public double total() {
            return load + reload + waiting;
        }
    }

    /**
     * A placement that goes.
     *
     * @param idleSeconds     how long it has had nothing to do
     * @param expectedSeconds what its going is expected to cost
     */
    public record Going(String model, double idleSeconds, double expectedSeconds) {
        /** For example {@code evicts mistral:7b: idle 41 min, 0.3 s expected}. */
        public String sentence() {
            return "evicts %s: idle %s, %.1f s expected".formatted(model, idle(), expectedSeconds);
        }

        private String idle() {
            return idleSeconds < 120 ? Math.round(idleSeconds) + " s" : Math.round(idleSeconds / 60) + " min";
        }
    }

    public Reason {
        victims = List.copyOf(victims);
    }

    /** There was room. */
    public static Reason of(Kind kind) {
        return new Reason(kind, Costs.NONE, List.of());
    }
}
