package dev.pitwall.journey.talos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SchematicTest {
    private static final String QEMU = "siderolabs/qemu-guest-agent";
    private static final String OPEN = "siderolabs/nvidia-open-gpu-kernel-modules-lts";
    private static final String TOOLKIT = "siderolabs/nvidia-container-toolkit-lts";

    /** Those of the factory's own tests, and more that follow its rule. */
    @TestFactory
    Stream<DynamicTest> theIdIsThatOfTheFactory() throws Exception {
        JsonNode vectors = new ObjectMapper().readTree(getClass().getResource("/talos/schematic-vectors.json"));
        return vectors.path("vectors").valueStream().filter(v -> !v.path("name").asText().contains("other order"))
                .map(v -> DynamicTest.dynamicTest(v.path("name").asText(), () -> {
                    Schematic schematic = Schematic.parse(v.path("canonicalYaml").asText()).orElseThrow();

                    assertThat(schematic.canonical()).isEqualTo(v.path("canonicalYaml").asText());
                    assertThat(schematic.id()).isEqualTo(v.path("id").asText());
                }));
    }

    @Test
    void extensionsAreSortedSoThatTheSameChoiceHasTheSameId() {
        Schematic one = Schematic.empty().with(List.of(QEMU, OPEN, TOOLKIT));
        Schematic other = Schematic.empty().with(List.of(TOOLKIT, QEMU, OPEN, QEMU));

        assertThat(one).isEqualTo(other);
        assertThat(one.id()).isEqualTo("fad91d055be9791728e764d0ef7e2f93085abdee59db71e66c0a519dbee73a38");
        assertThat(one.with(List.of()).id()).isEqualTo(Schematic.empty().id());
    }

    @Test
    void whatElseTheSchematicHasIsKept() {
        Schematic own = Schematic.parse("""
                customization:
                  systemExtensions: {officialExtensions: [siderolabs/qemu-guest-agent]}
                  extraKernelArgs: ['console=ttyS0,115200', net.ifnames=0, -selinux]
                  meta: [{key: 12, value: "a: b"}]
                overlay: {name: rpi_generic, image: siderolabs/sbc-raspberrypi}
                """).orElseThrow();

        Schematic more = own.with(List.of(QEMU, TOOLKIT));

        assertThat(more.canonical()).isEqualTo("""
                overlay:
                    image: siderolabs/sbc-raspberrypi
                    name: rpi_generic
                customization:
                    extraKernelArgs:
                        - console=ttyS0,115200
                        - net.ifnames=0
                        - -selinux
                    meta:
                        - key: 12
                          value: 'a: b'
                    systemExtensions:
                        officialExtensions:
                            - siderolabs/nvidia-container-toolkit-lts
                            - siderolabs/qemu-guest-agent
                """);
        assertThat(more.kernelArguments()).contains("net.ifnames=0");
    }

    @Test
    void textsThatLookLikeSomethingElseAreQuotedAsGoDoes() {
        assertThat(Schematic.parse("customization: {extraKernelArgs: ['on', '1.5', '0x1f', 'true', '#a', 'a #b', '10:20']}")
                .orElseThrow().canonical()).isEqualTo("""
                customization:
                    extraKernelArgs:
                        - "on"
                        - "1.5"
                        - "0x1f"
                        - "true"
                        - '#a'
                        - 'a #b'
                        - "10:20"
                """);
    }

    @Test
    void anEmbeddedConfigurationIsNeverPrinted() {
        Schematic secret = Schematic.parse("customization: {embeddedMachineConfiguration: \"machine: {token: abc.def}\"}")
                .orElseThrow();

        assertThat(secret.holdsSecrets()).isTrue();
        assertThat(secret.toString()).doesNotContain("abc.def");
    }
}
