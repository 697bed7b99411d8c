package dev.pitwall.journey.talos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.node.DriverFit;
import dev.pitwall.journey.node.Generations;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FitTest {
    private static final Generations GENERATIONS = new Generations();

    static PciFunction card(String name) {
        return new PciFunction(PciAddress.parse("0000:01:00.0").orElseThrow(), Optional.of("0300"), Optional.empty(),
                Optional.of("10de"), Optional.of("ffff"), Optional.of(name), Optional.empty(), Optional.empty(), List.of(),
                OptionalInt.empty(), Optional.empty());
    }

    private static List<Fit> fits(String release, String... names) {
        List<PciFunction> cards = List.of(names).stream().map(FitTest::card).toList();
        return Fit.of(Release.of(release).orElseThrow(), cards, DriverFit.of(cards, GENERATIONS));
    }

    private static String words(List<Fit> fits) {
        return fits.stream().map(f -> (f.type().value().equals("open") ? "open-" : "nonfree-") + f.tier().word())
                .collect(Collectors.joining(" "));
    }

    /** The table of facts: cluster.md 4.1. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "GB202 [GeForce RTX 5090] | v1.8.0  | -",
        "GB202 [GeForce RTX 5090] | v1.9.6  | -",
        "GB202 [GeForce RTX 5090] | v1.10.4 | open-production",
        "GB202 [GeForce RTX 5090] | v1.11.6 | open-production",
        "GB202 [GeForce RTX 5090] | v1.12.0 | open-lts open-production",
        "GB202 [GeForce RTX 5090] | v1.13.9 | open-production open-lts",
        "GP104 [GeForce GTX 1080] | v1.9.0  | nonfree-production nonfree-lts",
        "GP104 [GeForce GTX 1080] | v1.12.3 | nonfree-lts nonfree-production",
        "GP104 [GeForce GTX 1080] | v1.13.9 | nonfree-lts",
        "GV100 [TITAN V]          | v1.14.0-rc.1 | nonfree-lts",
        "GM204 [GeForce GTX 980]  | v1.13.0 | nonfree-lts",
        "GK210GL [Tesla K80]      | v1.13.9 | -",
        "AD102 [GeForce RTX 4090] | v1.13.9 | open-production open-lts nonfree-production nonfree-lts",
        "GA107GL [RTX A1000]      | v1.12.0 | open-lts open-production nonfree-lts nonfree-production"})
    void theExtensionsFitTheCardAndTheRelease(String card, String release, String expected) {
        assertThat(words(fits(release, card))).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void twoCardsOfOneNodeNeedTheSameExtensions() {
        assertThat(words(fits("v1.13.9", "GP104 [GeForce GTX 1080]", "TU104 [GeForce RTX 2080]"))).isEqualTo("nonfree-lts");
        assertThat(fits("v1.13.9", "GP104 [GeForce GTX 1080]", "GB202 [GeForce RTX 5090]")).isEmpty();
    }

    @Test
    void aSparkTakesTheProprietaryModulesAsTalosSays() {
        assertThat(words(fits("v1.13.9", "GB10 [DGX Spark]"))).isEqualTo("nonfree-production nonfree-lts");
    }

    @Test
    void otherExtensionsAreKeptAndThoseOfAnotherTierGo() {
        Fit fit = fits("v1.13.9", "AD102 [GeForce RTX 4090]").getFirst();

        assertThat(fit.over(List.of("siderolabs/qemu-guest-agent", "siderolabs/nvidia-container-toolkit-lts",
                "siderolabs/nonfree-kmod-nvidia-lts", "siderolabs/nvidia-fabricmanager-lts", "siderolabs/nvidia-gdrdrv-device")))
                .containsExactly("siderolabs/nvidia-container-toolkit-production", "siderolabs/nvidia-fabricmanager-production",
                        "siderolabs/nvidia-gdrdrv-device", "siderolabs/nvidia-open-gpu-kernel-modules-production",
                        "siderolabs/qemu-guest-agent");
        assertThat(fit.driver()).startsWith("595.");
    }
}
