package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.ScriptedMachine;
import dev.pitwall.read.KernelCommandLine.Loader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** What real hosts printed, seen as one survey. */
class HostSurveyorTest {
    private static final String LSPCI = "lspci -nnkD";
    private static final String GROUPS = "find /sys/kernel/iommu_groups -type l";

    private final ScriptedMachine machine = new ScriptedMachine("pve1").says("uname -r", "6.8.12-4-pve\n");

    private HostSurvey survey() throws Exception {
        return new HostSurveyor(InstantSource.system()).survey(machine.alone(), "pve1");
    }

    private static String sample(String id) throws Exception {
        try (InputStream in = HostSurveyorTest.class.getResourceAsStream("/read/host-samples.json")) {
            JsonNode all = new ObjectMapper().readTree(in);
            return (all.isArray() ? all : all.path("samples")).valueStream().filter(s -> s.path("id").asText().equals(id))
                    .findFirst().orElseThrow().path("text").asText();
        }
    }

    private static PciAddress at(String address) {
        return PciAddress.parse(address).orElseThrow();
    }

    @Test
    void aHostThatHasNothingOfAllThisIsStillSurveyed() throws Exception {
        HostSurvey s = survey();
        assertThat(s.kernel()).isEqualTo("6.8.12-4-pve");
        assertThat(s.proxmox()).isEmpty();
        assertThat(s.functions()).isEmpty();
        assertThat(s.iommuOn()).isFalse();
        assertThat(s.loader()).isEqualTo(Loader.UNKNOWN);
        assertThat(s.files()).containsKey(HostFiles.MODPROBE).allSatisfy((path, content) -> assertThat(content.absent()).isTrue());
        assertThat(s.shown().get("lspci").ok()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"cmdline-grub, boot-tool-uefi, GRUB", "cmdline-systemd-boot, boot-tool-none, SYSTEMD_BOOT",
            "'', boot-tool-uefi, SYSTEMD_BOOT", "'', boot-tool-uefi-dangling, SYSTEMD_BOOT", "'', boot-tool-none, GRUB"})
    void theCommandLineProvesTheLoaderAndElseTheBootTool(String commandLine, String bootTool, Loader loader)
            throws Exception {
        machine.says("cat /proc/cmdline", commandLine.isEmpty() ? "ro quiet\n" : sample(commandLine) + "\n")
                .fails("proxmox-boot-tool status", 1, sample(bootTool) + "\n");
        assertThat(survey().loader()).isEqualTo(loader);
    }

    @Test
    void everyFunctionOfACardsSlotIsLookedAt() throws Exception {
        machine.says(LSPCI, sample("lspci-4-functions"))
                .saysToAll("grep -rsH . /sys/bus/pci/devices/0000:03:00.3/", """
                        /sys/bus/pci/devices/0000:03:00.3/reset_method:bus
                        /sys/bus/pci/devices/0000:03:00.3/power_state:D3cold
                        /sys/bus/pci/devices/0000:03:00.3/driver_override:vfio-pci
                        """);
        HostSurvey s = survey();
        assertThat(s.states().keySet()).extracting(PciAddress::toString).containsExactlyInAnyOrder("0000:03:00.0",
                "0000:03:00.1", "0000:03:00.2", "0000:03:00.3");
        assertThat(s.states().get(at("0000:03:00.3"))).isEqualTo(new HostSurvey.FunctionState(Optional.of("bus"),
                Optional.of("D3cold"), Optional.empty(), Optional.of("vfio-pci")));
        assertThat(s.states().get(at("0000:03:00.0")).resetMethod()).isEmpty();
    }

    @Test
    void twinCardsAreBothRead() throws Exception {
        machine.says(LSPCI, sample("lspci-identical"));
        assertThat(survey().functions()).extracting(PciFunction::vendorDevice)
                .containsExactly(Optional.of("10de:1ff2"), Optional.of("10de:1ff2"));
    }

    @Test
    void aDeadCardKeepsItsRevision() throws Exception {
        machine.says(LSPCI, sample("lspci-dead"));
        assertThat(survey().functions()).extracting(PciFunction::revision).containsExactly(Optional.of("ff"));
    }

    @ParameterizedTest
    @CsvSource({"groups-bridge-plus-4, 5, 2", "groups-acs-split, 4, 26"})
    void groupsAreThoseTheKernelShows(String sample, int functions, int lowest) throws Exception {
        machine.says(GROUPS, sample(sample)).says("ls /sys/class/iommu", "dmar0\ndmar1\n");
        HostSurvey s = survey();
        assertThat(s.groups()).hasSize(functions);
        assertThat(s.groups().values().stream().min(Integer::compare)).contains(lowest);
        assertThat(s.iommuOn()).isTrue();
    }

    @Test
    void anIommuIsOffWhateverItsFlagSays() throws Exception {
        machine.says("cat /proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz root=/dev/sda1 ro intel_iommu=on\n")
                .says("ls /sys/class/iommu", "").fails("ls /sys/firmware/acpi/tables", 2, "ls: cannot access\n");
        HostSurvey s = survey();
        assertThat(s.commandLine().value("intel_iommu")).contains("on");
        assertThat(s.iommuOn()).isFalse();
        assertThat(s.acpiTables()).isEmpty();
    }

    @Test
    void modulesAreListed() throws Exception {
        machine.says("lsmod", sample("lsmod-vfio"));
        assertThat(survey().modules()).contains("vfio_pci", "vfio_iommu_type1").doesNotContain("vfio_virqfd");
    }

    private void card(String iomem) {
        machine.says(LSPCI, """
                0000:01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102 [GeForce RTX 3090] [10de:2204] (rev a1)
                0000:00:02.0 VGA compatible controller [0300]: Intel Corporation UHD [8086:4680]
                """).says("cat /sys/bus/pci/devices/0000:01:00.0/resource", """
                0x00000000a1000000 0x00000000a1ffffff 0x0000000000040200
                0x0000006000000000 0x000000600fffffff 0x000000000014220c
                0x0000000000000000 0x0000000000000000 0x0000000000000000
                0x0000006010000000 0x0000006011ffffff 0x000000000014220c
                0x0000000000000000 0x0000000000000000 0x0000000000000000
                0x0000000000005000 0x000000000000507f 0x0000000000040101
                0x00000000a2000000 0x00000000a207ffff 0x0000000000046200
                """).says("lspci -vv -s 0000:01:00.0", """
                01:00.0 VGA compatible controller: NVIDIA Corporation GA102 [GeForce RTX 3090] (rev a1) (prog-if 00 [VGA controller])
                \tRegion 1: Memory at 6000000000 (64-bit, prefetchable) [size=256M]
                \tCapabilities: [bb0 v1] Physical Resizable BAR
                \t\tBAR 0: current size: 16MB, supported: 16MB
                \t\tBAR 1: current size: 256MB, supported: 64MB 128MB 256MB 512MB 1GB 2GB 4GB 8GB 16GB 32GB
                \t\tBAR 3: current size: 32MB, supported: 32MB
                """).says("cat /proc/iomem", iomem);
    }

    @Test
    void windowsOfMemoryAreReadWithTheSizesTheyCouldHave() throws Exception {
        card("");
        List<HostSurvey.Bar> bars = survey().bars().get(at("0000:01:00.0"));
        assertThat(bars).extracting(HostSurvey.Bar::index).containsExactly(0, 1, 3);
        assertThat(bars.get(0)).returns(16L << 20, HostSurvey.Bar::bytes).returns(false, HostSurvey.Bar::above4GiB)
                .returns(List.of(), HostSurvey.Bar::resizable);
        assertThat(bars.get(1)).returns(256L << 20, HostSurvey.Bar::bytes).returns(true, HostSurvey.Bar::above4GiB);
        assertThat(bars.get(1).resizable()).contains(64L << 20, 32L << 30).hasSize(10);
    }

    @Test
    void aBootFramebufferCountsOnlyInTheMemoryOfACard() throws Exception {
        card("""
                a0000000-a07fffff : PCI Bus 0000:00
                  a0000000-a07e8fff : BOOTFB
                6000000000-601fffffff : PCI Bus 0000:01
                  6000000000-600fffffff : 0000:01:00.0
                    6000000000-60007e8fff : simplefb
                """);
        assertThat(survey().framebuffer()).containsExactly("6000000000-60007e8fff : simplefb in 0000:01:00.0");
    }

    @Test
    void theProcessorsFlagsTellWhetherVirtualizationIsOn() throws Exception {
        String command = "grep -m 2 -E ^(vendor_id|flags) /proc/cpuinfo";
        machine.says(command, "vendor_id\t: AuthenticAMD\nflags\t\t: fpu vme svm sse\n");
        assertThat(survey()).returns("AuthenticAMD", HostSurvey::cpuVendor).returns(true, HostSurvey::virtualization);
        machine.says(command, "vendor_id\t: GenuineIntel\nflags\t\t: fpu vme sse vmx_not\n");
        assertThat(survey()).returns("GenuineIntel", HostSurvey::cpuVendor).returns(false, HostSurvey::virtualization);
    }

    @Test
    void withoutAnApiTheVersionIsThatOfItsPackages() throws Exception {
        machine.says("pveversion", "pve-manager/7.4-17/513c62be (running kernel: 5.15.131-2-pve)\n");
        assertThat(survey().proxmox()).contains("7.4-17");
    }

    @Test
    void onlyFilesThatAreReadByTheirProgramsCount() throws Exception {
        machine.saysToAll("find /etc/", """
                /etc/default/grub.d
                /etc/default/grub.d/installer.cfg
                /etc/modprobe.d
                /etc/modprobe.d/vfio.conf
                /etc/modprobe.d/vfio.conf.bak
                /etc/modprobe.d/.vfio.conf
                /etc/udev/rules.d/10-own.rules
                """).has("/etc/modprobe.d/vfio.conf", "options vfio-pci ids=10de:25b0\n");
        HostSurvey s = survey();
        assertThat(s.files()).containsKeys("/etc/default/grub.d/installer.cfg", "/etc/modprobe.d/vfio.conf",
                "/etc/udev/rules.d/10-own.rules").doesNotContainKeys("/etc/modprobe.d/vfio.conf.bak",
                "/etc/modprobe.d/.vfio.conf", "/etc/modprobe.d");
        assertThat(s.file("/etc/modprobe.d/vfio.conf").text()).startsWith("options");
    }
}
