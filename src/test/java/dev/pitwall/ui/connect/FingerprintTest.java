package dev.pitwall.ui.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FingerprintTest {
    private static final String LEAF = "3F:A9:1C:07:B2:5E:88:D4:61:0B:F7:9A:2C:E3:45:18:D0:76:AE:51:9B:02:6F:C8:77:14:E9:3D:"
            + "5A:BB:20:84";
    private static final String OTHER = "AA" + LEAF.substring(2);
    private static final String HOST_KEY = "SHA256:uNiVztksCsDhcc0u9e8BrNXwMGYk1pZ8v6yDqvWbEYI";

    private static Comparison compare(String sent, String pasted) {
        return Fingerprint.in(sent).orElseThrow().compare(pasted);
    }

    @Test
    void aWholeConsoleOutputIsSearchedForTheFingerprint() {
        String console = "┌─────────────┬────────┐\n│ filename │ pve-root-ca.pem │\n│ fingerprint │ " + OTHER
                + " │\n├─┤\n│ filename │ pve-ssl.pem │\n│ fingerprint │ " + LEAF + " │\n└─┘";
        assertThat(compare(LEAF, console)).isInstanceOf(Comparison.Equal.class);
    }

    @Test
    void aCellBrokenByANarrowTerminalIsPutTogether() {
        String broken = "│ fingerprint │ " + LEAF.substring(0, 47) + ":│\n│             │ " + LEAF.substring(48) + " │";
        assertThat(compare(LEAF, broken)).isInstanceOf(Comparison.Equal.class);
    }

    @Test
    void opensslAndLowerCaseAreUnderstood() {
        assertThat(compare(LEAF, "sha256 Fingerprint=" + LEAF)).isInstanceOf(Comparison.Equal.class);
        assertThat(compare(LEAF, LEAF.toLowerCase())).isInstanceOf(Comparison.Equal.class);
        assertThat(compare(LEAF, LEAF.replace(":", ""))).isInstanceOf(Comparison.Equal.class);
    }

    @Test
    void theBytesThatDifferAreNamedFromOne() {
        assertThat(compare(LEAF, OTHER)).isInstanceOfSatisfying(Comparison.Differs.class,
                differs -> assertThat(differs.places()).containsExactly(1));
    }

    @Test
    void aShorterDigestIsNoFingerprint() {
        assertThat(compare(LEAF, LEAF.substring(0, 59))).isInstanceOf(Comparison.NoFingerprint.class);
        assertThat(compare(LEAF, "hello")).isInstanceOf(Comparison.NoFingerprint.class);
        assertThat(compare(LEAF, " \n")).isInstanceOf(Comparison.Nothing.class);
    }

    @Test
    void aHostKeyIsFoundInWhatSshKeygenPrints() {
        assertThat(compare(HOST_KEY, "256 " + HOST_KEY + " root@pve1 (ED25519)")).isInstanceOf(Comparison.Equal.class);
        assertThat(compare(HOST_KEY, "256 " + HOST_KEY.replace("uNi", "vNi") + " root@pve1 (ED25519)"))
                .isInstanceOf(Comparison.Differs.class);
    }

    @Test
    void itIsShownInTwoLinesOfFourGroups() {
        assertThat(Fingerprint.in(LEAF).orElseThrow().lines()).hasSize(2).allSatisfy(l -> assertThat(l).hasSize(4))
                .first().satisfies(l -> assertThat(l.getFirst()).isEqualTo("3F:A9:1C:07"));
    }

    @Property
    void oneChangedByteIsAlwaysFound(@ForAll @Size(32) byte[] bytes, @ForAll @IntRange(max = 31) int at) {
        HexFormat hex = HexFormat.ofDelimiter(":").withUpperCase();
        byte[] other = bytes.clone();
        other[at] ^= 0x10;
        assertThat(compare(hex.formatHex(bytes), "fingerprint: " + hex.formatHex(other)))
                .isInstanceOfSatisfying(Comparison.Differs.class, d -> assertThat(d.places()).containsExactly(at + 1));
    }
}
