package dev.pitwall.engine.vram;

import java.util.List;

/**
 * Bytes of the context memory of a model's layers (llama-kv-cache.cpp, llama-memory-recurrent.cpp): keys and values by cell, and
 * the states of recurrent layers by sequence.
 */
final class ContextMemory {
    private static final int F32 = 4;
    private static final int COMPRESSED = 4;
    private static final int STRONGLY_COMPRESSED = 128;

    private final Use use;

    ContextMemory(Use use) {
        this.use = use;
    }

    /**
     * @param cache  keys, values and indexers
     * @param states of recurrent layers
     */
    record Bytes(long cache, long states) {
        long total() {
            return cache + states;
        }
    }

    Bytes of(LayerPlan plan) {
        long widest = plan.layers().stream().mapToLong(Layer::values).max().orElse(0);
        long cache = plan.layers().stream().mapToLong(l -> cells(plan, l) * perCell(l, widest)).sum();
        long states = plan.layers().stream().mapToLong(Layer::state).sum() * F32 * use.parallel();
        return new Bytes(cache, states);
    }

    private long cells(LayerPlan plan, Layer layer) {
        return use.streams() * (layer.reach() == Layer.Reach.WINDOW ? use.windowCells(plan.window()) : use.cells());
    }

    /** Without flash attention V is kept transposed, and every layer's is as wide as the widest. */
    private long perCell(Layer layer, long widest) {
        long values = use.attention() == Use.FlashAttention.OFF && layer.values() > 0 ? widest : layer.values();
        return use.cache().bytes(layer.keys()) + use.cache().bytes(values) + use.cache().bytes(layer.indexer());
    }

    /**
     * DeepSeek 4 (llama-kv-cache-dsv4.cpp): K of a window in all layers; on layers with a ratio of 4 or 128 one compressed K for
     * so many cells, with an indexer's on those of 4; and what the compressors carry over, in f32. Each slot has its own.
     */
    Bytes compressed(Metadata keys, int layers, List<Integer> ratios) {
        long head = keys.own("attention.key_length", 0);
        long wide = head * keys.own("attention.head_count_kv", 1);
        long indexer = keys.own("attention.indexer.key_length", 0);
        long window = Use.padded(Math.min(use.cells(), keys.own("attention.sliding_window", 0) + use.tokensAtOnce()));
        long weak = ratios.stream().filter(r -> r == COMPRESSED).count();
        long strong = ratios.stream().filter(r -> r == STRONGLY_COMPRESSED).count();
        long cache = layers * window * use.cache().bytes(wide)
                + weak * fewer(COMPRESSED) * (use.cache().bytes(wide) + use.cache().bytes(indexer))
                + strong * fewer(STRONGLY_COMPRESSED) * use.cache().bytes(wide);
        long states = weak * state(2 * COMPRESSED, 2 * head) + weak * state(2 * COMPRESSED, 2 * indexer)
                + strong * state(STRONGLY_COMPRESSED, head);
        return new Bytes(cache * use.parallel(), states * use.parallel());
    }

    private long fewer(int ratio) {
        return Use.padded(Math.ceilDiv(use.cells(), ratio));
    }

    /** Keys and scores of so many rows. */
    private static long state(long rows, long width) {
        return 2 * rows * width * F32;
    }
}
