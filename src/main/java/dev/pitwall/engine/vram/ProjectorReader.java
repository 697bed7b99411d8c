package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Bytes of the encoder for pictures and sound: its weights, and the buffers of one picture. */
final class ProjectorReader {
    private static final int F32 = 4;
    private static final int F16 = 2;
    private static final double BYTE = 8;
    /** What Ollama keeps free for one (facts: models.md 6.2). */
    private static final long KEPT_FREE = 1L << 30;
    private static final long FRAME = 1500;

    private final Quantisations quantisations;
    private final Costs costs;

    ProjectorReader(Quantisations quantisations, Costs costs) {
        this.quantisations = quantisations;
        this.costs = costs;
    }

    /** @return empty if the model has none */
    Optional<Amount> read(ModelFacts model, Remarks remarks) {
        List<TensorInfo> inside = model.listed().stream().filter(Tensor::projector).toList();
        return switch (model.projector()) {
            case ModelFacts.Beside beside -> Optional.of(beside(beside, remarks));
            case ModelFacts.NoProjector none when !inside.isEmpty() ->
                    Optional.of(weights(inside).plus(buffers(model.keys(), model.keys().architecture() + ".vision.")));
            case ModelFacts.NoProjector none when model.keys().hasAny("vision.") || model.keys().hasAny("audio.") ->
                    Optional.of(configured(model.keys(), remarks));
            case ModelFacts.NoProjector none -> Optional.empty();
        };
    }

    private Amount beside(ModelFacts.Beside beside, Remarks remarks) {
        Amount buffers = buffers(beside.keys(), "clip.vision.");
        if (!beside.tensors().isEmpty()) {
            return weights(beside.tensors()).plus(buffers);
        }
        OptionalLong parameters = beside.keys().number("general.parameter_count");
        double bits = beside.keys().number("general.file_type").stream().boxed().flatMap(t -> quantisations.file(t).stream())
                .mapToDouble(FileType::bits).findFirst().orElse(BYTE * F16);
        long weights = parameters.isPresent() ? Math.round(parameters.getAsLong() * bits / BYTE)
                : encoder(beside.keys(), "clip.vision.") + encoder(beside.keys(), "clip.audio.");
        if (parameters.isEmpty()) {
            remarks.add("the projector's size is not told; counted from its configuration");
        }
        return Amount.about(weights, parameters.isPresent() ? costs.weights().parameters() : costs.projectorMargin()).plus(buffers);
    }

    private Amount configured(Metadata keys, Remarks remarks) {
        String own = keys.architecture() + ".";
        remarks.add("the encoders of pictures and sound in this file are counted from their configuration, as F16");
        return Amount.about(encoder(keys, own + "vision.") + encoder(keys, own + "audio."), costs.projectorMargin())
                .plus(buffers(keys, own + "vision."));
    }

    private Amount weights(List<TensorInfo> tensors) {
        return Amount.about(tensors.stream().mapToLong(TensorInfo::bytes).sum(), costs.weights().counted());
    }

    /** Weights of the encoders that are told among the model's own keys. */
    static long inside(Metadata keys) {
        return (encoder(keys, keys.architecture() + ".vision.") + encoder(keys, keys.architecture() + ".audio.")) / F16;
    }

    /** Bytes, as F16: four matrices of attention and two of the feed-forward part in each block. */
    private static long encoder(Metadata keys, String prefix) {
        long width = keys.number(prefix + "embedding_length").orElse(0);
        long wide = keys.number(prefix + "feed_forward_length").orElse(4 * width);
        return F16 * keys.number(prefix + "block_count").orElse(0) * (4 * width * width + 2 * width * wide);
    }

    /** One picture's patches; at most also the whole matrix of their attention, as far as Ollama keeps room for it. */
    private static Amount buffers(Metadata keys, String prefix) {
        long width = keys.number(prefix + "embedding_length").orElse(0);
        long wide = keys.number(prefix + "feed_forward_length").orElse(4 * width);
        long across = keys.number(prefix + "image_size").orElse(FRAME) / Math.max(1, keys.number(prefix + "patch_size").orElse(14));
        long patches = across * across;
        long matrix = F32 * patches * patches * keys.number(prefix + "attention.head_count").orElse(1);
        long values = F32 * patches * (wide + 4 * width);
        return Amount.between(values / 2, values, values + Math.min(matrix, KEPT_FREE));
    }
}
