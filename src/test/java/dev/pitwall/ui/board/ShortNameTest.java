package dev.pitwall.ui.board;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortNameTest {

    @ParameterizedTest
    @CsvSource({
        "qwen2.5-coder:3b, 16, qwen2.5-coder:3b",
        "qwen2.5-coder:3b, 11, qwen2.5…:3b",
        "hf.co/unsloth/Qwen3-32B-GGUF:Q4_K_M, 24, …Qwen3-32B-GGUF:Q4_K_M",
        "hf.co/unsloth/DeepSeek-R1-Distill-Qwen-32B-GGUF:Q4_K_M, 26, DeepSeek-R…32B-GGUF:Q4_K_M",
        "hf.co/unsloth/DeepSeek-R1-Distill-Qwen-32B-GGUF:Q4_K_M, 18, DeepSee…32B…Q4_K_M",
        "qwen3-coder:30b-a3b-instruct-2507-q8_0, 20, qwen3-coder…30b…q8_0",
        "mistral-small3.2:24b-instruct-2506-fp16, 18, mistral-s…24b…fp16",
        "llama3.2-vision:11b, 10, llama…:11b",
        "a-very-long-node-name-in-the-third-rack-07, 12, a-ver…ack-07"})
    void aCutNameKeepsItsBeginningAndWhatTellsItFromItsSisters(String name, int letters, String shown) {
        assertThat(ShortName.of(name, text -> text.length() <= letters)).isEqualTo(shown);
    }

    @Test
    void sistersStayApartAndAnythingEnds() {
        assertThat(ShortName.of("qwen3:14b-instruct-q4_K_M", t -> t.length() <= 14)).isNotEqualTo(
                ShortName.of("qwen3:14b-instruct-q8_0", t -> t.length() <= 14));
        assertThat(ShortName.of("", _ -> false)).isNotNull();
        assertThat(ShortName.of("a", _ -> false)).isNotNull();
        assertThat(ShortName.of("a/", _ -> false)).isNotNull();
        assertThat(ShortName.of("name:", _ -> false)).isNotNull();
        assertThat(ShortName.of("-8b", _ -> false)).isNotNull();
    }
}
