package dev.pitwall.engine.vram;

import dev.pitwall.card.TroubleException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GgufFileTest {
    private static final int F32 = 0;
    private static final int F16 = 1;
    private static final int Q4_K = 12;
    private static final int Q6_K = 14;
    private static final long EMBEDDING = 512 * 256 * 144 / 256;

    private static final ModelFile FILES = new ModelFile();
    private static final VramEstimator ESTIMATOR = new VramEstimator();

    @TempDir
    private Path folder;

    private static GgufBytes model(int version) {
        return keys(version).tensor("token_embd.weight", Q4_K, 256, 512).tensor("output.weight", Q6_K, 256, 512)
                .tensor("blk.0.attn_q.weight", Q4_K, 256, 256).tensor("blk.1.ffn_norm.weight", F32, 256);
    }

    private static GgufBytes keys(int version) {
        return new GgufBytes(version).text("general.architecture", "qwen3").text("general.name", "Small")
                .number("qwen3.block_count", 2).number("qwen3.embedding_length", 256).number("qwen3.attention.head_count", 4)
                .number("qwen3.context_length", 40960).numbers("qwen3.attention.head_count_kv", List.of(2, 1))
                .texts("tokenizer.ggml.tokens", 512);
    }

    private Path file(String name, byte[] bytes) throws Exception {
        return Files.write(folder.resolve(name), bytes);
    }

    private static VramEstimate estimate(Path file) throws Exception {
        return ESTIMATOR.estimate(FILES.read(file), Shown.use(256, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void everyTensorIsCountedAndTheEmbeddingStaysOnTheHost(int version) throws Exception {
        VramEstimate estimate = estimate(file("small.gguf", model(version).whole()));

        assertThat(estimate.model()).isEqualTo("Small");
        assertThat(estimate.weights().orElseThrow().likely()).isEqualTo(512 * 256 * 210 / 256 + 256 * 144 + 256 * 4);
        assertThat(estimate.host()).contains(Amount.exactly(EMBEDDING));
        assertThat(estimate.context()).contains(Amount.exactly(256 * 3 * 2 * 64 * 2));
        assertThat(estimate.notes()).noneMatch(n -> n.contains("ends at byte"));
    }

    @Test
    void anEmbeddingThatIsTheOutputTooIsOnTheCardAsWell() throws Exception {
        VramEstimate estimate = estimate(file("tied.gguf", keys(3).tensor("token_embd.weight", Q4_K, 256, 512)
                .tensor("blk.0.attn_q.weight", Q4_K, 256, 256).whole()));

        assertThat(estimate.weights().orElseThrow().likely()).isEqualTo(EMBEDDING + 256 * 144);
        assertThat(estimate.host()).contains(Amount.exactly(EMBEDDING));
    }

    @Test
    void layersForNextTokensAreNotLoaded() throws Exception {
        GgufBytes model = new GgufBytes(3).text("general.architecture", "qwen35").number("qwen35.block_count", 2)
                .number("qwen35.nextn_predict_layers", 1).number("qwen35.embedding_length", 256).number("qwen35.attention.head_count", 4)
                .tensor("token_embd.weight", F16, 256, 512).tensor("output.weight", F16, 256, 512)
                .tensor("blk.0.ffn_up.weight", F16, 256, 256).tensor("blk.1.ffn_up.weight", F16, 256, 256);

        VramEstimate estimate = estimate(file("mtp.gguf", model.whole()));

        assertThat(estimate.weights().orElseThrow().likely()).isEqualTo(2 * (256 * 512 + 256 * 256));
        assertThat(estimate.notes()).anyMatch(n -> n.contains("next tokens"));
    }

    @Test
    void layersWithoutTensorsKeepAServerFromLoading() throws Exception {
        assertThat(estimate(file("whole.gguf", model(3).whole())).flaws()).isEmpty();
        assertThat(estimate(file("one.gguf", keys(3).tensor("blk.0.attn_q.weight", Q4_K, 256, 256).whole())).flaws())
                .singleElement().asString().startsWith("its head names 2 layers, and it has the tensors of 1: no server would load it");
        assertThat(estimate(file("none.gguf", keys(3).whole())).flaws()).singleElement().asString().contains("the tensors of none");
    }

    @Test
    void aHeadThatIsCutAnywhereIsOneSentenceWithThePlace() throws Exception {
        byte[] head = model(3).head();
        for (int length = 4; length < head.length; length += 31) {
            Path cut = file("cut.gguf", Arrays.copyOf(head, length));
            assertThatThrownBy(() -> FILES.read(cut)).isInstanceOfSatisfying(TroubleException.class,
                    e -> assertThat(e.trouble().sentence()).startsWith(cut + " byte ").contains("the file ends in"));
        }
    }

    @Test
    void cutDataAreSaidAndTheHeadIsEnough() throws Exception {
        byte[] whole = model(3).whole();
        VramEstimate estimate = estimate(file("short.gguf", Arrays.copyOf(whole, whole.length - 5000)));

        assertThat(estimate.notes()).anyMatch(n -> n.contains("ends at byte " + (whole.length - 5000)));
        assertThat(estimate.weights()).isPresent();
    }

    @Test
    void otherVersionsAndByteOrdersAreNamed() throws Exception {
        byte[] head = model(3).head();
        head[4] = 1;
        assertTrouble(file("v1.gguf", head), "version 1");
        head[4] = 9;
        assertTrouble(file("v9.gguf", head), "version 9");
        head[4] = 0;
        head[7] = 3;
        assertTrouble(file("big.gguf", head), "big-endian");
    }

    @Test
    void aTypeThatIsNotKnownIsNamed() throws Exception {
        assertTrouble(file("type.gguf", keys(3).tensor("blk.0.x.weight", 99, 256).head()), "unknown type 99");
    }

    @Test
    void projectorsAndAdaptersAreNoModels() throws Exception {
        assertTrouble(file("mmproj.gguf", new GgufBytes(3).text("general.architecture", "clip").head()), "projector");
        assertTrouble(file("lora.gguf", new GgufBytes(3).text("general.architecture", "llama").text("general.type", "adapter").head()),
                "adapter");
    }

    private static void assertTrouble(Path file, String words) {
        assertThatThrownBy(() -> FILES.read(file)).isInstanceOfSatisfying(TroubleException.class,
                e -> assertThat(e.trouble().sentence()).startsWith(file.toString()).contains(words));
    }

    @Test
    void aProjectorBesideTheFileIsCountedIfItFits() throws Exception {
        Path model = file("small.gguf", model(3).whole());
        file("mmproj-small.gguf", new GgufBytes(3).text("general.architecture", "clip").number("clip.vision.projection_dim", 256)
                .number("clip.vision.image_size", 28).number("clip.vision.patch_size", 14).number("clip.vision.embedding_length", 64)
                .tensor("v.blk.0.attn_q.weight", F16, 64, 64).whole());

        assertThat(estimate(model).projector().orElseThrow().low()).isGreaterThanOrEqualTo(64 * 64 * 2);

        file("mmproj-other.gguf", new GgufBytes(3).text("general.architecture", "clip").number("clip.vision.projection_dim", 4096)
                .tensor("v.blk.0.attn_q.weight", F16, 64, 64).whole());
        assertThat(estimate(model).projector()).isPresent();
        Files.delete(folder.resolve("mmproj-small.gguf"));
        assertThat(estimate(model).projector()).isEmpty();
        assertThat(estimate(model).notes()).anyMatch(n -> n.contains("another width"));
    }

    @Test
    void partsOfASplitModelAreJoined() throws Exception {
        Path first = file("m-00001-of-00002.gguf", keys(3).number("split.count", 2).number("general.file_type", 15)
                .tensor("token_embd.weight", Q4_K, 256, 512).whole());
        Path second = folder.resolve("m-00002-of-00002.gguf");

        assertThat(estimate(first).notes()).anyMatch(n -> n.contains("m-00002-of-00002.gguf") && n.contains("1 of 2"));

        file(second.getFileName().toString(), new GgufBytes(3).number("split.count", 2).number("split.no", 1)
                .tensor("output.weight", Q6_K, 256, 512).whole());
        assertThat(estimate(first).weights().orElseThrow().likely()).isEqualTo(512 * 256 * 210 / 256);
        assertTrouble(second, "part 2 of 2");
    }

    @Test
    void anEncoderInTheSameFileIsTheProjector() throws Exception {
        VramEstimate estimate = estimate(file("vision.gguf", model(3).tensor("v.blk.0.attn_q.weight", F16, 64, 64)
                .tensor("mm.0.weight", F16, 64, 256).whole()));

        assertThat(estimate.projector().orElseThrow().low()).isGreaterThanOrEqualTo((64 * 64 + 64 * 256) * 2 * 99 / 100);
        assertThat(estimate.weights().orElseThrow().likely()).isEqualTo(512 * 256 * 210 / 256 + 256 * 144 + 256 * 4);
    }
}
