package dev.pitwall.lab.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.world.NvidiaProbe.Found;
import org.junit.jupiter.api.Test;

import java.util.List;

/** What the module says of the cards it does not drive. */
class NvidiaProbeTest {
    private static final Found BLACKWELL = new Found("NVIDIA GeForce RTX 5090", "0000:01:00.0", "10de:2b85");
    private static final Found AMPERE = new Found("NVIDIA RTX A1000", "0000:02:00.0", "10de:25b0");
    private static final Found PASCAL = new Found("NVIDIA GeForce GTX 1050", "0000:03:00.0", "10de:1c81");

    private final NvidiaProbe probe = new NvidiaProbe();

    @Test
    void oneCardThatIsDrivenIsEnoughAndTheOthersAreNamed() {
        NvidiaProbe.Result result = probe.probe(List.of(BLACKWELL, AMPERE), "580.178.04", false);
        assertThat(result.taken()).isTrue();
        assertThat(result.lines()).hasSize(3).first().isEqualTo(
                "NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:2b85)");
    }

    @Test
    void aRefusedCardIsFoundAndALegacyCardIsNot() {
        assertThat(probe.probe(List.of(BLACKWELL), "595.91.07", false).lines())
                .endsWith("NVRM: None of the NVIDIA devices were initialized.");
        NvidiaProbe.Result legacy = probe.probe(List.of(PASCAL), "595.91.07", false);
        assertThat(legacy.taken()).isFalse();
        assertThat(legacy.lines()).startsWith("NVRM: The NVIDIA NVIDIA GeForce GTX 1050 GPU installed in this system is",
                "NVRM:  supported through the NVIDIA 580.xx Legacy drivers. Please").endsWith("NVRM: No NVIDIA GPU found.");
        assertThat(probe.probe(List.of(), "595.91.07", true).lines()).containsExactly("NVRM: No NVIDIA GPU found.");
    }
}
