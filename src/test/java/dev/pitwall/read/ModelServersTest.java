package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Answers of Ollama and llama-server. */
class ModelServersTest {

    @Test
    void aSizeBelowZeroIsNoSize() {
        JsonNode model = Samples.read("{\"models\":[{\"name\":\"a\",\"size\":-5,\"size_vram\":-1,\"expires_at\":\"2026-08-20T10:00:00Z\"},"
                + "{\"name\":\"b\",\"size\":5,\"size_vram\":5}]}").path("models").get(0);
        assertThat(model.path("sizeBytes").isNull()).as(model.toString()).isTrue();
    }


    /** Kind and call, and how many models. */
    private static final Map<String, String> WHAT = Map.ofEntries(
            Map.entry("llama-server-models-docs.json", "llama-server models 1"),
            Map.entry("llama-server-props-model-b10621.json", "llama-server props 1"),
            Map.entry("llama-server-props-model-docs.json", "llama-server props 1"),
            Map.entry("llama-server-props-router.json", "llama-server props 0"),
            Map.entry("llama-server-router-models.json", "llama-server models 7"),
            Map.entry("llama-server-v1-models-docs.json", "llama-server models 1"),
            Map.entry("ollama-ps-0.33-fallback-file-size.json", "ollama ps 1"),
            Map.entry("ollama-ps-0.33.json", "ollama ps 6"),
            Map.entry("ollama-ps-docs-openapi.json", "ollama ps 1"),
            Map.entry("ollama-ps-empty.json", "ollama null 0"),
            Map.entry("ollama-ps-localai.json", "ollama ps 1"),
            Map.entry("ollama-ps-old-cpu-no-size-vram.json", "ollama ps 1"),
            Map.entry("ollama-ps-old-docs.json", "ollama ps 1"),
            Map.entry("ollama-show-docs.json", "ollama show 1"),
            Map.entry("ollama-show-gemma4-docs-openapi.json", "ollama show 1"),
            Map.entry("ollama-show-hybrid-nonverbose.json", "ollama show 1"),
            Map.entry("ollama-show-hybrid-verbose.json", "ollama show 1"),
            Map.entry("ollama-show-llama3.1.json", "ollama show 1"),
            Map.entry("ollama-show-nomic-embed-text.json", "ollama show 1"),
            Map.entry("ollama-show-phi4.json", "ollama show 1"),
            Map.entry("ollama-show-remote.json", "ollama show 1"),
            Map.entry("ollama-show-vision-two-files.json", "ollama show 1"),
            Map.entry("ollama-tags-0.33.json", "ollama tags 6"),
            Map.entry("ollama-tags-docs.json", "ollama tags 2"),
            Map.entry("ollama-tags-empty.json", "ollama null 0"),
            Map.entry("ollama-pull-0.33.ndjson", "ollama pull 0"),
            Map.entry("ollama-pull-docs.ndjson", "ollama pull 0"),
            Map.entry("ollama-pull-error-midway.ndjson", "ollama pull 0"),
            Map.entry("ollama-pull-error-unknown.ndjson", "ollama pull 0"),
            Map.entry("ollama-pull-resumed.ndjson", "ollama pull 0"),
            Map.entry("ollama-stream-error-docs.ndjson", "ollama generate 0"));

    @TestFactory
    Stream<DynamicTest> everyAnswerIsRecognised() {
        return Samples.in("models").stream().filter(n -> !n.endsWith("generate-load-unload.json"))
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    JsonNode d = read(name.substring("models/".length()));
                    assertThat(d.path("kind").asText() + " " + d.path("call").asText() + " " + d.path("models").size())
                            .isEqualTo(WHAT.get(name.substring("models/".length())));
                }));
    }

    @Test
    void loadedModelsHaveTheirShareOnTheGpuAndTheirEnd() {
        JsonNode models = read("ollama-ps-0.33.json").path("models");
        assertThat(models.get(0).path("pinned").asBoolean()).as("year 2318").isTrue();
        assertThat(models.get(0).path("contextTokens").asInt()).isEqualTo(8192);
        assertThat(models.get(1).path("sizeBytes").asLong()).isEqualTo(46_170_898_432L);
        assertThat(models.get(1).path("vramBytes").asLong()).isEqualTo(24_121_442_304L);
        assertThat(models.get(1).path("pinned").asBoolean(true)).isFalse();
        assertThat(models.get(4).path("vramBytes").asLong(-1)).as("wholly on the CPU").isZero();
    }

    @Test
    void oldServersLeftOutTheGpuShareWhereItWasNothing() {
        JsonNode model = read("ollama-ps-old-cpu-no-size-vram.json").path("models").get(0);
        assertThat(model.path("vramBytes").asLong(-1)).isZero();
        assertThat(model.path("contextTokens").isNull()).isTrue();
    }

    @Test
    void aModelInWhichTheTextStopsHasNoGpuShare() {
        String text = Samples.text("models/ollama-ps-old-cpu-no-size-vram.json");
        String cut = text.substring(0, text.indexOf("expires_at") + 50);
        JsonNode document = Samples.read(cut, Text.Ending.MAYBE_CUT);
        assertThat(document.path("models").get(0).path("vramBytes").isNull()).isTrue();
        assertThat(document.path("notes").get(0).asText()).contains("line ").contains("column ").contains("/models/0");
    }

    @Test
    void aServerThatGivesNoSizesHasNone() {
        JsonNode document = read("ollama-ps-localai.json");
        JsonNode model = document.path("models").get(0);
        assertThat(model.path("sizeBytes").isNull()).isTrue();
        assertThat(model.path("vramBytes").isNull()).isTrue();
        assertThat(model.path("expiresAt").isNull()).isTrue();
        assertThat(document.path("notes")).hasSize(1);
    }

    @Test
    void installedModelsHaveTheirSizeAndQuantization() {
        JsonNode models = read("ollama-tags-0.33.json").path("models");
        assertThat(models.get(0).path("name").asText()).isEqualTo("qwen3:8b");
        assertThat(models.get(0).path("sizeBytes").asLong()).isEqualTo(5_225_388_164L);
        assertThat(models.get(0).path("quantization").asText()).isEqualTo("Q4_K_M");
        assertThat(models.get(0).path("contextTokens").asInt()).isEqualTo(40960);
        assertThat(models.get(0).path("vramBytes").isNull()).isTrue();
    }

    @Test
    void theDetailsOfAModelHaveItsPlainKeysAndItsLists() {
        JsonNode phi = read("ollama-show-phi4.json").path("models").get(0);
        assertThat(phi.path("info").path("phi3.block_count").asInt()).isEqualTo(40);
        assertThat(phi.path("contextTokens").asInt()).isEqualTo(16384);
        JsonNode verbose = read("ollama-show-hybrid-verbose.json").path("models").get(0).path("info");
        assertThat(verbose.path("granitehybrid.attention.head_count_kv").asText().split(",")).hasSize(40);
        assertThat(verbose.has("tokenizer.ggml.tokens")).isFalse();
        JsonNode brief = read("ollama-show-hybrid-nonverbose.json").path("models").get(0).path("info");
        assertThat(brief.has("granitehybrid.attention.head_count_kv")).as("null unless verbose").isFalse();
    }

    @Test
    void aPullAddsUpItsLayersAndAnErrorInItIsSeen() {
        JsonNode done = read("ollama-pull-0.33.ndjson").path("stream");
        assertThat(done.path("done").asBoolean()).isTrue();
        assertThat(done.path("totalBytes").asLong()).isEqualTo(2_019_377_376L + 1429 + 7711 + 561);
        JsonNode failed = read("ollama-pull-error-midway.ndjson");
        assertThat(failed.path("error").asText()).isEqualTo("max retries exceeded: EOF");
        assertThat(failed.path("stream").path("completedBytes").asLong()).isEqualTo(411_041_792L);
        assertThat(failed.path("stream").path("done").asBoolean(true)).isFalse();
    }

    @Test
    void theAnswersToLoadAndUnloadSayWhy() {
        JsonNode answers = Samples.json("models/ollama-generate-load-unload.json");
        assertThat(Samples.read(answers.path("load_0.33").toString()).path("stream").path("doneReason").asText()).isEqualTo("load");
        assertThat(Samples.read(answers.path("unload_docs").toString()).path("stream").path("doneReason").asText()).isEqualTo("unload");
        assertThat(Samples.read(answers.path("load_docs_2023").toString()).path("stream").path("doneReason").isNull()).isTrue();
    }

    @Test
    void aRouterListsItsModelsInEveryState() {
        JsonNode document = read("llama-server-router-models.json");
        assertThat(document.path("router").asBoolean()).isTrue();
        assertThat(document.path("models").findValuesAsText("state"))
                .startsWith("loaded", "loading", "unloaded", "sleeping");
        assertThat(document.path("models").get(1).path("progress").asDouble()).isEqualTo(0.42);
        assertThat(document.path("models").get(2).path("failed").asBoolean()).isTrue();
        assertThat(document.path("models").get(2).path("exitCode").asInt()).isEqualTo(1);
        assertThat(read("llama-server-props-router.json").path("maxModels").asInt()).isEqualTo(4);
        assertThat(read("llama-server-props-model-b10621.json").path("models").get(0).path("contextTokens").asInt()).isEqualTo(8192);
    }

    private static JsonNode read(String name) {
        return Samples.read(Samples.text("models/" + name));
    }
}
