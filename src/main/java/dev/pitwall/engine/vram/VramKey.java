package dev.pitwall.engine.vram;

/**
 * Loads that take the same memory.
 *
 * @param digest        of the model's manifest or file, not its name: tags move
 * @param contextTokens of a slot
 * @param parallel      slots
 * @param card          its model, for example {@code NVIDIA RTX A1000}: buffers differ between kinds
 */
public record VramKey(String digest, long contextTokens, int parallel, CacheType cache, String card) {

    boolean sameModelOn(VramKey other) {
        return digest.equals(other.digest) && card.equals(other.card);
    }
}
