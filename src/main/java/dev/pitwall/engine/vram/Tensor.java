package dev.pitwall.engine.vram;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of tensors that decide where a tensor lies (llama-arch.cpp: LLM_TENSOR_LAYER_INPUT). */
final class Tensor {
    static final String TOKEN_EMBEDDING = "token_embd.weight";
    static final String OUTPUT = "output.weight";

    private static final List<String> INPUT = List.of("token_embd.", "position_embd.", "token_types.", "per_layer_token_embd.");
    private static final List<String> PROJECTOR = List.of("v.", "a.", "mm.", "resampler.", "s.");
    private static final Pattern BLOCK = Pattern.compile("blk\\.(\\d{1,4})\\..*");

    private Tensor() {
    }

    /** Looked up by token, so it stays in the host's memory. */
    static boolean input(TensorInfo tensor) {
        return INPUT.stream().anyMatch(tensor.name()::startsWith);
    }

    /** Part of the encoder of pictures or sound in the same file. */
    static boolean projector(TensorInfo tensor) {
        return PROJECTOR.stream().anyMatch(tensor.name()::startsWith);
    }

    static OptionalInt layer(TensorInfo tensor) {
        Matcher matcher = BLOCK.matcher(tensor.name());
        return matcher.matches() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }
}
