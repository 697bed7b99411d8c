package dev.pitwall.engine.vram;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Fills in how many tokens a vocabulary has where an answer hides it ({@code vocabularies.csv}). */
final class Vocabularies {
    private static final List<String> TOKENS = List.of("bos_token_id", "eos_token_id", "eot_token_id", "padding_token_id",
            "unknown_token_id", "mask_token_id");

    private record Row(String model, String pre, String architecture, long tokens) {
    }

    private final List<Row> rows;

    private Vocabularies(List<Row> rows) {
        this.rows = rows;
    }

    static Vocabularies load() {
        return new Vocabularies(EngineData.csv("vocabularies.csv").stream()
                .map(r -> new Row(r[0], r[1], r[2], Long.parseLong(r[3]))).toList());
    }

    /** The model with a vocabulary of the size that its tokenizer has elsewhere, if it does not tell its own. */
    ModelFacts complete(ModelFacts model, Remarks remarks) {
        if (model.vocabulary().isPresent()) {
            return model;
        }
        OptionalLong usual = usual(model.keys());
        if (usual.isEmpty()) {
            return model;
        }
        long tokens = LongStream.concat(usual.stream(), highest(model.keys())).max().orElseThrow();
        remarks.add("the size of the vocabulary is not told; taken as " + tokens + " tokens, as other models with this tokenizer have");
        return model.withVocabulary(tokens);
    }

    private OptionalLong usual(Metadata keys) {
        String model = keys.text("tokenizer.ggml.model").orElse("");
        String pre = keys.text("tokenizer.ggml.pre").orElse("");
        Stream<Row> fitting = rows.stream().filter(r -> r.model().equals(model) && keys.architecture().startsWith(r.architecture())
                && (r.pre().isEmpty() || r.pre().equals(pre)));
        return fitting.mapToLong(Row::tokens).findFirst();
    }

    /** A vocabulary holds its own special tokens. */
    private static LongStream highest(Metadata keys) {
        return TOKENS.stream().flatMapToLong(t -> keys.number("tokenizer.ggml." + t).stream()).map(id -> id + 1);
    }
}
