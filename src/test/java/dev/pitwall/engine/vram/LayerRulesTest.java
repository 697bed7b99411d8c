package dev.pitwall.engine.vram;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Each rule on a small model, with the bytes worked out by hand (facts: models/README.md 2). */
class LayerRulesTest {
    /** K and V of one layer with two heads of 64, f16, a cell. */
    private static final long CELL = 2 * 2 * 64 * 2;

    private static Shown small(String architecture, int layers) {
        return Shown.of(architecture).with("block_count", layers).with("embedding_length", 256).with("attention.head_count", 4)
                .with("attention.head_count_kv", 2);
    }

    @Test
    void cellsArePaddedTo256AndEachSlotHasItsOwn() throws Exception {
        assertThat(small("llama", 1).context(1000)).isEqualTo(1024 * CELL);
        assertThat(bytes(small("llama", 1), new Use(1024, 3, Use.Slots.SPLIT, CacheType.F16, Use.FlashAttention.ON, 512)))
                .isEqualTo(3 * 512 * CELL);
        assertThat(bytes(small("llama", 1), new Use(1000, 3, Use.Slots.EACH, CacheType.F16, Use.FlashAttention.ON, 512)))
                .isEqualTo(3 * 1024 * CELL);
        assertThat(bytes(small("llama", 1), new Use(1000, 3, Use.Slots.SHARED, CacheType.F16, Use.FlashAttention.ON, 512)))
                .isEqualTo(1024 * CELL);
    }

    @Test
    void aSharedCacheHasTheWindowOnceForEachSlot() throws Exception {
        Shown model = small("gemma3", 6).with("attention.sliding_window", 512);

        assertThat(bytes(model, new Use(8192, 4, Use.Slots.SHARED, CacheType.F16, Use.FlashAttention.ON, 512)))
                .isEqualTo((8192 + 5 * 2560) * CELL);
        assertThat(bytes(model, new Use(2048, 4, Use.Slots.EACH, CacheType.F16, Use.FlashAttention.ON, 512)))
                .isEqualTo(4 * (2048 + 5 * 1024) * CELL);
    }

    @Test
    void quantisedCachesAreMadeOfBlocks() throws Exception {
        Use q8 = new Use(256, 1, Use.Slots.EACH, CacheType.Q8_0, Use.FlashAttention.ON, 512);
        Use q4 = new Use(256, 1, Use.Slots.EACH, CacheType.Q4_0, Use.FlashAttention.ON, 512);

        assertThat(bytes(small("llama", 1), q8)).isEqualTo(256 * CELL / 2 * 34 / 32);
        assertThat(bytes(small("llama", 1), q4)).isEqualTo(256 * CELL / 2 * 18 / 32);
    }

    @Test
    void headsThatMakeNoBlockAreSaid() throws Exception {
        Shown odd = small("llama", 1).with("attention.key_length", 40).with("attention.head_count_kv", 1);

        assertThat(odd.estimate(new Use(256, 1, Use.Slots.EACH, CacheType.Q8_0, Use.FlashAttention.ON, 512)).notes())
                .anyMatch(n -> n.contains("refuses"));
    }

    @Test
    void withoutFlashAttentionVIsAsWideAsTheWidestLayer() throws Exception {
        Shown model = small("openelm", 2).with("attention.head_count_kv", 1, 2);
        Use off = new Use(256, 1, Use.Slots.EACH, CacheType.F16, Use.FlashAttention.OFF, 512);

        assertThat(model.context(256)).isEqualTo(256 * CELL * 3 / 2);
        assertThat(bytes(model, off)).isEqualTo(256 * (CELL * 3 / 4 + CELL));
    }

    @Test
    void windowsFollowTheArchitecturesPeriod() throws Exception {
        assertThat(sliding("gemma2", 26)).isEqualTo(13);
        assertThat(sliding("gemma3", 26)).isEqualTo(22);
        assertThat(sliding("cohere2", 32)).isEqualTo(24);
        assertThat(sliding("gpt-oss", 24)).isEqualTo(12);
        assertThat(sliding("llama4", 48)).isEqualTo(36);
        assertThat(sliding("exaone4", 64)).isEqualTo(48);
        assertThat(sliding("exaone4", 30)).isZero();
        assertThat(sliding("olmo2", 32)).isEqualTo(24);
        assertThat(sliding("smallthinker", 32)).isEqualTo(24);
        assertThat(sliding("plamo3", 32)).isEqualTo(28);
        assertThat(sliding("afmoe", 32)).isEqualTo(24);
        assertThat(sliding("phi3", 32)).isZero();
        assertThat(sliding("starcoder2", 32)).isZero();
    }

    /** Layers whose cache does not grow between two long contexts. */
    private static long sliding(String architecture, int layers) throws Exception {
        Shown model = small(architecture, layers).with("attention.sliding_window", 1024);
        return layers - (model.context(131072) - model.context(65536)) / (65536 * CELL);
    }

    @Test
    void aPatternThatIsAnArrayCountsOnlyWhereItIsRead() throws Exception {
        int[] all = IntStream.range(0, 8).map(i -> 1).toArray();
        Shown read = small("step35", 8).with("attention.sliding_window", 512).with("attention.sliding_window_pattern", all);
        Shown skipped = small("cohere2", 8).with("attention.sliding_window", 512).with("attention.sliding_window_pattern", all);

        assertThat(read.context(65536)).isEqualTo(8 * 1024 * CELL);
        assertThat(skipped.context(65536)).isEqualTo((2 * 65536 + 6 * 1024) * CELL);
    }

    @Test
    void latentAttentionKeepsOneKeyAndNoValues() throws Exception {
        Shown latent = small("deepseek2", 2).with("attention.head_count_kv", 1).with("attention.key_length", 576)
                .with("attention.value_length", 512).with("attention.key_length_mla", 192).with("attention.value_length_mla", 128);

        assertThat(latent.context(256)).isEqualTo(256 * 2 * 576 * 2);
    }

    @Test
    void aLatentModelsOldFileKeepsAllHeadsAndSaysSo() throws Exception {
        Shown old = small("deepseek2", 2).with("attention.kv_lora_rank", 512).with("attention.head_count_kv", 16)
                .with("attention.key_length", 192).with("attention.value_length", 128);
        VramEstimate estimate = old.estimate(Shown.use(256, 1));

        assertThat(estimate.context().orElseThrow().likely()).isEqualTo(256L * 2 * 16 * (192 + 128) * 2);
        assertThat(estimate.notes()).anyMatch(n -> n.contains("April 2025"));
    }

    @Test
    void anIndexerKeepsItsOwnKeys() throws Exception {
        Shown model = small("deepseek32", 3).with("nextn_predict_layers", 1).with("attention.head_count_kv", 1)
                .with("attention.key_length", 576).with("attention.value_length", 512).with("attention.key_length_mla", 192)
                .with("attention.value_length_mla", 128).with("attention.indexer.key_length", 128);

        assertThat(model.context(256)).isEqualTo(256 * 2 * (576 + 128) * 2);
    }

    @Test
    void glmsLaterFilesHaveAnIndexerInSomeLayers() throws Exception {
        Shown model = small("glm-dsa", 10).with("attention.head_count_kv", 1).with("attention.key_length", 576)
                .with("attention.value_length", 512).with("attention.key_length_mla", 256).with("attention.value_length_mla", 256)
                .with("attention.indexer.key_length", 128).with("context_length", 1048576);

        assertThat(model.context(256)).isEqualTo(256 * (10 * 576 + 4 * 128) * 2);
    }

    @Test
    void nextTokenLayersHaveACacheInSomeArchitectures() throws Exception {
        assertThat(small("glm4moe", 4).with("nextn_predict_layers", 1).context(256)).isEqualTo(4 * 256 * CELL);
        assertThat(small("mimo2", 4).with("nextn_predict_layers", 1).with("attention.sliding_window", 128)
                .with("attention.sliding_window_pattern", 0, 0, 0).context(256)).isEqualTo(3 * 256 * CELL);
        assertThat(small("llama", 4).with("nextn_predict_layers", 1).context(256)).isEqualTo(4 * 256 * CELL);
    }

    @Test
    void recurrentLayersKeepAStateForEachSlotWhateverTheContext() throws Exception {
        Shown mamba = Shown.of("mamba2").with("block_count", 2).with("embedding_length", 256).with("ssm.conv_kernel", 4)
                .with("ssm.inner_size", 512).with("ssm.state_size", 128).with("ssm.group_count", 2);
        long state = 2 * 4 * (3 * (512 + 2 * 2 * 128) + 128 * 512);

        assertThat(mamba.context(256)).isEqualTo(state).isEqualTo(mamba.context(131072));
        assertThat(bytes(mamba, Shown.use(256, 3))).isEqualTo(3 * state);
    }

    @Test
    void oneMambaDoesNotCountGroups() throws Exception {
        assertThat(Shown.of("mamba").with("block_count", 1).with("embedding_length", 256).with("ssm.conv_kernel", 4)
                .with("ssm.inner_size", 512).with("ssm.state_size", 16).with("ssm.group_count", 2).context(256))
                .isEqualTo(4 * (3 * 512 + 16 * 512));
    }

    @Test
    void deltaAttentionKeepsASquareForEachHead() throws Exception {
        assertThat(small("kimi-linear", 2).with("attention.head_count_kv", 0, 1).with("attention.key_length", 576)
                .with("attention.key_length_mla", 192).with("attention.value_length_mla", 128).with("kda.head_dim", 128)
                .with("ssm.conv_kernel", 4).context(256))
                .isEqualTo(256 * 576 * 2 + 4 * (3 * 3 * 4 * 128 + 128 * 128 * 4));
    }

    @Test
    void aHybridsFeedForwardLayersKeepNothing() throws Exception {
        Shown model = small("nemotron_h", 3).with("attention.head_count_kv", 0, 0, 2).with("feed_forward_length", 0, 512, 0)
                .with("ssm.conv_kernel", 4).with("ssm.inner_size", 512).with("ssm.state_size", 128).with("ssm.group_count", 1);

        assertThat(model.context(256)).isEqualTo(256 * CELL + 4 * (3 * (512 + 256) + 128 * 512));
    }

    @Test
    void layersThatUseAnothersCacheHaveNone() throws Exception {
        assertThat(small("gemma4", 6).with("attention.sliding_window", 512).with("attention.shared_kv_layers", 2.0)
                .with("attention.sliding_window_pattern", 1, 1, 0, 1, 1, 0).context(4096)).isEqualTo((3 * 1024 + 4096) * CELL);
    }

    @Test
    void deepSeek4CompressesAndCarriesStates() throws Exception {
        Shown model = Shown.of("deepseek4").with("block_count", 3).with("embedding_length", 256).with("attention.head_count", 4)
                .with("attention.head_count_kv", 1).with("attention.key_length", 512).with("attention.sliding_window", 128)
                .with("attention.indexer.key_length", 128).with("attention.compress_ratios", 0, 4, 128);
        long window = 3 * 768 * 512 * 2;
        long weak = 1024 * (512 + 128) * 2 + 2 * 4 * 8 * (2 * 512 + 2 * 128);
        long strong = 256 * 512 * 2 + 2 * 4 * 128 * 512;

        assertThat(model.context(4096)).isEqualTo(window + weak + strong);
    }

    @Test
    void anEncoderKeepsNothing() throws Exception {
        assertThat(small("bert", 6).context(4096)).isZero();
    }

    private static long bytes(Shown model, Use use) throws Exception {
        return model.estimate(use).context().orElseThrow().likely();
    }
}
