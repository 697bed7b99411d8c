package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
        ContextReader reader = new ContextReader(model.keys(), rule, known.isPresent(), use);
        Optional<LayerPlan> plan = reader.plan(remarks);
        MissingKeys missing = new MissingKeys(model.keys(), rule);
        missing.sayWhatIsMissing(plan, remarks);
        int next = plan.map(LayerPlan::next).orElse(0);
        Optional<ContextReader.Context> context = plan.filter(missing::enough).map(p -> reader.context(p, remarks));
        Optional<Amount> read = weights.read(model, rule, next, remarks).map(Weights::card);
        Optional<Amount> compute = plan.map(p -> compute(model, rule, p, use, remarks));
        Optional<Amount> projector = projectors.read(model, remarks);
        return new VramEstimate(model.name(), model.keys().architecture(), use, read, host(model, rule, next),
                context.map(ContextReader.Context::amount), context.map(ContextReader.Context::states), compute, projector,
                costs.driver(), model.flaws(), notes(model, rule, plan, use, remarks));
    }

    private Optional<Amount> host(ModelFacts model, ArchitectureRule rule, int next) {
        return weights.read(model, rule, next, new Remarks()).filter(w -> model.vocabulary().isPresent()).map(Weights::host);
    }

    private VramEstimate nothing(ModelFacts model, Use use, Remarks remarks) {
        return new VramEstimate(model.name(), model.keys().architecture(), use, Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Amount.ZERO, model.flaws(), remarks.list());
    }

    private Amount compute(ModelFacts model, ArchitectureRule rule, LayerPlan plan, Use use, Remarks remarks) {
        PerLayer perLayer = new PerLayer(model.keys(), rule, PerLayer.Guess.TYPICAL, remarks);
        Amount buffers = new ComputeBuffers(use, costs).of(model, rule, plan, perLayer);
        if (use.attention() == Use.FlashAttention.ON) {
            new FlashKernels(model.keys(), perLayer).missing(plan, rule.cache() == ArchitectureRule.Cache.NONE)
                    .ifPresent(heads -> remarks.add("CUDA has no flash attention for heads of " + heads
                            + (use.cache().quantised() ? "; with a quantised cache the processor computes attention, slowly"
                            : "; compute buffers are counted without it")));
        }
        if (model.vocabulary().isPresent() || rule.cache() == ArchitectureRule.Cache.NONE) {
            return buffers;
        }
        remarks.add("the size of the vocabulary is not told; compute buffers are counted for " + UnknownArchitecture.VOCABULARY + " tokens");
        return ComputeBuffers.withLogits(buffers, use);
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
