package dev.pitwall.engine.live;

/** Who decides. */
public enum Mode {
    /** The policy does what it decides. */
    AUTOMATIC,
    /** The policy says what it would do; a person does it. */
    SUGGEST,
    /** The policy is silent; pins are kept all the same. */
    MANUAL
}
