package dev.pitwall.engine.vram;

/**
 * Numbers of weights in all layers.
 *
 * @param down of them in the last matrices of the feed-forward parts, which files quantise less
 */
record LayerWeights(long total, long down) {

    LayerWeights plus(LayerWeights other) {
        return new LayerWeights(total + other.total, down + other.down);
    }

    /** The same mixture, another number of weights. */
    LayerWeights scaled(long toTotal) {
        return new LayerWeights(toTotal, total == 0 ? 0 : Math.round((double) down / total * toTotal));
    }
}
