package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Finds out how many bytes of weights a model puts on a card when all its layers lie there. */
final class WeightReader {
    private static final double BYTE = 8;
    /** Where nothing tells whether the output is the embedding, small models have it so (Qwen, Llama 3.2, SmolLM). */
    private static final long TIED_BELOW = 4_500_000_000L;

    private final Quantisations quantisations;
    private final Costs costs;

    WeightReader(Quantisations quantisations, Costs costs) {
        this.quantisations = quantisations;
        this.costs = costs;
    }

    /** @param next layers for next tokens, which are not loaded unless asked for (TENSOR_SKIP in models/*.cpp) */
    Optional<Weights> read(ModelFacts model, ArchitectureRule rule, int next, Remarks remarks) {
        return switch (model.tensors()) {
            case ModelFacts.All(List<TensorInfo> list) -> Optional.of(counted(model.keys(), list, rule, next, remarks));
            case ModelFacts.Some(List<TensorInfo> list, String why) -> {
                remarks.add(why);
                yield workedOut(model, rule, remarks);
            }
            case ModelFacts.Unlisted() -> workedOut(model, rule, remarks);
        };
    }

    private Weights counted(Metadata keys, List<TensorInfo> all, ArchitectureRule rule, int next, Remarks remarks) {
        long trunk = keys.own("block_count", Long.MAX_VALUE) - next;
        boolean skips = next > 0 && rule.cache() != ArchitectureRule.Cache.COMPRESSED;
        Predicate<TensorInfo> run = t -> !Tensor.projector(t) && !(skips && Tensor.layer(t).orElse(0) >= trunk);
        long host = all.stream().filter(Tensor::input).mapToLong(TensorInfo::bytes).sum();
        long card = all.stream().filter(run).filter(t -> !Tensor.input(t)).mapToLong(TensorInfo::bytes).sum();
        long skipped = all.stream().filter(t -> !Tensor.projector(t)).mapToLong(TensorInfo::bytes).sum() - host - card;
        if (skipped > 0) {
            remarks.add("layers for next tokens (" + next + ") are left out: a server loads them only for speculative decoding");
        }
        boolean tied = all.stream().noneMatch(t -> t.name().equals(Tensor.OUTPUT)) && rule.cache() != ArchitectureRule.Cache.NONE;
        long copy = tied ? all.stream().filter(t -> t.name().equals(Tensor.TOKEN_EMBEDDING)).mapToLong(TensorInfo::bytes).sum() : 0;
        return new Weights(Amount.about(card + copy, costs.weights().counted()), Amount.exactly(host), Weights.Basis.TENSORS);
    }

    private Optional<Weights> workedOut(ModelFacts model, ArchitectureRule rule, Remarks remarks) {
        Optional<FileType> type = type(model);
        if (type.isEmpty()) {
            remarks.add("how the file is quantised is not told (general.file_type, quantization_level): no figure for its weights");
            return Optional.empty();
        }
        OptionalLong exact = model.keys().number("general.parameter_count");
        if (exact.isPresent()) {
            return Optional.of(weights(model, rule, type.get(), exact.getAsLong(), Weights.Basis.PARAMETERS, costs.weights().parameters(), remarks));
        }
        if (model.stated().parameters().isPresent()) {
            remarks.add("the number of weights is rounded (parameter_size); their size is estimated from it");
            return Optional.of(weights(model, rule, type.get(), model.stated().parameters().getAsLong(),
                    Weights.Basis.ROUNDED_PARAMETERS, costs.weights().size(), remarks));
        }
        return fromConfiguration(model, rule, type.get(), remarks);
    }

    private Optional<Weights> fromConfiguration(ModelFacts model, ArchitectureRule rule, FileType type, Remarks remarks) {
        if (model.vocabulary().isEmpty() || model.keys().own("embedding_length").isEmpty() || model.keys().own("block_count").isEmpty()) {
            remarks.add("neither tensors nor a number of weights are told: no figure for the weights");
            return Optional.empty();
        }
        PerLayer perLayer = new PerLayer(model.keys(), rule, PerLayer.Guess.TYPICAL, remarks);
        long layers = new ParameterCount(model.keys(), rule, perLayer).layers();
        long embedding = embedding(model);
        boolean tied = rule.tied() == ArchitectureRule.Tied.ALWAYS
                || (rule.tied() == ArchitectureRule.Tied.UNKNOWN && layers + embedding < TIED_BELOW);
        remarks.add("the number of weights is not told; counted from the configuration");
        return Optional.of(weights(model, rule, type, layers + (tied ? 1 : 2) * embedding, Weights.Basis.CONFIGURATION,
                costs.weights().configuration(), remarks));
    }

    private Optional<FileType> type(ModelFacts model) {
        OptionalLong number = model.keys().number("general.file_type");
        Optional<FileType> named = model.stated().quantisation().flatMap(quantisations::file);
        return number.isPresent() ? quantisations.file(number.getAsLong()).or(() -> named) : named;
    }

    private static long embedding(ModelFacts model) {
        return model.vocabulary().orElse(0) * model.keys().own("embedding_length", 0);
    }

    private Weights weights(ModelFacts model, ArchitectureRule rule, FileType type, long parameters, Weights.Basis basis,
                            double margin, Remarks remarks) {
        long embedding = Math.min(embedding(model), parameters);
        long perLayer = perLayerEmbedding(model);
        boolean tied = tied(model, rule, parameters, embedding, remarks);
        long layers = Math.max(0, parameters - (tied ? 1 : 2) * embedding - perLayer);
        long output = Math.round(embedding * type.output().bits() / BYTE);
        long input = Math.round(embedding * (tied ? type.output() : type.embedding()).bits() / BYTE)
                + Math.round(perLayer * type.embedding().bits() / BYTE);
        boolean encoder = rule.cache() == ArchitectureRule.Cache.NONE;
        long card = Math.round(layers * type.bits() / BYTE) + (encoder ? 0 : output);
        if (basis == Weights.Basis.PARAMETERS) {
            remarks.add(String.format(Locale.ROOT, "tensors are not listed; weights follow from %d parameters as %s", parameters, type.name()));
        }
        return new Weights(Amount.about(card, margin), Amount.about(input, margin), basis);
    }

    /** Gemma's embeddings by layer (per_layer_token_embd), which stay on the host. */
    private static long perLayerEmbedding(ModelFacts model) {
        return model.keys().own("embedding_length_per_layer_input", 0) * model.keys().own("block_count", 0)
                * model.vocabulary().orElse(0);
    }

    /** Whether output and embedding are one matrix: by the rule, else by which of both counts is nearer to the number told. */
    private static boolean tied(ModelFacts model, ArchitectureRule rule, long parameters, long embedding, Remarks remarks) {
        return switch (rule.tied()) {
            case ALWAYS -> true;
            case NEVER -> false;
            case UNKNOWN -> {
                long layers = new ParameterCount(model.keys(), rule,
                        new PerLayer(model.keys(), rule, PerLayer.Guess.TYPICAL, remarks)).layers();
                yield Math.abs(parameters - layers - embedding) <= Math.abs(parameters - layers - 2 * embedding);
            }
        };
    }
}
