package dev.pitwall.engine.vram;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.Objects;
import java.util.Optional;

/**
 * How one architecture allocates context memory ({@code architectures.yaml}, which says what each value means). A value
 * that the table leaves out is the ordinary one.
 */
record ArchitectureRule(Cache cache, SlidingRule sliding, Recurrent recurrent, Integer interval, Groups groups, NextToken nextn,
                        Owners owners, Indexer indexer, Tied tied, FeedForward ffn, Slots slots, Layers layers,
                        Typical typical, Integer layerInput) {

    static final ArchitectureRule ORDINARY = new ArchitectureRule(null, null, null, null, null, null, null, null, null, null,
            null, null, null, null);

    enum Cache {
        @JsonProperty("attention") ATTENTION, @JsonProperty("none") NONE, @JsonProperty("compressed") COMPRESSED,
        @JsonProperty("borrowed") BORROWED
    }

    enum Recurrent {
        @JsonProperty("none") NONE, @JsonProperty("all") ALL, @JsonProperty("without-kv-heads") WITHOUT_KV_HEADS,
        @JsonProperty("without-kv-heads-and-ffn") WITHOUT_KV_HEADS_AND_FFN, @JsonProperty("interval") INTERVAL,
        @JsonProperty("beside-attention") BESIDE_ATTENTION
    }

    enum Groups { @JsonProperty("counted") COUNTED, @JsonProperty("ignored") IGNORED }

    enum NextToken { @JsonProperty("ignored") IGNORED, @JsonProperty("cached") CACHED, @JsonProperty("uncached") UNCACHED }

    enum Owners { @JsonProperty("all") ALL, @JsonProperty("first-20") FIRST_20, @JsonProperty("unshared") UNSHARED }

    enum Indexer {
        @JsonProperty("none") NONE, @JsonProperty("every-layer") EVERY_LAYER, @JsonProperty("typed") TYPED,
        @JsonProperty("after-dense") AFTER_DENSE
    }

    enum Tied { @JsonProperty("unknown") UNKNOWN, @JsonProperty("always") ALWAYS, @JsonProperty("never") NEVER }

    enum FeedForward { @JsonProperty("gated") GATED, @JsonProperty("plain") PLAIN }

    enum Slots { @JsonProperty("any") ANY, @JsonProperty("one") ONE }

    /** How the layers of the file become layers of the cache: as they are, run several times, or with a router's behind them. */
    enum Layers { @JsonProperty("stated") STATED, @JsonProperty("looped") LOOPED, @JsonProperty("router") ROUTER }

    /**
     * What public models of the kind have.
     *
     * @param attention share of layers that attend
     * @param kvHeads   of those
     * @param allHeads  of layers that see everything, where it differs; 0 = it does not
     */
    record Typical(double attention, int kvHeads, int allHeads) {
        int kvHeads(Layer.Reach reach) {
            return reach == Layer.Reach.ALL && allHeads > 0 ? allHeads : kvHeads;
        }
    }

    ArchitectureRule {
        cache = Objects.requireNonNullElse(cache, Cache.ATTENTION);
        recurrent = Objects.requireNonNullElse(recurrent, Recurrent.NONE);
        interval = Objects.requireNonNullElse(interval, 0);
        groups = Objects.requireNonNullElse(groups, Groups.COUNTED);
        nextn = Objects.requireNonNullElse(nextn, NextToken.IGNORED);
        owners = Objects.requireNonNullElse(owners, Owners.ALL);
        indexer = Objects.requireNonNullElse(indexer, Indexer.NONE);
        tied = Objects.requireNonNullElse(tied, Tied.UNKNOWN);
        ffn = Objects.requireNonNullElse(ffn, FeedForward.GATED);
        slots = Objects.requireNonNullElse(slots, Slots.ANY);
        layers = Objects.requireNonNullElse(layers, Layers.STATED);
        layerInput = Objects.requireNonNullElse(layerInput, 0);
        typical = Objects.requireNonNullElse(typical, new Typical(1, 8, 0));
    }

    Optional<SlidingRule> slides() {
        return Optional.ofNullable(sliding);
    }

    ArchitectureRule with(SlidingRule other) {
        return new ArchitectureRule(cache, other, recurrent, interval, groups, nextn, owners, indexer, tied, ffn, slots, layers,
                typical, layerInput);
    }

    ArchitectureRule with(Recurrent other, int everyth) {
        return new ArchitectureRule(cache, sliding, other, everyth, groups, nextn, owners, indexer, tied, ffn, slots, layers,
                typical, layerInput);
    }
}
