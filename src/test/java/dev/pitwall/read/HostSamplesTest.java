package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/** What real Proxmox hosts printed is read as each sample says it should be. */
class HostSamplesTest {

    private static final Map<String, Consumer<JsonNode>> PINS = Map.ofEntries(
            entry("lspci-4-functions", d -> {
                assertThat(texts(d, "devices", "vendorDevice")).containsExactly("10de:2187", "10de:1aeb", "10de:1aec", "10de:1aed");
                assertThat(texts(d, "devices", "address")).allMatch(a -> a.startsWith("0000:03:00."));
                assertThat(d.path("devices").get(3).path("name").asText())
                        .isEqualTo("NVIDIA Corporation TU116 USB Type-C UCSI Controller");
            }),
            entry("lspci-identical", d -> {
                assertThat(texts(d, "devices", "vendorDevice")).containsExactly("10de:1ff2", "10de:1ff2");
                assertThat(texts(d, "devices", "subsystem")).containsExactly("17aa:1613", "17aa:1613");
                assertThat(texts(d, "devices", "driver")).containsExactly("vfio-pci", "nvidia");
            }),
            entry("lspci-audio-left-behind", d -> {
                assertThat(texts(d, "devices", "driver")).containsExactly("vfio-pci", "snd_hda_intel");
                assertThat(d.path("devices").get(1).path("vendorDevice").isNull()).isTrue();
                assertThat(d.path("devices").get(1).path("name").isNull()).isTrue();
                assertThat(d.path("notes")).hasSize(1);
            }),
            entry("lspci-dead", d -> {
                assertThat(texts(d, "devices", "revision")).containsExactly("ff");
                assertThat(texts(d, "devices", "driver")).containsExactly("vfio-pci");
            }),
            entry("lspci-3d-controller", d -> {
                assertThat(texts(d, "devices", "address")).containsExactly("0000:5e:00.0", "0000:d8:00.0");
                assertThat(texts(d, "devices", "class")).containsOnly("3D controller");
                assertThat(texts(d, "devices", "name")).containsOnly("NVIDIA Corporation GV100GL [Tesla V100S PCIe 32GB]");
                assertThat(d.path("devices").get(0).path("vendorDevice").isNull()).isTrue();
            }),
            entry("groups-bridge-plus-4", d -> {
                assertThat(d.path("groups").get(0).path("group").asInt()).isEqualTo(2);
                assertThat(texts(d.path("groups").get(0), "devices", "class"))
                        .containsExactly("0604", "0300", "0403", "0c03", "0c80");
            }),
            entry("groups-apu-nasty", d -> {
                assertThat(d.path("groups").get(0).path("group").asInt()).isEqualTo(5);
                assertThat(texts(d.path("groups").get(0), "devices", "class"))
                        .containsExactly("0600", "0604", "0300", "0403", "1080", "0c03");
            }),
            entry("groups-acs-split", d -> {
                assertThat(d.path("groups")).extracting(g -> g.path("group").asInt()).containsExactly(26, 27, 28, 29);
                assertThat(d.path("groups")).allSatisfy(g -> assertThat(g.path("devices")).hasSize(1));
            }),
            entry("groups-igpu-dgpu", d -> {
                assertThat(d.path("groups")).extracting(g -> g.path("group").asInt()).containsExactly(1, 2, 5);
                assertThat(d.path("groups").get(0).path("devices")).hasSize(5);
                assertThat(texts(d.path("groups").get(1), "devices", "address")).containsExactly("0000:00:02.0");
            }),
            entry("dmesg-intel-on-with-flag", d -> {
                iommu(d, "active", "intel");
                assertThat(d.path("iommu").path("interruptRemapping").asBoolean()).isTrue();
            }),
            entry("dmesg-intel-on-by-default", d -> iommu(d, "active", "intel")),
            entry("dmesg-intel-firmware-off", d -> iommu(d, "option-only", "intel")),
            entry("dmesg-amd-on", d -> {
                iommu(d, "active", "amd");
                assertThat(d.path("iommu").path("acsOverride").asBoolean()).isTrue();
                assertThat(d.path("events")).anySatisfy(e -> {
                    assertThat(e.path("what").asText()).isEqualTo("iommu-option-unknown");
                    assertThat(e.path("value").asText()).isEqualTo("on");
                });
            }),
            entry("cmdline-systemd-boot", d -> {
                assertThat(d.path("bootloader").asText()).isEqualTo("systemd-boot");
                assertThat(d.path("editFile").asText()).isEqualTo("/etc/kernel/cmdline");
                assertThat(d.path("intelIommu").asText()).isEqualTo("on");
                assertThat(d.path("iommu").asText()).isEqualTo("pt");
                assertThat(d.path("options")).hasSize(5);
            }),
            entry("cmdline-grub", d -> {
                assertThat(d.path("bootloader").asText()).isEqualTo("grub");
                assertThat(d.path("editFile").asText()).isEqualTo("/etc/default/grub");
            }),
            entry("boot-tool-uefi", d -> {
                assertThat(d.path("bootloader").asText()).isEqualTo("systemd-boot");
                assertThat(d.path("bootedWith").asText()).isEqualTo("uefi");
                assertThat(texts(d, "partitions", "uuid")).containsExactly("E014-501F");
            }),
            entry("boot-tool-uefi-dangling", d -> {
                assertThat(d.path("bootloader").asText()).isEqualTo("systemd-boot");
                assertThat(texts(d, "partitions", "uuid")).containsExactly("6D31-87F4", "CE07-78FC");
                assertThat(d.path("partitions").get(0).path("kernels")).hasSize(3);
                assertThat(d.path("warnings")).singleElement().extracting(JsonNode::asText).asString().contains("CE07-1118");
            }),
            entry("boot-tool-none", d -> {
                assertThat(d.path("bootloader").asText()).isEqualTo("grub");
                assertThat(d.path("managed").asBoolean(true)).isFalse();
                assertThat(d.path("bootedWith").asText()).isEqualTo("legacy bios");
            }),
            entry("lsmod-vfio", d -> {
                assertThat(texts(d, "modules", "name")).containsExactly("vfio_pci", "vfio_pci_core", "irqbypass",
                        "vfio_iommu_type1", "vfio", "iommufd");
                assertThat(d.path("modules").get(2).path("usedBy")).extracting(JsonNode::asText)
                        .containsExactly("vfio_pci_core", "kvm");
            }),
            entry("journal-d3cold", d -> {
                assertThat(texts(d, "events", "what"))
                        .containsExactly("acpi-power-failed", "acpi-power-failed", "not-ready-after-reset");
                assertThat(d.path("events").get(2).path("address").asText()).isEqualTo("0000:01:00.0");
                assertThat(d.path("events").get(2).path("number").asInt()).isEqualTo(1023);
                assertThat(d.path("events").get(2).path("value").asText()).isEqualTo("resume");
            }),
            entry("journal-bus-reset-dead", d -> {
                assertThat(texts(d, "events", "what")).contains("stuck-in-d3");
                assertThat(d.path("events").get(3).path("number").asInt()).isEqualTo(65535);
                assertThat(d.path("events").get(3).path("text").asText()).endsWith("giving up");
            }),
            entry("journal-framebuffer", d -> assertThat(d.path("events")).anySatisfy(e -> {
                assertThat(e.path("what").asText()).isEqualTo("bar-not-reserved");
                assertThat(e.path("number").asInt()).isEqualTo(3);
                assertThat(e.path("value").asText()).startsWith("mem 0xa0000000-0xa1ffffff");
            })),
            entry("task-start-bus-reset-only", d -> {
                assertThat(d.path("outcome").asText()).isEqualTo("ok");
                assertThat(texts(d, "lines", "severity")).containsOnly("info");
            }),
            entry("task-backup-conflict", d -> {
                assertThat(texts(d, "lines", "severity")).containsExactly("error", "error");
                assertThat(d.path("lines").get(0).path("vmid").asInt()).isEqualTo(104);
                assertThat(d.path("outcome").isNull()).isTrue();
            }),
            entry("modprobe-bad-line", d -> {
                assertThat(texts(d, "events", "what")).containsExactly("modprobe-bad-line");
                assertThat(d.path("events").get(0).path("value").asText()).isEqualTo("/etc/modprobe.d/vfio.conf");
                assertThat(d.path("events").get(0).path("number").asInt()).isEqualTo(389);
            }),
            entry("vm-conf-passthrough", d -> {
                assertThat(texts(d, "passthrough", "key")).containsExactly("hostpci0", "hostpci1");
                assertThat(d.path("slots")).extracting(JsonNode::asText).containsExactly("0000:01:00");
                assertThat(d.path("passthrough").get(0).path("pcie").asBoolean()).isTrue();
                assertThat(d.path("settings").path("machine").asText()).isEqualTo("pc-q35-10.0");
            }));

    private static final Map<String, String> KINDS = Map.of("lspci", "lspci", "groups", "iommu-groups", "dmesg", "dmesg",
            "cmdline", "cmdline", "boot", "proxmox-boot-tool", "lsmod", "lsmod", "journal", "dmesg", "task", "proxmox-task",
            "modprobe", "dmesg", "vm", "qm-config");

    @TestFactory
    Stream<DynamicTest> everySampleIsReadAsItShouldBe() {
        return Samples.hostIds().stream().map(id -> DynamicTest.dynamicTest(id, () -> {
            assertThat(PINS).as("a pin for " + id).containsKey(id);
            JsonNode document = Samples.read(Samples.host(id));
            assertThat(document.path("kind").asText()).isEqualTo(KINDS.get(id.split("-")[0]));
            PINS.get(id).accept(document);
        }));
    }

    private static List<String> texts(JsonNode document, String list, String field) {
        return document.path(list).findValuesAsText(field);
    }

    private static void iommu(JsonNode document, String state, String vendor) {
        assertThat(document.path("iommu").path("state").asText()).isEqualTo(state);
        assertThat(document.path("iommu").path("vendor").asText()).isEqualTo(vendor);
    }
}
