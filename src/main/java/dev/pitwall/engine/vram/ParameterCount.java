package dev.pitwall.engine.vram;

import java.util.stream.IntStream;

/** Weights of a model counted from its configuration: matrices only, which are nearly all of it. */
final class ParameterCount {
    private static final long USUAL_WIDENING = 4;

    private final Metadata keys;
    private final ArchitectureRule rule;
    private final PerLayer perLayer;
    private final StateValues states;

    ParameterCount(Metadata keys, ArchitectureRule rule, PerLayer perLayer) {
        this.keys = keys;
        this.rule = rule;
        this.perLayer = perLayer;
        this.states = new StateValues(keys, rule);
    }

    /** Weights of all layers, without token embedding and output. */
    LayerWeights layers() {
        return IntStream.range(0, (int) keys.own("block_count", 0)).mapToObj(i -> new LayerWeights(layer(i), down(i)))
                .reduce(new LayerWeights(0, 0), LayerWeights::plus);
    }

    /** A file that does not tell the width has it by array or not at all: four times the model's is usual. */
    private long dense(int i) {
        boolean told = keys.has("feed_forward_length") || keys.own("expert_count", 0) > 0
                || rule.recurrent() == ArchitectureRule.Recurrent.ALL;
        return told ? perLayer.feedForward(i) : USUAL_WIDENING * keys.own("embedding_length", 0);
    }

    /** The row of the feed-forward part's last matrix. */
    long row() {
        long dense = IntStream.range(0, (int) keys.own("block_count", 0)).mapToLong(this::dense).max().orElse(0);
        return keys.own("expert_count", 0) > 0 ? keys.own("expert_feed_forward_length", dense) : dense;
    }

    private long down(int i) {
        return feedForward(i) / matrices();
    }

    private long layer(int i) {
        long kvHeads = perLayer.kvHeads(i, Layer.Reach.ALL);
        return switch (rule.recurrent()) {
            case NONE -> attention(kvHeads) + feedForward(i);
            case ALL -> mixer() + feedForward(i);
            case BESIDE_ATTENTION -> attention(kvHeads) + mixer() + feedForward(i);
            case WITHOUT_KV_HEADS -> (kvHeads == 0 ? mixer() : attention(kvHeads)) + feedForward(i);
            case WITHOUT_KV_HEADS_AND_FFN -> perLayer.feedForward(i) > 0 ? feedForward(i)
                    : kvHeads == 0 ? mixer() : attention(kvHeads);
            case INTERVAL -> ((i + 1) % Math.max(1, keys.own("full_attention_interval", rule.interval())) == 0
                    ? attention(kvHeads) : mixer()) + feedForward(i);
        };
    }

    private long attention(long kvHeads) {
        long width = keys.own("embedding_length", 0);
        long heads = keys.own("attention.head_count", kvHeads);
        long latent = keys.own("attention.kv_lora_rank", 0);
        long key = keys.own("attention.key_length_mla", perLayer.keyLength(Layer.Reach.ALL));
        long value = keys.own("attention.value_length_mla", perLayer.valueLength(Layer.Reach.ALL));
        if (kvHeads == 0) {
            return 0;
        }
        if (latent == 0) {
            return width * heads * key + width * kvHeads * (key + value) + heads * value * width;
        }
        long rotary = keys.own("rope.dimension_count", 0);
        long query = keys.own("attention.q_lora_rank", 0);
        return (query > 0 ? width * query + query * heads * key : width * heads * key)
                + width * (latent + rotary) + latent * heads * (key - rotary + value) + heads * value * width;
    }

    /** What a recurrent layer has for attention: into the inner width, and back. */
    private long mixer() {
        long width = keys.own("embedding_length", 0);
        long inner = keys.own("ssm.inner_size", 0);
        if (inner > 0) {
            long state = keys.own("ssm.group_count", 1) * keys.own("ssm.state_size", 0);
            return width * (2 * inner + 2 * state + keys.own("ssm.time_step_rank", 0)) + inner * width;
        }
        return states.perLayer() == 0 ? 0 : 4 * width * width;
    }

    private long matrices() {
        return rule.ffn() == ArchitectureRule.FeedForward.GATED ? 3 : 2;
    }

    private long feedForward(int i) {
        long width = keys.own("embedding_length", 0);
        long experts = keys.own("expert_count", 0);
        long dense = dense(i);
        if (experts == 0 || i < keys.own("leading_dense_block_count", 0)) {
            return matrices() * width * dense;
        }
        long expert = keys.own("expert_feed_forward_length", dense);
        long shared = keys.own("expert_shared_feed_forward_length", keys.own("expert_shared_count", 0) * expert);
        return matrices() * width * (experts * expert + shared) + width * experts;
    }
}
