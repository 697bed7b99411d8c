package dev.pitwall.engine.vram;

/**
 * What a load takes beside weights and context memory ({@code costs.yaml}).
 *
 * @param tokensAtOnce  n_ubatch where nothing is said
 * @param driver        a process's own memory on the card
 * @param layerShare    of a layer's intermediate values that lie beside the logits
 */
record Costs(int tokensAtOnce, int slotsDefault, long contextDefault, Amount driver, Shares layerShare, Margins weights,
             double projectorMargin) {

    record Shares(double low, double likely, double high) {
    }

    /** Shares of the weights, by what is known of them. */
    record Margins(double counted, double parameters, double size, double configuration) {
    }

    static Costs load() {
        return EngineData.yaml("costs.yaml", Costs.class);
    }
}
