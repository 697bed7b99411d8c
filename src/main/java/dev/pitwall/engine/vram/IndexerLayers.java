package dev.pitwall.engine.vram;

/** Which layers of GLM have an indexer of their own where the file does not list them (models/glm-dsa.cpp). */
final class IndexerLayers {
    private static final long LONG_CONTEXT = 1_048_576;
    private static final int FIRST = 2;
    private static final int PERIOD = 4;
    private static final int LISTED = 78;

    private IndexerLayers() {
    }

    /** GLM 5.1 and before: all. From 5.2, known by its context of 1,048,576: the first two, then one of four, up to layer 78. */
    static boolean full(Metadata keys, int layer) {
        if (keys.own("context_length", 0) < LONG_CONTEXT) {
            return true;
        }
        return layer < FIRST || (layer < LISTED && (layer - FIRST) % PERIOD == 0);
    }
}
