package dev.pitwall.engine.vram;

import java.util.stream.IntStream;

/**
 * Bytes of the buffers for intermediate values: a graph for one batch, whose memory is used again from layer to layer. Two
 * places of it can be the largest: the logits at the end, or attention. {@code docs/estimates.md} shows the fit.
 */
final class ComputeBuffers {
    private static final int F32 = 4;
    private static final int F16 = 2;

    /** Streams that are kept beside keys and values while these are unpacked. */
    private static final int BESIDE_UNPACKED = 4;

    /** Copies of keys and values that may lie beside the weights of attention. */
    private static final double BESIDE_WEIGHTS = 0.15;

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
        FlashKernels kernels = new FlashKernels(keys, perLayer);
        boolean kernel = kernels.missing(plan, encoder).isEmpty();
        // A quantised cache needs flash attention: where the card has none, the processor computes it.
        boolean flash = use.attention() == Use.FlashAttention.ON && (kernel || use.cache().quantised());
        long attention = attention(plan, encoder, flash ? 0 : kernels.heads());
        long unpacked = flash && kernel && use.cache().quantised()
                ? attention + unpacked(plan) + BESIDE_UNPACKED * stream : 0;
        long most = attention + stream + (flash ? 0 : share(attention, BESIDE_WEIGHTS));
        return Amount.between(
                Math.max(row * Math.min(batch, use.parallel()) + stream + share(layer, costs.layerShare().low()), attention),
                Math.max(unpacked, Math.max(row * batch + stream + share(layer, costs.layerShare().likely()),
                        attention + share(layer, costs.layerShare().high()))),
                Math.max(unpacked, Math.max(row * batch + stream, most)) + share(layer, costs.layerShare().high()));
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

    /** Flash attention of CUDA reads f16 alone: one layer's keys and values are unpacked for it. */
    private long unpacked(LayerPlan plan) {
        return plan.layers().stream().mapToLong(layer -> F16 * use.streams() * (layer.keys() + layer.values())
                * (layer.reach() == Layer.Reach.WINDOW ? use.windowCells(plan.window()) : use.cells())).max().orElse(0);
    }

    /** @param heads whose weights are kept, a row for each head and token; 0 with flash attention, which has its mask alone */
    private long attention(LayerPlan plan, boolean encoder, long heads) {
        if (plan.attending() == 0 && !encoder) {
            return 0;
        }
        long cells = encoder ? use.tokensAtOnce() : use.cells();
        long masks = F16 * cells * use.tokensAtOnce() + (plan.sliding() > 0 ? F16 * use.windowCells(plan.window()) * use.tokensAtOnce() : 0);
        return F32 * cells * use.tokensAtOnce() * heads + masks;
    }

    private static long share(long bytes, double share) {
        return Math.round(bytes * share);
    }
}
