package dev.pitwall.engine;

/**
 * A placement the engine must keep.
 *
 * @param model    index of the model in its fleet
 * @param provider index of the provider in its fleet
 */
public record Pin(int model, int provider) {
}
