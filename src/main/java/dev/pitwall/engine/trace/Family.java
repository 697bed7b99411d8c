package dev.pitwall.engine.trace;

/** Kinds of traffic and fleet that placement is judged on. Each is drawn by a {@link Scenario} seed. */
public enum Family {
    /** One conversation after another, each with one model; a few models are liked most. */
    CHAT("chat with sticky sessions"),
    /** What is liked changes within hours. */
    DRIFT("drifting popularity"),
    /** Some models are pinned. */
    PINS("pins"),
    /** Cards that hold one model, or two small ones. */
    SMALL("small cards"),
    /** Six cards of different size and speed. */
    MIXED("six mixed cards"),
    /** Models that take turns and do not fit together. */
    CYCLE("a cycle that does not fit"),
    /** Busy days, quiet nights with batches, bursts. */
    DAYS("days and nights"),
    /** Chat, and now and then a row of models that are asked for once. */
    SCANS("scans of once-only models");

    private final String text;

    Family(String text) {
        this.text = text;
    }

    /** For a table. */
    public String text() {
        return text;
    }
}
