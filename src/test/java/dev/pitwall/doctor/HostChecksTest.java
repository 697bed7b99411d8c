package dev.pitwall.doctor;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.host.DriverVersions;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** What no line says alone: outputs of a host, a VM and a driver that are compared with each other. */
class HostChecksTest {
    private static final Doctor DOCTOR = Doctor.withCatalogue();
    private static final String CARD = """
            01:00.0 VGA compatible controller [0300]: NVIDIA Corporation AD102 [GeForce RTX 4090] [10de:2684] (rev a1)
            \tKernel driver in use: %s
            01:00.1 Audio device [0403]: NVIDIA Corporation AD102 High Definition Audio Controller [10de:22ba] (rev a1)
            \tKernel driver in use: %s
            """;
    private static final String VM = """
            balloon: 0
            bios: ovmf
            cores: 8
            cpu: host
            efidisk0: local-lvm:vm-100-disk-0,efitype=4m,size=4M
            %s
            machine: %s
            memory: 32768
            """;

    private record Text(String node, String kind, String text) {
        Document document(int number) {
            return Document.text("%02d--%s--%s.txt".formatted(number, kind, node), Hint.named(kind),
                    new About("", node, "", ""), text);
        }
    }

    private static Text text(String kind, String text) {
        return new Text("", kind, text);
    }

    private static Diagnosis diagnose(Text... texts) throws Exception {
        return DOCTOR.diagnose(taker -> {
            for (int i = 0; i < texts.length; i++) {
                taker.take(texts[i].document(i + 1));
            }
        });
    }

    private static List<String> names(Text... texts) throws Exception {
        Diagnosis diagnosis = diagnose(texts);
        return Stream.concat(diagnosis.findings().stream(), diagnosis.waiting().stream().map(w -> w.finding()))
                .map(f -> f.trap().name()).toList();
    }

    @Test
    void aFunctionOfAnAttachedCardThatTheHostHoldsIsFound() throws Exception {
        Text vm = text("vm-config", VM.formatted("hostpci0: 0000:01:00,pcie=1", "q35"));
        assertThat(names(text("lspci", CARD.formatted("vfio-pci", "snd_hda_intel")), vm)).first()
                .isEqualTo("host-driver-holds-passthrough-gpu");
        assertThat(names(text("lspci", CARD.formatted("vfio-pci", "vfio-pci")), vm)).isEmpty();
    }

    @Test
    void theVmThatWantsACardAndTheDriverThatHoldsItAreShownSideBySide() throws Exception {
        Diagnosis diagnosis = diagnose(text("lspci", CARD.formatted("vfio-pci", "snd_hda_intel")),
                text("vm-config", VM.formatted("hostpci0: 0000:01:00,pcie=1", "q35")));

        List<Excerpt> sides = diagnosis.findings().getFirst().evidence().stream().flatMap(p -> p.sides().stream()).toList();
        assertThat(sides).extracting(side -> side.lines().stream().filter(Excerpt.Line::counts)
                        .map(line -> line.number() + " " + line.text().strip()).toList())
                .contains(List.of("6 hostpci0: 0000:01:00,pcie=1"), List.of("3 01:00.1 Audio device [0403]: NVIDIA Corporation AD102"
                        + " High Definition Audio Controller [10de:22ba] (rev a1)", "4 Kernel driver in use: snd_hda_intel"));
    }

    @Test
    void ofTwoVersionsThatDifferBothLinesAreShown() throws Exception {
        SignBook book = new SignBook();
        book.add(version("driver-library-version", "nvidia-smi", "NVIDIA-SMI 570.86.15", "570.86.15"));
        book.add(version("driver-module-version", "dmesg", "NVRM: loading Kernel Module 565.57.01", "565.57.01"));

        new DriverVersions().look(new Picture(), book);

        assertThat(book.find(SignRef.of("versions-differ")).getFirst().sides()).extracting(Excerpt::from, side ->
                        side.lines().stream().filter(Excerpt.Line::counts).map(Excerpt.Line::text).toList())
                .containsExactly(tuple("nvidia-smi", List.of("NVIDIA-SMI 570.86.15")),
                        tuple("dmesg", List.of("NVRM: loading Kernel Module 565.57.01")));
    }

    private static Sign version(String id, String from, String line, String version) {
        return new Sign(id, About.NOTHING, Map.of("version", version), Optional.of(new Cited(from, 7, line)));
    }

    @Test
    void aCardOnTheHostsDriverIsNoFaultWhereNothingAttachesIt() throws Exception {
        assertThat(names(text("lspci", CARD.formatted("nvidia", "snd_hda_intel")))).isEmpty();
    }

    @Test
    void pcieWithoutQ35IsFoundAndSoIsAFunctionThatIsMissing() throws Exception {
        assertThat(names(text("vm-config", VM.formatted("hostpci0: 0000:01:00,pcie=1", "pc-i440fx-8.1")))).first()
                .isEqualTo("vm-machine-not-q35");
        assertThat(names(text("lspci", CARD.formatted("vfio-pci", "vfio-pci")),
                text("vm-config", VM.formatted("hostpci0: 0000:01:00.1,pcie=1", "q35")))).first()
                .isEqualTo("multifunction-device-split");
    }

    @Test
    void aDriverIsNotComparedWithTheCardOfAnotherNode() throws Exception {
        Text old = new Text("a", "lspci", """
                01:00.0 3D controller [0302]: NVIDIA Corporation GV100GL [Tesla V100 PCIe 16GB] [10de:1db4] (rev a1)
                """);
        String branch = "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  590.44.01  Mon Dec  1 10:00:00 UTC 2025\n";
        assertThat(names(old, new Text("b", "dmesg", branch))).isEmpty();
        assertThat(names(old, new Text("a", "dmesg", branch))).first().isEqualTo("gpu-needs-legacy-driver");
    }

    private static String extension(String name) {
        return "node: 10.0.0.4\nmetadata:\n    type: ExtensionStatuses.runtime.talos.dev\n    id: 0\nspec:\n    metadata:\n        name: "
                + name + "\n        version: 595.91.07-v1.13.9\n---\n";
    }

    @Test
    void onTalosTheModulesWithoutTheToolkitExplainThatNoRuntimeIsConfigured() throws Exception {
        Text events = text("events", "FailedCreatePodSandBox: failed to get sandbox runtime: no runtime for \"nvidia\" is configured\n");
        String modules = extension("nvidia-open-gpu-kernel-modules-production");

        assertThat(names(text("command-output", modules + extension("qemu-guest-agent")), events)).first()
                .isEqualTo("talos-extension-incomplete");
        assertThat(names(text("command-output", modules + extension("nvidia-container-toolkit-production")))).isEmpty();
    }
}
