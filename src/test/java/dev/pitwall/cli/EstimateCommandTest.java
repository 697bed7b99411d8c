package dev.pitwall.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class EstimateCommandTest {
    /** Llama 3.1 8B, as padiazg/ollama-tools recorded it. */
    private static final String LLAMA = """
            {"details": {"format": "gguf", "family": "llama", "parameter_size": "8.0B", "quantization_level": "Q4_K_M"},
             "model_info": {"general.architecture": "llama", "general.file_type": 15, "general.parameter_count": 8030261312,
               "llama.attention.head_count": 32, "llama.attention.head_count_kv": 8, "llama.block_count": 32,
               "llama.context_length": 131072, "llama.embedding_length": 4096, "llama.feed_forward_length": 14336,
               "llama.vocab_size": 128256, "tokenizer.ggml.tokens": null}}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        Output output = new Output(new PrintWriter(out), new PrintWriter(err));
        return new CommandLine(new EstimateCommand(new ByteArrayInputStream(LLAMA.getBytes(StandardCharsets.UTF_8)), output))
                .execute(arguments);
    }

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("llama.json"), text);
    }

    @Test
    void theDocumentHasEveryPart() throws Exception {
        assertThat(run(file(LLAMA).toString(), "--json", "--context", "32768", "--parallel", "2")).isZero();

        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.path("model").asText()).isEqualTo("llama");
        assertThat(json.path("kvBytes").asLong()).isEqualTo(2 * 4_294_967_296L);
        assertThat(json.path("contextTokens").asLong()).isEqualTo(32768);
        assertThat(json.path("parallel").asInt()).isEqualTo(2);
        assertThat(json.path("projectorBytes").isNull()).isTrue();
        assertThat(json.path("totalBytes").asLong()).isEqualTo(json.path("weightsBytes").asLong() + json.path("kvBytes").asLong()
                + json.path("computeBytes").asLong() + json.path("overheadBytes").asLong());
        assertThat(json.path("notes").isArray()).isTrue();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void standardInputIsReadAndTheTextHasTheParts() {
        assertThat(run("-", "--kv", "q8_0")).isZero();

        assertThat(out.toString()).contains("4096 tokens of context, q8_0").contains("keys and values").contains("272.0 MiB")
                .contains("together, estimated").contains("- the number of weights");
    }

    @Test
    void aModelThatRunsElsewhereIsAnAnswerWithoutFigures() throws Exception {
        Path remote = file("""
                {"remote_model": "gpt-oss:120b", "remote_host": "https://ollama.com:443",
                 "model_info": {"general.architecture": "gptoss", "gptoss.context_length": 131072}}
                """);

        assertThat(run(remote.toString(), "--json")).isEqualTo(ExitCode.FOUND);
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.path("totalBytes").isNull()).isTrue();
        assertThat(json.path("kvBytes").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --context  | 0     | --context: 0 is not between 1
            --parallel | 300   | --parallel: 300 is not between 1
            --kv       | q5_1  | --kv: "q5_1" is none of f16, q8_0, q4_0
            --slots    | some  | --slots: "some" is none of each, split, shared
            """)
    void badUseNamesTheOption(String option, String value, String sentence) {
        assertThat(run("-", option, value)).isEqualTo(ExitCode.BAD_USE);
        assertThat(err.toString()).contains(sentence);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anAddressIsToldHowItsAnswerBecomesAFile() {
        for (String address : List.of("http://127.0.0.1:9/api/show", "http://127.0.0.1:9/", "HTTP://127.0.0.1:9")) {
            err.getBuffer().setLength(0);
            assertThat(run(address)).isEqualTo(ExitCode.BAD_USE);
            assertThat(err.toString()).startsWith("pitwall: " + address + ": this is an address").contains("127.0.0.1:9/api/show -d")
                    .contains("> show.json");
        }
    }

    @Test
    void badInputNamesTheFileAndThePlace() throws Exception {
        Path cut = file(LLAMA.substring(0, 300));
        assertThat(run(cut.toString())).isEqualTo(ExitCode.BAD_USE);
        assertThat(err.toString()).contains(cut + " line 3 column").contains("ends too early");

        assertThat(run(file("{\"models\": []}").toString())).isEqualTo(ExitCode.BAD_USE);
        assertThat(err.toString()).contains("no answer of /api/show");

        assertThat(run(folder.resolve("nothing").toString())).isEqualTo(ExitCode.BAD_USE);
        assertThat(err.toString()).contains("there is no such file");

        assertThat(run(Files.write(folder.resolve("x.gguf"), "GGUF\3\0\0\0".getBytes(StandardCharsets.ISO_8859_1)).toString()))
                .isEqualTo(ExitCode.BAD_USE);
        assertThat(err.toString()).contains("x.gguf byte 8: the file ends in the number of tensors");
    }
}
