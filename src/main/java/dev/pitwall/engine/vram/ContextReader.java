package dev.pitwall.engine.vram;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Finds out how a model's layers keep a context, and how much that is; where an array is hidden, between which limits. */
final class ContextReader {
    /** Of an architecture whose rule is not known, the share that may be missing and the share that may be too much. */
    private static final double UNKNOWN_LOW = 0.25;
    private static final double UNKNOWN_HIGH = 1.25;
    private static final String RATIOS = "attention.compress_ratios";
    private static final int WEAK = 4;
    private static final int STRONG = 128;

    private final Metadata keys;
    private final ArchitectureRule rule;
    private final boolean known;
    private final Use use;

    /** @param known false if the rule was taken from the keys alone */
    ContextReader(Metadata keys, ArchitectureRule rule, boolean known, Use use) {
        this.keys = keys;
        this.rule = rule;
        this.known = known;
        this.use = use;
    }

    /**
     * @param amount keys, values and states
     * @param states of them
     */
    record Context(Amount amount, long states) {
    }

    Optional<LayerPlan> plan(Remarks remarks) {
        return plan(PerLayer.Guess.TYPICAL, remarks);
    }

    private Optional<LayerPlan> plan(PerLayer.Guess guess, Remarks remarks) {
        return new LayerReader(keys, rule, guess, remarks).read();
    }

    /** Exact by the rule, unless the rule or an array had to be guessed. */
    Context context(LayerPlan plan, Remarks remarks) {
        ContextMemory.Bytes likely = bytes(plan, PerLayer.Guess.TYPICAL);
        long low = guessed(PerLayer.Guess.LEAST);
        long high = guessed(PerLayer.Guess.MOST);
        if (rule.cache() == ArchitectureRule.Cache.COMPRESSED && !keys.has(RATIOS) || keys.hidden(RATIOS)) {
            remarks.add("the compression of each layer is not in this answer (" + RATIOS + "); counted as 4 and 128 by turns, as in "
                    + "published models. Ask with \"verbose\": true");
        }
        Amount amount = known ? Amount.between(low, likely.total(), high)
                : Amount.between(Math.min(low, share(likely, UNKNOWN_LOW)), likely.total(), Math.max(high, share(likely, UNKNOWN_HIGH)));
        return new Context(amount, likely.states());
    }

    private static long share(ContextMemory.Bytes bytes, double share) {
        return Math.round(bytes.total() * share);
    }

    private long guessed(PerLayer.Guess guess) {
        return plan(guess, new Remarks()).map(p -> bytes(p, guess).total()).orElse(0L);
    }

    private ContextMemory.Bytes bytes(LayerPlan plan, PerLayer.Guess guess) {
        ContextMemory memory = new ContextMemory(use);
        return rule.cache() == ArchitectureRule.Cache.COMPRESSED
                ? memory.compressed(keys, plan.layers().size(), ratios(plan.layers().size(), guess)) : memory.of(plan);
    }

    private List<Integer> ratios(int layers, PerLayer.Guess guess) {
        if (keys.has(RATIOS) && !keys.hidden(RATIOS)) {
            PerLayer perLayer = new PerLayer(keys, rule, guess, new Remarks());
            return IntStream.range(0, layers).mapToObj(i -> perLayer.number(RATIOS, i).orElse(0L).intValue()).toList();
        }
        return switch (guess) {
            case LEAST -> Collections.nCopies(layers, STRONG);
            case TYPICAL -> IntStream.range(0, layers).mapToObj(i -> i % 2 == 0 ? WEAK : STRONG).toList();
            case MOST -> Collections.nCopies(layers, WEAK);
        };
    }
}
