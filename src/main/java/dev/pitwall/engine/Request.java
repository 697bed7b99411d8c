package dev.pitwall.engine;

/**
 * One request for a model.
 *
 * @param at             seconds since the start of the clock
 * @param serviceSeconds how long it is in service once it is served
 */
public record Request(long id, int model, double at, double serviceSeconds) {
}
