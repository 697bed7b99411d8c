package dev.pitwall.engine.vram;

/**
 * How a whole file is quantised.
 *
 * @param id         {@code general.file_type}
 * @param bits       a weight of the layers, on average
 * @param down       of those in the feed-forward part's last matrix
 * @param ragged     instead, where a row is not made of whole blocks of 256; {@code raggedDown} in that matrix
 * @param embedding  of the token embedding
 * @param output     of the output, and of an embedding that is the output too
 */
record FileType(int id, String name, double bits, double down, double ragged, double raggedDown, TensorType embedding,
                TensorType output) {
    private static final int BLOCK = 256;
    private static final double BYTE = 8;

    /** Bytes of the layers' weights. */
    long bytes(LayerWeights weights, Row row) {
        double bitsOfAll = bits * weights.total();
        double rest = weights.total() == 0 ? 0 : (bits - down * weights.down() / weights.total())
                / (1 - (double) weights.down() / weights.total());
        if (row.feedForward() % BLOCK != 0) {
            bitsOfAll += weights.down() * Math.max(0, raggedDown - down);
        }
        if (row.width() % BLOCK != 0) {
            bitsOfAll += (weights.total() - weights.down()) * Math.max(0, ragged - rest);
        }
        return Math.round(bitsOfAll / BYTE);
    }

    /** @param width of the model, which is a row of most matrices; @param feedForward a row of the last one */
    record Row(long width, long feedForward) {
    }
}
