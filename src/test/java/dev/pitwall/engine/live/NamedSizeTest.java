package dev.pitwall.engine.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedSizeTest {

    /** File sizes in GB as their makers give them; the guess is for more than the file. */
    @ParameterizedTest
    @CsvSource({
        "ggml-org/Qwen2.5-Coder-3B-Instruct-GGUF:Q4_K_M, 1.93",
        "Meta-Llama-3.1-8B-Instruct-Q5_K_M, 5.73",
        "gemma-3-27b-it-Q4_K_M, 16.5",
        "Mixtral-8x7B-Instruct-v0.1-Q5_0, 32.2",
        "Qwen3-30B-A3B-UD-Q4_K_XL, 17.7",
        "SmolLM2-135M-Instruct-F16, 0.27",
        "bartowski/Mistral-7B-Instruct-v0.3-Q8_0, 7.70"})
    void aNameWithItsParametersGivesAFirstFigure(String name, double gigabytes) {
        double guess = new NamedSize().of(new ModelName(name)).orElseThrow().likely() / 1e9;
        assertThat(guess).isBetween(gigabytes, gigabytes * 1.35);
    }

    @Test
    void aNameWithoutThemGivesNone() {
        assertThat(new NamedSize().of(new ModelName("mid-F16"))).isEmpty();
        assertThat(new NamedSize().of(new ModelName("nomic-embed-text:latest"))).isEmpty();
    }
}
