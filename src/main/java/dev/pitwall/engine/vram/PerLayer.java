package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Optional;

/** Values that may be one number for all layers or an array by layer, with what llama.cpp takes where they are absent. */
final class PerLayer {

    /** What is put in place of an array that the answer hides. */
    enum Guess { LEAST, TYPICAL, MOST }

    private static final String HEADS = "attention.head_count";
    private static final String KV_HEADS = "attention.head_count_kv";
    private static final String FEED_FORWARD = "feed_forward_length";

    private final Metadata keys;
    private final ArchitectureRule rule;
    private final Guess guess;
    private final Remarks remarks;

    PerLayer(Metadata keys, ArchitectureRule rule, Guess guess, Remarks remarks) {
        this.keys = keys;
        this.rule = rule;
        this.guess = guess;
        this.remarks = remarks;
    }

    /** Heads of K and V. Absent: as many as heads. */
    long kvHeads(int layer, Layer.Reach reach) {
        if (keys.hidden(KV_HEADS) || (!keys.has(KV_HEADS) && keys.hidden(HEADS))) {
            remarks.add("heads of keys and values by layer are hidden in this answer (" + KV_HEADS + " is null); counted as in "
                    + "published models of this architecture. Ask with \"verbose\": true");
            return attendsTypically(layer) ? hiddenHeads(reach) : 0;
        }
        return at(KV_HEADS, layer).or(() -> at(HEADS, layer)).orElse(0L);
    }

    private long hiddenHeads(Layer.Reach reach) {
        long heads = keys.own(HEADS, rule.typical().kvHeads());
        return switch (guess) {
            case LEAST -> 1;
            case TYPICAL -> Math.min(heads, rule.typical().kvHeads(reach));
            case MOST -> heads;
        };
    }

    /** Spreads the share of attending layers evenly. */
    private boolean attendsTypically(int layer) {
        double share = switch (guess) {
            case LEAST -> rule.typical().attention() == 1 ? 1 : rule.typical().attention() / 2;
            case TYPICAL -> rule.typical().attention();
            case MOST -> Math.min(1, rule.typical().attention() * 2);
        };
        return Math.floor((layer + 1) * share) > Math.floor(layer * share);
    }

    /** Width of the feed-forward part; 0 = none. An array that is hidden says nothing: a layer without KV heads recurs. */
    long feedForward(int layer) {
        if (keys.hidden(FEED_FORWARD)) {
            remarks.add("feed_forward_length by layer is hidden in this answer; layers without attention are counted as recurrent. "
                    + "Ask with \"verbose\": true");
            return 0;
        }
        return at(FEED_FORWARD, layer).orElse(0L);
    }

    long keyLength(Layer.Reach reach) {
        return length("key_length", reach);
    }

    long valueLength(Layer.Reach reach) {
        return length("value_length", reach);
    }

    private long length(String key, Layer.Reach reach) {
        long full = keys.own("attention." + key).orElseGet(this::headWidth);
        return reach == Layer.Reach.WINDOW ? keys.own("attention." + key + "_swa", full) : full;
    }

    /** embedding_length over the heads of the first layer that has any. */
    private long headWidth() {
        long heads = switch (keys.ownValue(HEADS).orElse(null)) {
            case Metadata.Number(double one) -> Math.round(one);
            case Metadata.Numbers(List<Double> all) -> all.stream().mapToLong(Math::round).filter(h -> h > 0).findFirst().orElse(0);
            case null, default -> 0;
        };
        if (heads == 0 && keys.hidden(HEADS)) {
            remarks.add("the size of a head is not in this answer; counted as 128");
            return 128;
        }
        return heads == 0 ? 0 : keys.own("embedding_length", 0) / heads;
    }

    /** A flag by layer. */
    Optional<Boolean> flag(String key, int layer) {
        if (keys.hidden(key)) {
            remarks.add(key + " by layer is hidden in this answer; the architecture's usual layers were taken. Ask with \"verbose\": true");
        }
        return at(key, layer).map(v -> v != 0);
    }

    /** A number by layer. */
    Optional<Long> number(String key, int layer) {
        return at(key, layer);
    }

    private Optional<Long> at(String key, int layer) {
        return switch (keys.ownValue(key).orElse(null)) {
            case Metadata.Number(double one) -> Optional.of(Math.round(one));
            case Metadata.Numbers(List<Double> all) when layer < all.size() -> Optional.of(Math.round(all.get(layer)));
            case null, default -> Optional.empty();
        };
    }
}
