package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Texts as people paste them: with prompts, colours, Windows line ends, of several commands, or broken. */
class MessyInputTest {

    private static final String LSPCI = "01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA107GL [RTX A1000] [10de:25b0] (rev a1)\n"
            + "\tKernel driver in use: vfio-pci\n";

    private final Recognizer recognizer = new Recognizer();

    @Test
    void promptsColoursAndWindowsLineEndsDoNotMatter() {
        JsonNode clean = Samples.read(LSPCI).path("devices");
        String messy = "\uFEFF\u001B[32mroot@pve1\u001B[0m:~# lspci -nnk\r\n" + LSPCI.replace("\n", "\r\n").replace("VGA", "\u001B[01;31mVGA\u001B[m")
                + "root@pve1:~# ";
        JsonNode document = Samples.read(messy, Text.Ending.MAYBE_CUT);
        assertThat(document.path("devices")).isEqualTo(clean);
        assertThat(document.path("notes")).isEmpty();
    }

    /** The line of a virtual machine started without a boot loader, shortened. */
    @Test
    void aCommandLineIsKnownByItsShape() {
        JsonNode document = Samples.read("mitigations=auto,no_guest_host console=ttyS0 quiet reboot=k panic=1 rdinit=/init pci=realloc=off"
                + " memhp_default_state=online_kernel fc_dmapin=0xeebe0000,0x3000 -- --start --addr 0.0.0.0:2024\n");
        assertThat(document.path("kind").asText()).isEqualTo("cmdline");
        assertThat(document.path("bootloader").asText()).isEqualTo("unknown");
        assertThat(recognizer.recognise(Text.of("be quiet and ro your boat = fun\n", Text.Ending.WHOLE)))
                .isInstanceOf(Recognizer.NotRecognised.class);
    }

    @Test
    void secretsOfAVmsConfigurationAreNotShown() {
        JsonNode settings = Samples.read("cores: 4\nostype: l26\ncipassword: $5$abc\nsshkeys: ssh-ed25519%20AAAA\nmemory: 2048\n")
                .path("settings");
        assertThat(settings.path("cipassword").asText()).isEqualTo("(not shown)");
        assertThat(settings.path("sshkeys").asText()).isEqualTo("(not shown)");
        assertThat(settings.path("cores").asText()).isEqualTo("4");
    }

    @Test
    void aPasteOfTwoCommandsGivesBoth() {
        JsonNode document = Samples.read("root@pve1:~# cat /proc/cmdline\nBOOT_IMAGE=/boot/vmlinuz-6.8.12-4-pve root=/dev/mapper/pve-root ro quiet\n"
                + "root@pve1:~# lspci -nnk -d 10de:\n" + LSPCI);
        assertThat(document.path("kind").asText()).isEqualTo("cmdline");
        assertThat(document.path("also").get(0).path("kind").asText()).isEqualTo("lspci");
        assertThat(document.path("also").get(0).path("devices").get(0).path("driver").asText()).isEqualTo("vfio-pci");
    }

    @Test
    void otherFormsOfLspciAreRead() {
        JsonNode domain = Samples.read("0000:01:00.0 0300: 10de:25b0 (rev a1)\n").path("devices").get(0);
        assertThat(domain.path("vendorDevice").asText()).isEqualTo("10de:25b0");
        assertThat(domain.path("class").asText()).isEqualTo("0300");
        JsonNode verbose = Samples.read("01:00.0 VGA compatible controller: NVIDIA Corporation GA107GL [RTX A1000] (rev a1) (prog-if 00 [VGA controller])\n"
                + "\tFlags: bus master, fast devsel, latency 0, IRQ 16, IOMMU group 14\n").path("devices").get(0);
        assertThat(verbose.path("iommuGroup").asInt()).isEqualTo(14);
        assertThat(verbose.path("name").asText()).isEqualTo("NVIDIA Corporation GA107GL [RTX A1000]");
    }

    @Test
    void otherFormsOfIommuGroupsAreRead() {
        JsonNode paths = Samples.read("/sys/kernel/iommu_groups/14/devices/0000:01:00.0\n/sys/kernel/iommu_groups/14/devices/0000:01:00.1\n");
        assertThat(paths.path("groups").get(0).path("group").asInt()).isEqualTo(14);
        assertThat(paths.path("groups").get(0).path("devices")).hasSize(2);
        JsonNode columns = Samples.read("Group 15:\t[10de:21c4] [R] 09:00.0  VGA compatible controller                TU116 [GeForce GTX 1660 SUPER]\n"
                + "\t\t[10de:1aeb]     09:00.1  Audio device                             TU116 High Definition Audio Controller\n");
        assertThat(columns.path("groups").get(0).path("devices").findValuesAsText("vendorDevice")).containsExactly("10de:21c4", "10de:1aeb");
    }

    @Test
    void pendingChangesOfAVmAreKeptApart() {
        JsonNode document = Samples.read("cur cores: 4\nnew hostpci0: mapping=gpu-a,pcie=1\ncur machine: q35\ndel hostpci1\nostype: l26\n");
        assertThat(document.path("kind").asText()).isEqualTo("qm-config");
        assertThat(document.path("passthrough")).isEmpty();
        assertThat(document.path("pending").findValuesAsText("key")).containsExactly("hostpci0", "hostpci1");
        assertThat(document.path("pending").findValuesAsText("action")).containsExactly("set", "delete");
    }

    @Test
    void aNumberThatMayBeCutIsNotTaken() {
        JsonNode cut = Samples.read("{\"models\":[{\"name\":\"a\",\"size_vram\":5964735424,\"size\":59647", Text.Ending.MAYBE_CUT);
        assertThat(cut.path("models").get(0).path("vramBytes").asLong()).isEqualTo(5_964_735_424L);
        assertThat(cut.path("models").get(0).path("sizeBytes").isNull()).isTrue();
        JsonNode values = Samples.read("driver:\n  enabled: true\ntoolkit:\n  enabled: false\ndevicePlugin:\n  replicas: 1", Text.Ending.MAYBE_CUT);
        assertThat(values.path("settings").has("devicePlugin.replicas")).isFalse();
        assertThat(values.path("notes").get(0).asText()).startsWith("line 6: ");
    }

    @Test
    void whatIsNotKnownIsNotRecognisedAndTheFirstLineIsNamed() {
        assertThat(recognizer.recognise(Text.whole("\n\nDear diary, today\nnothing happened.\n"))).isInstanceOfSatisfying(
                Recognizer.NotRecognised.class, n -> {
                    assertThat(n.line()).isEqualTo(3);
                    assertThat(n.firstLine()).isEqualTo("Dear diary, today");
                    assertThat(n.tried()).contains("lspci", "dmesg");
                });
        for (String text : List.of("", "{", "[", "---", "{}", "[]", "null", "<", "a: b\n", "{\"a\":1}", "key: {\n", "1\n2\n3\n")) {
            assertThat(recognizer.recognise(Text.whole(text))).as(text).isInstanceOf(Recognizer.NotRecognised.class);
        }
    }

    @Test
    void aTextOfVeryManyLinesIsReadUpToItsLimitAndSaysSo() {
        JsonNode document = Samples.read("NVRM: Xid (PCI:0000:01:00): 79, pid=1\n".repeat(Text.MOST_LINES + 1));
        assertThat(document.path("events")).hasSize(Text.MOST_LINES);
        assertThat(document.path("notes").get(0).asText()).isEqualTo("only the first 200000 lines were read");
    }

    @Test
    void aVeryLongLineCountsAsCut() {
        JsonNode document = Samples.read("NVRM: Xid (PCI:0000:01:00): 79, " + "x".repeat(Text.LONGEST_LINE) + "\n");
        assertThat(document.path("events").get(0).path("number").asInt()).isEqualTo(79);
        assertThat(document.path("notes").get(0).asText()).contains("line 1").contains("too long");
    }

    @Test
    void aNumberWithAnAbsurdExponentIsNoNumber() {
        String json = "{\"models\":[{\"name\":\"x\",\"size\":1e9999999995964735424,\"size_vram\":1e99}]}\n";
        assertThat(Samples.read(json).path("models").get(0).path("sizeBytes").isNull()).isTrue();
    }

    @Provide
    Arbitrary<String> damaged() {
        Arbitrary<String> scraps = Arbitraries.of("{", "}", "[", "]", "\"", "'", ":", "|", "\n", "\t", "&a", "*a", "!!x", "<", "&x;", "1e999999999",
                "NaN", "\u001B[", "\uD800", "=", "#", "- ", "99999999999999999999", "\u0000", "%", "0x", "?", ">", ",");
        return Arbitraries.of(Samples.all()).flatMap(text -> Combinators.combine(scraps, Arbitraries.integers().between(0, text.length()),
                Arbitraries.integers().between(0, 40)).as((scrap, at, drop) -> text.substring(0, at) + scrap
                + text.substring(Math.min(text.length(), at + drop))));
    }

    @Property(tries = 1500)
    void aDamagedTextNeverThrows(@ForAll("damaged") String text) {
        assertThat(recognise(text)).isNotNull();
    }

    @Property(tries = 300)
    void noTextAtAllThrows(@ForAll String text) {
        assertThat(recognise(text)).isNotNull();
    }

    private Object recognise(String text) {
        Recognizer.Result result = recognizer.recognise(Text.of(text, Text.Ending.MAYBE_CUT));
        return result instanceof Recognizer.Recognised r ? new ReadTable().write(new ReadJson().write("x", r, List.of())) : result;
    }
}
