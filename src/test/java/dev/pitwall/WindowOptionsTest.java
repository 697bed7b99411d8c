package dev.pitwall;

import org.junit.jupiter.api.Test;

import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class WindowOptionsTest {

    @Test
    void noArgumentsOpenTheWindow() {
        assertThat(WindowOptions.parse()).contains(
                new WindowOptions(Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @Test
    void aSiteALabAndASmokeRunAreTaken() {
        assertThat(WindowOptions.parse("--site", "basement", "--smoke", "20")).contains(
                new WindowOptions(Optional.empty(), Optional.of("basement"), Optional.of(20)));
        assertThat(WindowOptions.parse("--lab", "--smoke")).contains(
                new WindowOptions(Optional.of("garage"), Optional.empty(), Optional.of(8)));
        assertThat(WindowOptions.parse("--lab", "fleet")).contains(
                new WindowOptions(Optional.of("fleet"), Optional.empty(), Optional.empty()));
    }

    @Test
    void everythingElseIsForTheCommandLine() {
        assertThat(WindowOptions.parse("status")).isEmpty();
        assertThat(WindowOptions.parse("--help")).isEmpty();
        assertThat(WindowOptions.parse("--site")).isEmpty();
        assertThat(WindowOptions.parse("--smoke", "0")).isEmpty();
    }
}
