package dev.pitwall.engine.vram;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is hidden, missing or unknown is said, and widens the margin. */
class UnsureModelTest {

    private static Shown hybrid() {
        return Shown.of("granitehybrid").with("block_count", 40).with("embedding_length", 1536).with("attention.head_count", 12)
                .with("feed_forward_length", 4096).with("ssm.conv_kernel", 4).with("ssm.inner_size", 3072).with("ssm.state_size", 128)
                .with("ssm.group_count", 1).with("vocab_size", 100352);
    }

    @Test
    void aHiddenArrayIsNeitherNoneNorAll() throws Exception {
        VramEstimate estimate = hybrid().with("attention.head_count_kv", (Object) null).estimate(Shown.use(32768, 1));
        Amount context = estimate.context().orElseThrow();

        assertThat(context.low()).isLessThan(context.likely());
        assertThat(context.high()).isGreaterThan(context.likely());
        // Granite 4.0 H 1B, which hides its array so, has 326,496,256 bytes here.
        assertThat(326_496_256L).isBetween(context.low(), context.high());
        assertThat(estimate.notes()).anyMatch(n -> n.contains("head_count_kv") && n.contains("verbose"));
    }

    @Test
    void aHiddenPatternOfWindowsHasLimitsThatHoldThePublishedModels() throws Exception {
        VramEstimate estimate = Shown.of("gemma4").with("block_count", 42).with("embedding_length", 2560)
                .with("attention.head_count", 8).with("attention.head_count_kv", 2).with("attention.key_length", 512)
                .with("attention.value_length", 512).with("attention.key_length_swa", 256).with("attention.value_length_swa", 256)
                .with("attention.sliding_window", 512).with("attention.shared_kv_layers", 18)
                .with("attention.sliding_window_pattern", (Object) null).estimate(Shown.use(32768, 1));

        // Gemma 4 E4B with its pattern.
        assertThat(estimate.context().orElseThrow().likely()).isEqualTo(578_813_952L);
        assertThat(estimate.context().orElseThrow().low()).isLessThan(578_813_952L);
        assertThat(estimate.context().orElseThrow().high()).isGreaterThan(578_813_952L);
        assertThat(estimate.notes()).anyMatch(n -> n.contains("sliding_window_pattern") && n.contains("verbose"));
    }

    @Test
    void hiddenCompressionIsTakenByTurns() throws Exception {
        VramEstimate estimate = Shown.of("deepseek4").with("block_count", 4).with("embedding_length", 256)
                .with("attention.head_count", 4).with("attention.head_count_kv", 1).with("attention.key_length", 512)
                .with("attention.sliding_window", 128).with("attention.indexer.key_length", 128)
                .with("attention.compress_ratios", (Object) null).estimate(Shown.use(32768, 1));
        Amount context = estimate.context().orElseThrow();

        assertThat(context.low()).isLessThan(context.likely());
        assertThat(context.high()).isGreaterThan(context.likely());
        assertThat(estimate.notes()).anyMatch(n -> n.contains("compress_ratios"));
    }

    @Test
    void anUnknownArchitectureIsReadByItsKeysWithAWideMargin() throws Exception {
        VramEstimate estimate = Shown.of("nextbigthing").with("block_count", 10).with("embedding_length", 1024)
                .with("attention.head_count", 8).with("attention.head_count_kv", 2).with("attention.sliding_window", 512)
                .estimate(Shown.use(8192, 1));
        Amount context = estimate.context().orElseThrow();

        assertThat(context.likely()).isEqualTo(10L * 8192 * 2 * 2 * 128 * 2);
        assertThat(context.low()).isLessThanOrEqualTo(context.likely() / 4);
        assertThat(context.high()).isGreaterThan(context.likely());
        assertThat(estimate.notes()).anyMatch(n -> n.contains("nextbigthing")).anyMatch(n -> n.contains("window"));
    }

    @Test
    void withoutLayersThereIsNoFigureForTheContext() throws Exception {
        VramEstimate estimate = Shown.of("llama").with("embedding_length", 4096).estimate(Shown.use(4096, 1));

        assertThat(estimate.context()).isEmpty();
        assertThat(estimate.total()).isEmpty();
        assertThat(estimate.notes()).anyMatch(n -> n.contains("block_count"));
    }

    @Test
    void headsThatAreNotToldAreNotCountedAsNone() throws Exception {
        VramEstimate estimate = Shown.of("qwen3").with("block_count", 28).with("embedding_length", 1024).estimate(Shown.use(4096, 1));

        assertThat(estimate.context()).isEmpty();
        assertThat(estimate.notes()).anyMatch(n -> n.contains("attention.head_count"));
        assertThat(Shown.of("falcon-h1").with("block_count", 2).with("embedding_length", 1024).with("attention.head_count", 8)
                .estimate(Shown.use(4096, 1)).context()).isEmpty();
    }

    @Test
    void withoutAQuantisationThereIsNoFigureForTheWeights() throws Exception {
        VramEstimate estimate = hybrid().key("general.parameter_count", 1_462_000_000L).estimate(Shown.use(4096, 1));

        assertThat(estimate.weights()).isEmpty();
        assertThat(estimate.notes()).anyMatch(n -> n.contains("quantised"));
    }

    @Test
    void aCloudModelNeedsNoCard() throws Exception {
        Shown remote = Shown.of("gptoss").with("context_length", 131072);
        remote.answer().put("remote_host", "https://ollama.com:443");

        VramEstimate estimate = remote.estimate(Shown.use(4096, 1));

        assertThat(estimate.total()).isEmpty();
        assertThat(estimate.overhead()).isEqualTo(Amount.ZERO);
        assertThat(estimate.notes()).anyMatch(n -> n.contains("ollama.com"));
    }

    @Test
    void aContextBeyondTheTrainingIsAllocatedAndSaid() throws Exception {
        Shown model = hybrid().with("attention.head_count_kv", new int[40]).with("context_length", 2048);

        assertThat(model.estimate(Shown.use(4096, 1)).notes()).anyMatch(n -> n.contains("2048"));
    }

    @Test
    void theModelsOwnContextIsTheUsualOneAsFarAsItWasTrained() throws Exception {
        Shown model = Shown.of("nomic-bert").with("block_count", 12).with("context_length", 2048);
        model.answer().put("parameters", "num_ctx                        8192\nstop \"x\"");

        assertThat(new VramEstimator().usual(model.model()).contextTokens()).isEqualTo(2048);
    }

    @Test
    void aListOfSomeTensorsIsNotTakenForAll() throws Exception {
        Shown model = hybrid().with("attention.head_count_kv", new int[40]).key("general.parameter_count", 1_462_000_000L).quantised("Q4_K_M");
        model.answer().putArray("tensors").addObject().put("name", "token_embd.weight").put("type", "Q6_K").putArray("shape").add(1536).add(100352);

        VramEstimate estimate = model.estimate(Shown.use(4096, 1));

        assertThat(estimate.weights().orElseThrow().likely()).isGreaterThan(800_000_000L);
        assertThat(estimate.notes()).anyMatch(n -> n.contains("only some"));
    }

    @Test
    void aProjectorBesideTheModelIsCounted() throws Exception {
        Shown model = hybrid();
        model.answer().putObject("projector_info").put("general.architecture", "clip").put("general.file_type", 1)
                .put("general.parameter_count", 311_887_872L).put("clip.vision.image_size", 336).put("clip.vision.patch_size", 14)
                .put("clip.vision.embedding_length", 1024).put("clip.vision.feed_forward_length", 4096);

        assertThat(model.estimate(Shown.use(4096, 1)).projector().orElseThrow().low()).isGreaterThan(600_000_000L);
    }

    @Test
    void aHiddenVocabularyIsThatOfItsTokenizer() throws Exception {
        VramEstimate estimate = Shown.of("phi3").with("block_count", 40).with("embedding_length", 5120).with("attention.head_count", 40)
                .with("attention.head_count_kv", 10).with("feed_forward_length", 17920).key("tokenizer.ggml.model", "gpt2")
                .key("tokenizer.ggml.pre", "dbrx").key("tokenizer.ggml.tokens", null).key("general.file_type", 15)
                .key("general.parameter_count", 14_659_507_200L).estimate(Shown.use(4096, 1));

        assertThat(estimate.notes()).anyMatch(n -> n.contains("100352"));
        assertThat(estimate.host().orElseThrow().likely()).isEqualTo(100_352L * 5120 * 18 / 32);
    }
}
