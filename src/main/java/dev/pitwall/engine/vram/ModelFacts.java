package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What is known of a model before it is loaded.
 *
 * @param name       as the source gives it
 * @param tensors    of the language model
 * @param projector  the part for pictures and sound that lies beside it
 * @param stated     values that are told besides the file's keys
 * @param flaws      why no server would load the files, each one sentence
 * @param remarks    what had to be said while it was read
 */
public record ModelFacts(String name, Metadata keys, Tensors tensors, Projector projector, Stated stated,
                         List<String> flaws, List<String> remarks) {

    /** Every byte is a token in each vocabulary, or nearly. */
    private static final long FEWEST_TOKENS = 256;

    /** The tensors of the files that were read. */
    public sealed interface Tensors {
    }

    /** All of them. */
    public record All(List<TensorInfo> list) implements Tensors {
        public All {
            list = List.copyOf(list);
        }
    }

    /**
     * Some, because files are missing or the answer lists a part.
     *
     * @param why one sentence
     */
    public record Some(List<TensorInfo> list, String why) implements Tensors {
        public Some {
            list = List.copyOf(list);
        }
    }

    /** The source lists none. */
    public record Unlisted() implements Tensors {
    }

    /** What turns pictures and sound into tokens. */
    public sealed interface Projector {
    }

    /** There is none, or none was found. */
    public record NoProjector() implements Projector {
    }

    /** @param tensors empty if the source lists none */
    public record Beside(Metadata keys, List<TensorInfo> tensors) implements Projector {
        public Beside {
            tensors = List.copyOf(tensors);
        }
    }

    /**
     * @param parameters    for example of {@code details.parameter_size}
     * @param quantisation  for example {@code Q4_K_M}
     * @param contextTokens {@code num_ctx} of the model's own parameters
     * @param remoteHost    where a cloud model runs
     * @param vocabulary    tokens, where the keys do not tell
     */
    public record Stated(OptionalLong parameters, Optional<String> quantisation, OptionalLong contextTokens,
                         Optional<String> remoteHost, OptionalLong vocabulary) {
        static final Stated NOTHING = new Stated(OptionalLong.empty(), Optional.empty(), OptionalLong.empty(), Optional.empty(),
                OptionalLong.empty());

        Stated withVocabulary(long tokens) {
            return new Stated(parameters, quantisation, contextTokens, remoteHost, OptionalLong.of(tokens));
        }
    }

    public ModelFacts {
        flaws = List.copyOf(flaws);
        remarks = List.copyOf(remarks);
    }

    /** Tokens of the vocabulary. */
    OptionalLong vocabulary() {
        if (keys.own("vocab_size").isPresent()) {
            return keys.own("vocab_size");
        }
        OptionalLong embedding = listed().stream().filter(t -> t.name().equals(Tensor.TOKEN_EMBEDDING) && t.shape().size() > 1)
                .mapToLong(t -> t.shape().get(1)).findFirst();
        OptionalLong tokens = keys.length("tokenizer.ggml.tokens");
        return embedding.isPresent() ? embedding : tokens.isPresent() && !cut(tokens.getAsLong()) ? tokens : stated.vocabulary();
    }

    /** A list that was shortened for an example does not hold the special tokens. */
    private boolean cut(long tokens) {
        return keys.number("tokenizer.ggml.eos_token_id").orElse(0) >= tokens || tokens < FEWEST_TOKENS;
    }

    ModelFacts withVocabulary(long tokens) {
        return new ModelFacts(name, keys, tensors, projector, stated.withVocabulary(tokens), flaws, remarks);
    }

    List<TensorInfo> listed() {
        return switch (tensors) {
            case All(List<TensorInfo> list) -> list;
            case Some(List<TensorInfo> list, String why) -> list;
            case Unlisted() -> List.of();
        };
    }

    ModelFacts with(Projector other, List<String> more) {
        return new ModelFacts(name, keys, tensors, other, stated, flaws,
                Stream.concat(remarks.stream(), more.stream()).toList());
    }
}
