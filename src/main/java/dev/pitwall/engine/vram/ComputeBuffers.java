package dev.pitwall.engine.vram;

import java.util.stream.IntStream;

/**
 * Bytes of the buffers for intermediate values: a graph for one batch, whose memory is used again from layer to layer. Two
 * places of it can be the largest: the logits at the end, or attention. {@code docs/estimates.md} shows the fit.
 */
final class ComputeBuffers {
    private static final int F32 = 4;
    private static final int F16 = 2;

    private final Use use;
    private final Costs costs;

    ComputeBuffers(Use use, Costs costs) {
        this.use = use;
        this.costs = costs;
    }

    Amount of(ModelFacts model, ArchitectureRule rule, LayerPlan plan, PerLayer perLayer) {
        Metadata keys = model.keys();
        long width = keys.own("embedding_length", 0);
        long batch = use.tokensAtOnce();
        long layer = F32 * batch * layer(keys, width, perLayer);
        boolean encoder = rule.cache() == ArchitectureRule.Cache.NONE;
        long row = encoder ? 0 : F32 * model.vocabulary().orElse(0);
        long stream = F32 * batch * width;
        long attention = attention(keys, plan, encoder);
        return Amount.between(
                Math.max(row * Math.min(batch, use.parallel()) + stream + share(layer, costs.layerShare().low()), attention),
                Math.max(row * batch + stream + share(layer, costs.layerShare().likely()), attention + layer),
                Math.max(row * batch + stream, attention) + share(layer, costs.layerShare().high()));
    }

    /** Buffers that were counted without a vocabulary, with the logits of usual ones. */
    static Amount withLogits(Amount buffers, Use use) {
        long row = (long) F32 * use.tokensAtOnce();
        return new Amount(buffers.low(), buffers.likely() + row * UnknownArchitecture.VOCABULARY,
                buffers.high() + row * UnknownArchitecture.LARGE_VOCABULARY);
    }

    /** Intermediate values of one token in the widest layer: what goes up, and the stream beside it. */
    private static long layer(Metadata keys, long width, PerLayer perLayer) {
        long dense = IntStream.range(0, (int) keys.own("block_count", 0)).mapToLong(perLayer::feedForward).max().orElse(0);
        long used = keys.own("expert_used_count", 0);
        long experts = used * (2 * keys.own("expert_feed_forward_length", dense) + width);
        return used > 0 ? experts + width : 2 * (dense + width);
    }

    /** With flash attention its mask alone, else a row of weights for each head and token. */
    private long attention(Metadata keys, LayerPlan plan, boolean encoder) {
        if (plan.attending() == 0 && !encoder) {
            return 0;
        }
        long cells = encoder ? use.tokensAtOnce() : use.cells();
        long masks = F16 * cells * use.tokensAtOnce() + (plan.sliding() > 0 ? F16 * use.windowCells(plan.window()) * use.tokensAtOnce() : 0);
        return switch (use.attention()) {
            case ON -> masks;
            case OFF -> F32 * cells * use.tokensAtOnce() * Math.max(1, keys.own("attention.head_count", 1)) + masks;
        };
    }

    private static long share(long bytes, double share) {
        return Math.round(bytes * share);
    }
}
