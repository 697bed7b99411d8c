package dev.pitwall.engine.vram;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Reads what each layer of a model keeps, from its keys and its architecture's rule. */
final class LayerReader {
    private static final long SHARED_FROM = 20;
    private static final long ROUTER_HEADS = 1;

    private final Metadata keys;
    private final ArchitectureRule rule;
    private final Remarks remarks;
    private final PerLayer.Guess guess;
    private final PerLayer perLayer;
    private final StateValues states;

    /** @param guess where an answer hides arrays */
    LayerReader(Metadata keys, ArchitectureRule rule, PerLayer.Guess guess, Remarks remarks) {
        this.keys = keys;
        this.rule = rule;
        this.remarks = remarks;
        this.guess = guess;
        this.perLayer = new PerLayer(keys, rule, guess, remarks);
        this.states = new StateValues(keys, rule);
    }

    /** @return empty if the file does not say how many layers there are */
    Optional<LayerPlan> read() {
        return keys.own("block_count").isEmpty() ? Optional.empty() : Optional.of(plan((int) keys.own("block_count", 0)));
    }

    private LayerPlan plan(int stated) {
        int next = rule.nextn() == ArchitectureRule.NextToken.IGNORED ? 0 : (int) keys.own("nextn_predict_layers", 0);
        int trunk = stated - next;
        Windows windows = new Windows(keys, rule.slides(), stated, trunk, guess, remarks);
        List<Layer> layers = new ArrayList<>();
        for (int i = 0; i < stated; i++) {
            layers.add(layer(i, trunk, windows));
        }
        return new LayerPlan(repeated(layers), windows.tokens(), next);
    }

    private List<Layer> repeated(List<Layer> layers) {
        return switch (rule.layers()) {
            case STATED -> layers;
            case LOOPED -> LongStream.range(0, Math.max(1, keys.own("num_loops", 1))).boxed()
                    .flatMap(loop -> layers.stream()).toList();
            case ROUTER -> {
                List<Layer> more = new ArrayList<>(layers);
                more.add(new Layer(Layer.Reach.ALL, ROUTER_HEADS * perLayer.keyLength(Layer.Reach.ALL),
                        ROUTER_HEADS * perLayer.valueLength(Layer.Reach.ALL), 0, 0));
                yield more;
            }
        };
    }

    private Layer layer(int i, int trunk, Windows windows) {
        boolean beyond = i >= trunk;
        boolean recurrent = !beyond && recurs(i);
        long state = recurrent ? states.perLayer() : 0;
        if (!attends(i, beyond, recurrent)) {
            return new Layer(Layer.Reach.ALL, 0, 0, 0, state);
        }
        Layer.Reach reach = windows.reach(i);
        long heads = perLayer.kvHeads(i, reach);
        boolean latent = latent();
        return new Layer(reach, heads * perLayer.keyLength(reach), latent ? 0 : heads * perLayer.valueLength(reach),
                indexer(i, beyond, latent), state);
    }

    /** Multi-head latent attention keeps one K for all heads and no V (llama-kv-cache.cpp: is_mla). */
    private boolean latent() {
        return keys.own("attention.key_length_mla", 0) > 0 && keys.own("attention.value_length_mla", 0) > 0;
    }

    private boolean recurs(int i) {
        return switch (rule.recurrent()) {
            case NONE -> false;
            case ALL, BESIDE_ATTENTION -> true;
            case WITHOUT_KV_HEADS -> perLayer.kvHeads(i, Layer.Reach.ALL) == 0;
            case WITHOUT_KV_HEADS_AND_FFN -> perLayer.kvHeads(i, Layer.Reach.ALL) == 0 && perLayer.feedForward(i) == 0;
            case INTERVAL -> perLayer.flag("attention.recurrent_layers", i)
                    .orElseGet(() -> (i + 1) % Math.max(1, keys.own("full_attention_interval", rule.interval())) != 0);
        };
    }

    private boolean attends(int i, boolean beyond, boolean recurrent) {
        if (rule.cache() != ArchitectureRule.Cache.ATTENTION || !owns(i)
                || (beyond && rule.nextn() == ArchitectureRule.NextToken.UNCACHED)) {
            return false;
        }
        return switch (rule.recurrent()) {
            case NONE, BESIDE_ATTENTION -> true;
            case ALL -> false;
            case WITHOUT_KV_HEADS_AND_FFN -> !recurrent && perLayer.feedForward(i) == 0;
            case WITHOUT_KV_HEADS, INTERVAL -> !recurrent;
        };
    }

    private boolean owns(int i) {
        return switch (rule.owners()) {
            case ALL -> true;
            case FIRST_20 -> i < SHARED_FROM;
            case UNSHARED -> i < keys.own("block_count", 0) - keys.own("attention.shared_kv_layers", 0);
        };
    }

    /** An indexer has one head. Where K and V are kept apart, its cache has a V too (llama-kv-cache-msa.cpp). */
    private long indexer(int i, boolean beyond, boolean latent) {
        boolean has = !beyond && switch (rule.indexer()) {
            case NONE -> false;
            case EVERY_LAYER -> true;
            case TYPED -> perLayer.flag("attention.indexer.types", i).orElseGet(() -> IndexerLayers.full(keys, i));
            case AFTER_DENSE -> i >= keys.own("leading_dense_block_count", 0);
        };
        return has ? keys.own("attention.indexer.key_length", 0) + (latent ? 0 : perLayer.valueLength(Layer.Reach.ALL)) : 0;
    }
}
