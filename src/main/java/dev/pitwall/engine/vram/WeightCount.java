package dev.pitwall.engine.vram;

import java.util.Optional;
import java.util.OptionalLong;

/** How many weights a model has, where its tensors are not listed. */
final class WeightCount {
    /** Where nothing tells whether the output is the embedding, small models have it so (Qwen, Llama 3.2, SmolLM). */
    private static final long TIED_BELOW = 4_500_000_000L;

    private final ModelFacts model;
    private final ArchitectureRule rule;
    private final Remarks remarks;
    private final ParameterCount configuration;
    private final LayerWeights layers;

    WeightCount(ModelFacts model, ArchitectureRule rule, Remarks remarks) {
        this.model = model;
        this.rule = rule;
        this.remarks = remarks;
        this.configuration = new ParameterCount(model.keys(), rule,
                new PerLayer(model.keys(), rule, PerLayer.Guess.TYPICAL, remarks));
        this.layers = configuration.layers();
    }

    /**
     * @param layers weights of the layers
     * @param tied   output and token embedding are one matrix
     */
    record Told(long layers, boolean tied, Weights.Basis basis, String sentence) {
    }

    /** By the configuration. */
    LayerWeights layers() {
        return layers;
    }

    /** Of the feed-forward part's last matrix. */
    long row() {
        return configuration.row();
    }

    /** Weights of the token embedding. */
    long embedding() {
        return model.vocabulary().orElse(0) * model.keys().own("embedding_length", 0);
    }

    /** Gemma's embeddings by layer (per_layer_token_embd), which stay on the host. */
    long byLayer() {
        return model.keys().own("embedding_length_per_layer_input", rule.layerInput()) * model.keys().own("block_count", 0)
                * model.vocabulary().orElse(0);
    }

    /** @return empty if nothing tells it */
    Optional<Told> told() {
        OptionalLong exact = model.keys().number("general.parameter_count");
        if (exact.isPresent()) {
            return Optional.of(of(exact.getAsLong(), Weights.Basis.PARAMETERS,
                    "the number of weights follows from the " + exact.getAsLong() + " parameters told"));
        }
        if (model.stated().parameters().isPresent()) {
            return Optional.of(of(model.stated().parameters().getAsLong(), Weights.Basis.ROUNDED_PARAMETERS,
                    "the number of weights is told as a rounded one (parameter_size)"));
        }
        if (embedding() == 0 || layers.total() == 0) {
            remarks.add("neither tensors nor a number of weights are told: no figure for the weights");
            return Optional.empty();
        }
        boolean tied = switch (rule.tied()) {
            case ALWAYS -> true;
            case NEVER -> false;
            case UNKNOWN -> layers.total() + embedding() < TIED_BELOW;
        };
        return Optional.of(new Told(layers.total(), tied, Weights.Basis.CONFIGURATION,
                "the number of weights is not told; counted from the configuration"));
    }

    private Told of(long parameters, Weights.Basis basis, String sentence) {
        boolean tied = switch (rule.tied()) {
            case ALWAYS -> true;
            case NEVER -> false;
            // Whichever of both counts is nearer to the number told.
            case UNKNOWN -> Math.abs(parameters - layers.total() - embedding())
                    <= Math.abs(parameters - layers.total() - 2 * embedding());
        };
        long others = ProjectorReader.inside(model.keys()) + (tied ? 1 : 2) * embedding() + byLayer();
        return new Told(Math.max(0, parameters - others), tied, basis, sentence);
    }
}
