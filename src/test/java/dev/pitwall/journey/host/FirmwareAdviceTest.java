package dev.pitwall.journey.host;

import dev.pitwall.journey.host.FirmwareAdvice.Place;
import dev.pitwall.journey.host.FirmwareAdvice.Purpose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class FirmwareAdviceTest {
    private static final String INTEL = "GenuineIntel";
    private static final String AMD = "AuthenticAMD";

    private final FirmwareAdvice advice = new FirmwareAdvice();

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ASUSTeK COMPUTER INC. PRIME Z690-P D4 | VT-d at Advanced > System Agent (SA) Configuration",
        "Micro-Star International Co., Ltd. PRO Z690-A DDR4(MS-7D25) | Intel VT-D Tech at Overclocking (OC) > CPU Features",
        "Gigabyte Technology Co., Ltd. B460M AORUS PRO | VT-d at Tweaker > Advanced CPU Settings",
        "Gigabyte Technology Co., Ltd. H97M-D3H | VT-d at BIOS Features",
        "ASRock Z390 Phantom Gaming-ITX/ac | VT-d at Advanced > Chipset Configuration",
        "Supermicro X11DDW-L | Intel VT for Directed I/O (VT-d) at Advanced > Chipset Configuration > North Bridge > IIO Configuration",
        "Dell Inc. 0D24M8 | VT for Direct I/O at Virtualization Support",
        "HP 829A | Virtualization Technology for Directed I/O (VTd) at Advanced > System Options",
        "LENOVO 20KHCTO1WW | Intel (R) VT-d Feature at Virtualization",
    })
    void anIntelBoardIsToldWhereVtdIs(String board, String place) {
        assertThat(place(board, INTEL, Purpose.IOMMU)).hasValue(place);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ASRock TRX40 Creator | IOMMU at Advanced > AMD CBS > NBIO Common Options",
        "ASRock X300TM-ITX | IOMMU at Advanced > CPU Configuration",
    })
    void anAmdBoardIsToldWhereItsIommuIs(String board, String place) {
        assertThat(place(board, AMD, Purpose.IOMMU)).hasValue(place);
    }

    @Test
    void whatIsDocumentedOfTheOtherProcessorsBoardsIsNotTold() {
        assertThat(place("ASUSTeK COMPUTER INC. ProArt X670E-CREATOR WIFI", AMD, Purpose.IOMMU)).isEmpty();
        assertThat(place("ASUSTeK COMPUTER INC. ProArt X670E-CREATOR WIFI", AMD, Purpose.ABOVE_4G)).isPresent();
        assertThat(place("ASUSTeK COMPUTER INC. ProArt X670E-CREATOR WIFI", AMD, Purpose.REBAR)).isPresent();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"Micro Computer (HK) Tech Limited AHWSA", "Supermicro H12SSL-i", "Intel HP-like",
        "LENOVO 312D", "Shenzhen MSIxx", "''"})
    void aBoardWithoutADocumentIsToldNoMenu(String board) {
        assertThat(advice.places(board, INTEL)).isEmpty();
    }

    @Test
    void aBoardIsToldOnePlaceOfEachPurposeInTheirOrder() {
        for (FirmwareAdvice.Board board : advice.boards()) {
            for (String cpu : List.of(INTEL, AMD)) {
                List<Purpose> purposes = advice.places(board.board().replaceAll("[\\\\^].*", ""), cpu).stream()
                        .map(Place::purpose).toList();
                assertThat(purposes).doesNotHaveDuplicates().isSorted();
            }
        }
    }

    @Test
    void everyEntryNamesItsDocument() {
        assertThat(advice.boards()).isNotEmpty().allSatisfy(board -> {
            assertThat(URI.create(board.source()).getScheme()).isEqualTo("https");
            assertThat(board.settings()).isNotEmpty();
        });
    }

    private Optional<String> place(String board, String cpu, Purpose purpose) {
        return advice.places(board, cpu).stream().filter(p -> p.purpose() == purpose).findFirst()
                .map(p -> p.setting() + " at " + p.path());
    }
}
