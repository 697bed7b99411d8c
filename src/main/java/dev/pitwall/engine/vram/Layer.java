package dev.pitwall.engine.vram;

/**
 * What one layer keeps for a context.
 *
 * @param keys     values of K a cell; 0 = no cache
 * @param values   values of V a cell; 0 where K alone is kept
 * @param indexer  values a cell that an indexer keeps beside them
 * @param state    f32 values a sequence
 */
record Layer(Reach reach, long keys, long values, long indexer, long state) {

    /** How far back a layer looks. */
    enum Reach { ALL, WINDOW }

    static final Layer EMPTY = new Layer(Reach.ALL, 0, 0, 0, 0);
}
