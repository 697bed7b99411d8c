package dev.pitwall.engine;

/**
 * A model server and the card it is bound to.
 *
 * @param id               its name, unique in a fleet
 * @param node             the node it runs on
 * @param vramMiB          memory of the card
 * @param reserveMiB       memory of the card the engine leaves alone
 * @param loadMiBPerSecond speed at which weights come in
 * @param maxParallel      requests a placement serves at once, at least 1
 */
public record ProviderSpec(String id, String node, double vramMiB, double reserveMiB, double loadMiBPerSecond,
                           int maxParallel) {

    /** Seconds a load takes besides the copying: process start and the first token. Source: simulation.md. */
    private static final double LOAD_START_SECONDS = 1;

    /** MiB that placements may take together. */
    public double capacityMiB() {
        return vramMiB - reserveMiB;
    }

    /** Seconds from the start of a load to a model that is ready. */
    public double loadSeconds(ModelSpec model) {
        return LOAD_START_SECONDS + model.weightsMiB() / loadMiBPerSecond;
    }

    /** MiB the model takes here. */
    public double needMiB(ModelSpec model) {
        return model.needMiB(maxParallel);
    }
}
