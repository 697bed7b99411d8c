package dev.pitwall.engine.vram;

/**
 * How a model is to be loaded.
 *
 * @param contextTokens   what {@code slots} says of it
 * @param parallel        requests at once, at least 1
 * @param tokensAtOnce    of a batch that is computed in one go (n_ubatch)
 */
public record Use(long contextTokens, int parallel, Slots slots, CacheType cache, FlashAttention attention, int tokensAtOnce) {

    /** How slots share the context. */
    public enum Slots {
        /** Each slot has the whole context for itself: Ollama, which starts llama-server with context × slots. */
        EACH,
        /** The context is divided: llama-server with {@code --parallel}. */
        SPLIT,
        /** All slots use one cache: llama-server's unified cache, its default. */
        SHARED
    }

    /** Whether attention is computed without the whole matrix of weights (flash attention). */
    public enum FlashAttention { ON, OFF }

    private static final long STEP = 256;

    public Use {
        if (contextTokens < 1 || parallel < 1 || tokensAtOnce < 1) {
            throw new IllegalArgumentException("context, slots and batch are at least 1");
        }
    }

    /** Caches beside each other: one for each slot, or one for all. */
    public int streams() {
        return slots == Slots.SHARED ? 1 : parallel;
    }

    /** Cells of one stream: always a multiple of 256 (llama-context.cpp). */
    public long cells() {
        return padded(slots == Slots.SPLIT ? padded(contextTokens) / parallel : contextTokens);
    }

    /**
     * Cells of one stream in a layer that sees a window only: the window once for each slot in the stream, and a batch
     * (llama-kv-cache-iswa.cpp).
     */
    public long windowCells(long window) {
        return padded(Math.min(cells(), window * (slots == Slots.SHARED ? parallel : 1) + tokensAtOnce));
    }

    /** The next multiple of 256. */
    static long padded(long tokens) {
        return Math.ceilDiv(Math.max(tokens, 1), STEP) * STEP;
    }
}
