package dev.pitwall.engine.figure;

/** What is measured over time. */
public enum Figure {
    /** MiB of a card that are used, by whomever. */
    MEMORY,
    /** Of a card, 0 to 1. */
    UTILISATION,
    /** Of a card's core, degrees Celsius. */
    TEMPERATURE,
    /** Watts that a card draws. */
    POWER,
    /** Tokens a second that a model server makes, where it tells. */
    TOKENS
}
