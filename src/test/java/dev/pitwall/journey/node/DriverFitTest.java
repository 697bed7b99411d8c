package dev.pitwall.journey.node;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class DriverFitTest {
    private static final String NAMELESS = "";

    private final Generations generations = new Generations();
    private final DriverReleases releases = new DriverReleases();

    @Test
    void aCardIsToldByItsChipOrByItsIdWhereThePciListIsOlderThanTheCard() {
        assertThat(generation("25b0", "NVIDIA Corporation GA107GL [RTX A1000]")).isEqualTo("Ampere");
        assertThat(generation("25b0", NAMELESS)).isEqualTo("Ampere");
        assertThat(generation("2b85", "NVIDIA Corporation Device")).isEqualTo("Blackwell");
        assertThat(generation("2684", NAMELESS)).isEqualTo("Ada Lovelace");
        assertThat(generation("1b80", NAMELESS)).isEqualTo("Pascal");
        assertThat(generation("1eb8", NAMELESS)).isEqualTo("Turing");
        assertThat(generation("1db4", NAMELESS)).isEqualTo("Volta");
        assertThat(generation("2330", NAMELESS)).isEqualTo("Hopper");
        assertThat(generations.of(card("f000", NAMELESS))).isEmpty();
    }

    @Test
    void blackwellNeedsOpenModulesOfABranchThatKnowsIt() {
        DriverFit fit = fit(card("2b85", NAMELESS));

        assertThat(fit.types(595)).isEqualTo(Set.of(ModuleType.OPEN));
        assertThat(fit.takes(550)).isFalse();
        assertThat(fit.firstBranch()).isEqualTo(OptionalInt.of(570));
        assertThat(fit.leftOutBy(550)).containsExactly("Blackwell");
    }

    @Test
    void pascalNeedsProprietaryModulesAndEndsWith580() {
        DriverFit fit = fit(card("1b80", NAMELESS));

        assertThat(fit.type(580)).contains(ModuleType.PROPRIETARY);
        assertThat(fit.takes(595)).isFalse();
        assertThat(fit.lastBranch()).isEqualTo(OptionalInt.of(580));
    }

    @Test
    void openModulesAreTakenWhereBothDriveTheCardAndProprietaryOnesEndWith620() {
        DriverFit fit = fit(card("25b0", NAMELESS));

        assertThat(fit.type(580)).contains(ModuleType.OPEN);
        assertThat(fit.types(595)).containsExactlyInAnyOrder(ModuleType.OPEN, ModuleType.PROPRIETARY);
        assertThat(fit.types(620)).containsExactly(ModuleType.OPEN);
    }

    @Test
    void noDriverServesPascalAndBlackwellOnOneNode() {
        DriverFit fit = fit(card("1b80", NAMELESS), card("2b85", NAMELESS));

        assertThat(releases.liveBranches().filter(fit::takes)).isEmpty();
        assertThat(fit.names()).isEqualTo("Pascal, Blackwell");
    }

    @Test
    void aChartsDefaultIsPinnedOnlyWhereItDoesNotDriveTheCards() {
        assertThat(releases.forCards(fit(card("25b0", NAMELESS)), "v26.7.0", Optional.empty()))
                .contains(new DriverReleases.Chosen("595.91.07", ModuleType.OPEN, false));
        assertThat(releases.forCards(fit(card("1b80", NAMELESS)), "v26.7.0", Optional.empty()))
                .contains(new DriverReleases.Chosen("580.173.02", ModuleType.PROPRIETARY, true));
        assertThat(releases.forCards(fit(card("1b80", NAMELESS)), "26.3.3", Optional.empty()))
                .contains(new DriverReleases.Chosen("580.126.20", ModuleType.PROPRIETARY, false));
        assertThat(releases.forCards(fit(card("2b85", NAMELESS)), "v24.9.2", Optional.empty())).isEmpty();
        assertThat(releases.forCards(fit(card("102d", NAMELESS)), "v26.7.0", Optional.empty())).isEmpty();
    }

    @Test
    void aCardThatNoTableKnowsSpeaksAgainstNoDriver() {
        DriverFit fit = fit(card("f000", NAMELESS));

        assertThat(fit.type(610)).contains(ModuleType.OPEN);
        assertThat(fit.unknown()).hasSize(1);
    }

    private DriverFit fit(PciFunction... cards) {
        return DriverFit.of(Stream.of(cards).toList(), generations);
    }

    private String generation(String id, String name) {
        return generations.of(card(id, name)).map(Generation::name).orElse("");
    }

    private static PciFunction card(String id, String name) {
        return new PciFunction(PciAddress.parse("0000:01:00.0").orElseThrow(), Optional.of("0300"),
                Optional.of("VGA compatible controller"), Optional.of("10de"), Optional.of(id),
                Optional.of(name).filter(n -> !n.isEmpty()), Optional.empty(), Optional.empty(), List.of(),
                OptionalInt.empty(), Optional.empty());
    }
}
