package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Works out what a model needs of a card, by the rules of its architecture. */
public final class VramEstimator {
    private final Architectures architectures;
    private final Costs costs;
    private final WeightReader weights;
    private final ProjectorReader projectors;
    private final Vocabularies vocabularies;

    /** With the tables of this version. */
    public VramEstimator() {
        Quantisations quantisations = Quantisations.load();
        this.architectures = Architectures.load();
        this.costs = Costs.load();
        this.weights = new WeightReader(quantisations, costs);
        this.vocabularies = Vocabularies.load();
        this.projectors = new ProjectorReader(quantisations, costs);
    }

    /** As Ollama would load it when nothing is said: its own context where it names one, one slot, f16, flash attention. */
    public Use usual(ModelFacts model) {
        long named = model.stated().contextTokens().orElse(costs.contextDefault());
        long trained = model.keys().own("context_length", named);
        return new Use(Math.max(1, Math.min(named, trained)), costs.slotsDefault(), Use.Slots.EACH, CacheType.F16,
                Use.FlashAttention.ON, costs.tokensAtOnce());
    }

    public VramEstimate estimate(ModelFacts model, Use use) {
        Remarks remarks = new Remarks();
        model.remarks().forEach(remarks::add);
        if (model.stated().remoteHost().isPresent()) {
            remarks.add("this model runs at " + model.stated().remoteHost().get() + ": it needs no memory of a card here");
            return nothing(model, use, remarks);
        }
        return estimate(vocabularies.complete(model, remarks), use, remarks);
    }

    private VramEstimate estimate(ModelFacts model, Use use, Remarks remarks) {
        Optional<ArchitectureRule> known = architectures.rule(model.keys().architecture());
        ArchitectureRule rule = known.orElseGet(() -> UnknownArchitecture.rule(model.keys(), remarks));
        Optional<LayerPlan> plan = plan(model, rule, PerLayer.Guess.TYPICAL, remarks);
        if (plan.isEmpty()) {
            remarks.add("the number of layers is not told (block_count): no figure for the context");
        }
        int next = plan.map(LayerPlan::next).orElse(0);
        Optional<ContextMemory.Bytes> context = plan.map(p -> bytes(model, rule, p, use, remarks));
        Optional<Amount> read = weights.read(model, rule, next, remarks).map(Weights::card);
        PerLayer perLayer = new PerLayer(model.keys(), rule, PerLayer.Guess.TYPICAL, remarks);
        Optional<Amount> compute = plan.filter(p -> model.vocabulary().isPresent() || rule.cache() == ArchitectureRule.Cache.NONE)
                .map(p -> new ComputeBuffers(use, costs).of(model, rule, p, perLayer));
        return new VramEstimate(model.name(), model.keys().architecture(), use, read, host(model, rule, next),
                context.map(c -> margin(model, rule, known.isPresent(), use, c)), context.map(ContextMemory.Bytes::states),
                compute.isPresent() ? compute : plan.map(p -> unsized(model, rule, p, use, perLayer, remarks)),
                projectors.read(model, remarks), costs.driver(), notes(model, rule, plan, use, remarks));
    }

    private Optional<Amount> host(ModelFacts model, ArchitectureRule rule, int next) {
        return weights.read(model, rule, next, new Remarks()).filter(w -> model.vocabulary().isPresent()).map(Weights::host);
    }

    private VramEstimate nothing(ModelFacts model, Use use, Remarks remarks) {
        return new VramEstimate(model.name(), model.keys().architecture(), use, Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Amount.ZERO, remarks.list());
    }

    private static Optional<LayerPlan> plan(ModelFacts model, ArchitectureRule rule, PerLayer.Guess guess, Remarks remarks) {
        return new LayerReader(model.keys(), rule, guess, remarks).read();
    }

    private static ContextMemory.Bytes bytes(ModelFacts model, ArchitectureRule rule, LayerPlan plan, Use use, Remarks remarks) {
        ContextMemory memory = new ContextMemory(use);
        if (rule.cache() != ArchitectureRule.Cache.COMPRESSED) {
            return memory.of(plan);
        }
        PerLayer perLayer = new PerLayer(model.keys(), rule, PerLayer.Guess.TYPICAL, remarks);
        List<Integer> ratios = IntStream.range(0, plan.layers().size())
                .mapToObj(i -> perLayer.number("attention.compress_ratios", i).orElse(0L).intValue()).toList();
        if (ratios.stream().allMatch(r -> r == 0)) {
            remarks.add("the compression of each layer is not in this answer (attention.compress_ratios); counted as none, which is "
                    + "too little. Ask with \"verbose\": true");
        }
        return memory.compressed(model.keys(), plan.layers().size(), ratios);
    }

    /** Exact by the rule, unless the rule or an array had to be guessed. */
    private static Amount margin(ModelFacts model, ArchitectureRule rule, boolean known, Use use, ContextMemory.Bytes likely) {
        long low = guessed(model, rule, PerLayer.Guess.LEAST, use);
        long high = guessed(model, rule, PerLayer.Guess.MOST, use);
        if (!known) {
            return Amount.between(Math.min(low, likely.total() / 4), likely.total(), Math.max(high, likely.total() * 5 / 4));
        }
        boolean compressed = rule.cache() == ArchitectureRule.Cache.COMPRESSED;
        return compressed ? Amount.exactly(likely.total()) : Amount.between(low, likely.total(), high);
    }

    private static long guessed(ModelFacts model, ArchitectureRule rule, PerLayer.Guess guess, Use use) {
        return plan(model, rule, guess, new Remarks()).map(p -> new ContextMemory(use).of(p).total()).orElse(0L);
    }

    /** Without a vocabulary the logits cannot be sized: those of usual vocabularies are the limits. */
    private Amount unsized(ModelFacts model, ArchitectureRule rule, LayerPlan plan, Use use, PerLayer perLayer, Remarks remarks) {
        remarks.add("the size of the vocabulary is not told; compute buffers are counted for " + UnknownArchitecture.VOCABULARY + " tokens");
        Amount without = new ComputeBuffers(use, costs).of(model, rule, plan, perLayer);
        long row = 4L * use.tokensAtOnce();
        return new Amount(without.low(), without.likely() + row * UnknownArchitecture.VOCABULARY,
                without.high() + row * UnknownArchitecture.LARGE_VOCABULARY);
    }

    private static List<String> notes(ModelFacts model, ArchitectureRule rule, Optional<LayerPlan> plan, Use use, Remarks remarks) {
        plan.ifPresent(p -> new PlanNotes(model.keys(), rule, use).add(p, remarks));
        OptionalLong trained = model.keys().own("context_length");
        if (trained.isPresent() && use.contextTokens() > trained.getAsLong()) {
            remarks.add("the model was trained for " + trained.getAsLong() + " tokens: Ollama would load it with that context, "
                    + "llama-server with " + use.contextTokens() + " and a warning");
        }
        if (use.parallel() > 1 && rule.slots() == ArchitectureRule.Slots.ONE) {
            remarks.add("Ollama gives this architecture one slot, whatever OLLAMA_NUM_PARALLEL says");
        }
        return remarks.list();
    }
}
