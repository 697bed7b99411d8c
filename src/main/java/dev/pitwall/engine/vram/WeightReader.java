package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Finds out how many bytes of weights a model puts on a card when all its layers lie there. */
final class WeightReader {
    private static final double BYTE = 8;

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
        Predicate<TensorInfo> run = t -> !Tensor.projector(t) && Tensor.layer(t).orElse(0) < trunk;
        long host = all.stream().filter(Tensor::input).mapToLong(TensorInfo::bytes).sum();
        long card = all.stream().filter(run).filter(t -> !Tensor.input(t)).mapToLong(TensorInfo::bytes).sum();
        long skipped = all.stream().filter(t -> !Tensor.projector(t)).mapToLong(TensorInfo::bytes).sum() - host - card;
        if (skipped > 0) {
            remarks.add("layers for next tokens (" + next + ") are left out: a server loads them only for speculative decoding");
        }
        boolean tied = all.stream().noneMatch(t -> t.name().equals(Tensor.OUTPUT)) && rule.cache() != ArchitectureRule.Cache.NONE;
        long copy = tied ? all.stream().filter(t -> t.name().equals(Tensor.TOKEN_EMBEDDING)).mapToLong(TensorInfo::bytes).sum() : 0;
        return new Weights(Amount.about(card + copy, costs.weights().counted()), Amount.exactly(host), copy, Weights.Basis.TENSORS);
    }

    private Optional<Weights> workedOut(ModelFacts model, ArchitectureRule rule, Remarks remarks) {
        Optional<FileType> type = type(model, remarks);
        if (type.isEmpty()) {
            remarks.add("how the file is quantised is not told (general.file_type, quantization_level): no figure for its weights");
            return Optional.empty();
        }
        WeightCount count = new WeightCount(model, rule, remarks);
        return count.told().map(told -> weights(model, rule, type.get(), count, told, remarks));
    }

    private Optional<FileType> type(ModelFacts model, Remarks remarks) {
        OptionalLong number = model.keys().number("general.file_type");
        Optional<String> name = model.stated().quantisation();
        Optional<FileType> known = number.stream().boxed().flatMap(n -> quantisations.file(n).stream()).findFirst()
                .or(() -> name.flatMap(quantisations::file));
        if (known.isPresent()) {
            return known;
        }
        Optional<FileType> near = name.flatMap(quantisations::byItsBits);
        near.ifPresent(t -> remarks.add("the quantisation " + t.name() + " is not known; counted as " + t.bits() + " bits a weight"));
        return near;
    }

    private Weights weights(ModelFacts model, ArchitectureRule rule, FileType type, WeightCount count, WeightCount.Told told,
                            Remarks remarks) {
        long width = model.keys().own("embedding_length", 0);
        boolean encoder = rule.cache() == ArchitectureRule.Cache.NONE;
        long output = bytes(count.embedding(), quantisations.fitting(type.output(), width));
        long input = bytes(count.embedding(), quantisations.fitting(told.tied() ? type.output() : type.embedding(), width))
                + bytes(count.byLayer(), type.embedding());
        long card = type.bytes(count.layers().scaled(told.layers()), new FileType.Row(width, count.row()))
                + (encoder ? 0 : output);
        double margin = switch (told.basis()) {
            case TENSORS -> costs.weights().counted();
            case PARAMETERS -> costs.weights().parameters();
            case ROUNDED_PARAMETERS -> costs.weights().size();
            case CONFIGURATION -> costs.weights().configuration();
        };
        remarks.add(told.sentence() + ", their size from " + type.name());
        return new Weights(Amount.about(card, margin), Amount.about(input, margin), told.tied() && !encoder ? output : 0, told.basis());
    }

    private static long bytes(long values, TensorType type) {
        return Math.round(values * type.bits() / BYTE);
    }
}
