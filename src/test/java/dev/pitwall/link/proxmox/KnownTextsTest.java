package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.proxmox.KnownTexts.Known;
import dev.pitwall.link.proxmox.KnownTexts.Severity;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.link.trust.Words;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Every exact text of Proxmox, QEMU and the kernel that is on record becomes one sentence with a next action. */
class KnownTextsTest {
    private static final Place PLACE = new Place(Service.PROXMOX, "pve1", "pve1.lan", 8006);

    private final KnownTexts texts = new KnownTexts();
    private final Words words = new Words();

    static Stream<JsonNode> records() throws Exception {
        try (InputStream in = KnownTextsTest.class.getResourceAsStream("/link/proxmox/error-texts.json")) {
            return new ObjectMapper().readTree(in).valueStream();
        }
    }

    private Trouble sentence(String text) {
        Known known = texts.find(text).orElseThrow(() -> new AssertionError("not understood: " + text));
        return words.trouble(known.kind(), PLACE, known.key(), known.values().toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("records")
    void eachTextIsUnderstood(JsonNode record) {
        String text = record.path("text").asText();
        Trouble trouble = Troubles.fit(sentence(text));
        assertThat(trouble.what()).isNotEqualTo(text);
        assertThat(texts.find(text).orElseThrow().severity())
                .isEqualTo(Severity.valueOf(record.path("severity").asText().toUpperCase(Locale.ROOT)));
    }

    @Test
    void thereAreFiftyNineOfThem() throws Exception {
        assertThat(records()).hasSize(59);
    }

    @Test
    void noTwoTextsOfDifferentMeaningShareASentence() throws Exception {
        // One meaning has several texts: the sign-in's, and the two lines about a card without a reset of its own.
        Set<String> shared = Set.of("proxmox.unauthorized", "proxmox.known.rootoption", "proxmox.known.noreset");
        Set<String> seen = new HashSet<>();
        List<String> twice = records().map(r -> texts.find(r.path("text").asText()).orElseThrow().key())
                .filter(key -> !seen.add(key)).filter(key -> !shared.contains(key)).toList();
        assertThat(twice).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "PCI device '0000:01:00.0' already in use by VMID '104' | VM 104 has 0000:01:00.0 now",
            "TASK ERROR: PCI device '0000:01:00.0' already in use by VMID '104' | VM 104 has 0000:01:00.0 now",
            "VM is locked (snapshot-delete) | the VM is locked by a running snapshot-delete",
            "PCI device mapping invalid (hardware probably changed): 'iommugroup' does not match for 'gpu0' (13 != 14)"
                    + " | the PCI mapping gpu0 has iommugroup 14, and the host now has 13",
            "vfio-pci 0000:84:00.0: not ready 65535ms after FLR; giving up | the card did not come back after FLR",
            "Permission check failed (/vms/100, VM.Config.HWType) | the right VM.Config.HWType on /vms/100 is missing",
    })
    void whatMattersOfATextIsInItsSentence(String text, String what) {
        assertThat(sentence(text).what()).isEqualTo(what);
    }

    @Test
    void whatIsNotThereIsSaidSoByKind() {
        assertThat(sentence("Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist").kind())
                .isEqualTo(Kind.MISSING);
        assertThat(sentence("no such resource 'vm:999'").kind()).isEqualTo(Kind.MISSING);
    }

    @Test
    void anUnknownTextIsNotGuessedAt() {
        assertThat(texts.find("start failed: QEMU exited with code 1")).isEmpty();
        assertThat(texts.find("INFO: Finished Backup of VM 104 (00:01:02)")).isEmpty();
    }
}
