package dev.pitwall.engine;

/**
 * A model as the engine knows it before it is loaded.
 *
 * @param name            its name, unique in a fleet
 * @param weightsMiB      size of the weights
 * @param kvKiBPerToken   context memory of one token of one slot
 * @param contextTokens   length of the context of one slot
 * @param tokensPerSecond speed of the answer of one request; the prompt is read twenty times as fast
 */
public record ModelSpec(String name, double weightsMiB, double kvKiBPerToken, double contextTokens,
                        double tokensPerSecond) {

    private static final double PROMPT_SPEED = 20;
    private static final double KIB_PER_MIB = 1024;

    /** MiB of VRAM it takes with so many slots. */
    public double needMiB(int parallel) {
        return weightsMiB + kvKiBPerToken * contextTokens * parallel / KIB_PER_MIB;
    }

    /** Seconds one request is in service. */
    public double serviceSeconds(double promptTokens, double outputTokens) {
        return promptTokens / (PROMPT_SPEED * tokensPerSecond) + outputTokens / tokensPerSecond;
    }
}
