package dev.pitwall.journey.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.read.BootToolReader;
import dev.pitwall.read.LsmodReader;
import dev.pitwall.read.Text;
import dev.pitwall.read.VmConfigReader;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** What real hosts printed, through the readers, gets the right verdict. Sources are in the files of {@code read}. */
class HostSamplesTest {
    private static final String OWN = "/etc/modprobe.d/zz-pitwall.conf";
    private static final Map<String, String> SAMPLES = samples();

    private static Map<String, String> samples() {
        Map<String, String> samples = new LinkedHashMap<>();
        try {
            for (JsonNode sample : new ObjectMapper().readTree(resource("host-samples.json")).get("samples")) {
                samples.put(sample.get("id").asText(), sample.get("text").asText());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return samples;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = HostSamplesTest.class.getResourceAsStream("/read/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static HostBuilder lspci(String sample) {
        return new HostBuilder().lspci(SAMPLES.get(sample));
    }

    /** Every function in a group of its own. */
    private static HostBuilder grouped(HostBuilder host) {
        int group = 30;
        for (var f : host.functions) {
            host.group(group++, f.address().toString());
        }
        return host;
    }

    private static String written(Answer answer, String path) {
        return answer.changes().stream().filter(c -> c instanceof FileChange f && f.path().equals(path))
                .map(c -> ((FileChange) c).after().text()).findFirst().orElseThrow();
    }

    private static Found row(Answer answer, String name) {
        return answer.found().stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void allSamplesAreKnownHere() {
        assertThat(SAMPLES).containsOnlyKeys("lspci-4-functions", "lspci-identical", "lspci-audio-left-behind", "lspci-dead",
                "lspci-3d-controller", "groups-bridge-plus-4", "groups-apu-nasty", "groups-acs-split", "groups-igpu-dgpu",
                "dmesg-intel-on-with-flag", "dmesg-intel-on-by-default", "dmesg-intel-firmware-off", "dmesg-amd-on",
                "cmdline-systemd-boot", "cmdline-grub", "boot-tool-uefi", "boot-tool-uefi-dangling", "boot-tool-none",
                "lsmod-vfio", "journal-d3cold", "journal-bus-reset-dead", "journal-framebuffer", "task-start-bus-reset-only",
                "task-backup-conflict", "modprobe-bad-line", "vm-conf-passthrough");
    }

    @Test
    void fourFunctionsWithoutDriversGetTheModulesThatAreKnownToCompete() {
        assertThat(written(grouped(lspci("lspci-4-functions")).ask("bind", "0000:03:00"), OWN)).isEqualTo("""
                softdep nouveau pre: vfio-pci
                softdep snd_hda_intel pre: vfio-pci
                softdep xhci_pci pre: vfio-pci
                softdep i2c_nvidia_gpu pre: vfio-pci
                options vfio-pci ids=10de:2187,10de:1aeb,10de:1aec,10de:1aed
                blacklist nouveau
                """);
    }

    @Test
    void identicalCardsAreBoundByAddress() throws IOException {
        for (HostBuilder host : List.of(lspci("lspci-identical"),
                new HostBuilder().lspci(resource("raw/lspci-nnk-two-identical-t400.txt")))) {
            Answer answer = grouped(host).ask("bind", "0000:65:00");

            assertThat(answer.state()).isEqualTo(State.READY);
            assertThat(written(answer, "/etc/udev/rules.d/90-pitwall.rules")).contains("KERNEL==\"0000:65:00.0\"");
        }
    }

    @Test
    void audioThatWasLeftBehindIsNotReady() {
        Answer answer = grouped(lspci("lspci-audio-left-behind")).ask("bind");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(row(answer, "Driver in use").value()).isEqualTo("vfio-pci and snd_hda_intel");
        assertThat(row(answer, "Driver in use").mark()).isEqualTo(Found.Mark.ATTENTION);
        assertThat(answer.questions().getFirst().chosen()).as("the audio's ids are cut off in this paste")
                .isEqualTo("address");
    }

    @Test
    void aDeadFunctionNeedsAPowerCycle() {
        assertThat(lspci("lspci-dead").ask("idle-power", "0000:04:00").state()).isEqualTo(State.BLOCKED);
    }

    @Test
    void controllersWithoutDisplayAreCardsToo() {
        HostBuilder host = grouped(lspci("lspci-3d-controller"));

        assertThat(host.ask("group", "0000:5e:00").state()).isEqualTo(State.DONE);
        assertThat(host.ask("bind", "0000:d8:00").state()).isEqualTo(State.DONE);
    }

    @Test
    void groupsAreJudgedByWhoIsInThem() throws IOException {
        assertThat(groups(SAMPLES.get("groups-bridge-plus-4"), "0000:01:00").state()).isEqualTo(State.DONE);
        assertThat(groups(SAMPLES.get("groups-igpu-dgpu"), "0000:01:00").state()).isEqualTo(State.DONE);
        assertThat(groups(resource("raw/iommu-groups-skylake-gtx1660.txt"), "0000:01:00").state()).isEqualTo(State.DONE);
        assertThat(groups(resource("raw/iommu-groups-9series-gtx760.txt"), "0000:01:00").why())
                .isEqualTo("group 1 holds only this card");

        Answer split = groups(SAMPLES.get("groups-acs-split"), "0000:27:00");
        assertThat(split.state()).isEqualTo(State.DONE);
        assertThat(split.notes()).anyMatch(n -> n.contains("all of them to one VM"));
    }

    @Test
    void securityProcessorAndUsbBesideTheGraphicsAreStrangersOnlyInAnotherSlot() {
        Answer own = groups(SAMPLES.get("groups-apu-nasty"), "0000:04:00");
        Answer other = new HostBuilder().groupListing(SAMPLES.get("groups-apu-nasty").replace("04:00.0 VGA", "05:00.0 VGA")
                .replace("04:00.1 Audio", "05:00.1 Audio")).ask("group", "0000:05:00");

        assertThat(own.state()).isEqualTo(State.BLOCKED);
        assertThat(other.why()).contains("security processor 0000:04:00.2").contains("USB controller 0000:04:00.3");
    }

    private static Answer groups(String listing, String slot) {
        return new HostBuilder().groupListing(listing).ask("group", slot);
    }

    @Test
    void kernelLogsDecideNothingAboutTheIommu() {
        for (String log : List.of("dmesg-intel-on-with-flag", "dmesg-intel-on-by-default", "dmesg-intel-firmware-off")) {
            HostBuilder host = HostBuilder.withCard().show(Showing.KERNEL_LOG, SAMPLES.get(log));
            assertThat(host.ask("iommu").state()).as(log).isEqualTo(State.DONE);
        }
        HostBuilder off = HostBuilder.withCard().iommuOff().show(Showing.KERNEL_LOG, SAMPLES.get("dmesg-intel-firmware-off"));
        off.tables.clear();
        assertThat(off.ask("iommu").state()).isEqualTo(State.BLOCKED);
    }

    @Test
    void interruptRemappingIsReadFromTheLog() {
        for (String log : List.of("dmesg-intel-on-with-flag", "dmesg-intel-on-by-default", "dmesg-amd-on")) {
            assertThat(row(HostBuilder.withCard().show(Showing.KERNEL_LOG, SAMPLES.get(log)).ask("iommu"),
                    "Interrupt remapping").value()).as(log).isEqualTo("On");
        }
        assertThat(row(HostBuilder.withCard().show(Showing.KERNEL_LOG, SAMPLES.get("dmesg-intel-firmware-off")).ask("iommu"),
                "Interrupt remapping").mark()).isEqualTo(Found.Mark.INFO);
    }

    @Test
    void amdsOwnOptionIsNoise() {
        Answer answer = HostBuilder.amd().cmdline("BOOT_IMAGE=/boot/vmlinuz root=/dev/sda1 amd_iommu=on "
                + "pcie_acs_override=downstream").ask("iommu");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(row(answer, "Kernel options").value()).contains("knows no amd_iommu=on");
    }

    @Test
    void theCommandLineSaysWhichBootLoaderItWas() {
        HostBuilder systemd = HostBuilder.withCard().cmdline(SAMPLES.get("cmdline-systemd-boot")).choose("sysfb", "yes")
                .file("/etc/kernel/cmdline", "root=ZFS=rpool/ROOT/pve-1 boot=zfs intel_iommu=on iommu=pt\n");
        HostBuilder grub = HostBuilder.withCard().cmdline(SAMPLES.get("cmdline-grub")).choose("sysfb", "yes");

        assertThat(systemd.ask("iommu").changes()).extracting(Change::target)
                .containsExactly("/etc/kernel/cmdline", "proxmox-boot-tool refresh", "Reboot pve1");
        assertThat(grub.ask("iommu").changes()).extracting(Change::target)
                .containsExactly("/etc/default/grub.d/pitwall.cfg", "update-grub", "Reboot pve1");
    }

    @Test
    void theBootToolDecidesWhereTheCommandLineDoesNot() {
        for (var expected : Map.of("boot-tool-uefi", "proxmox-boot-tool refresh",
                "boot-tool-uefi-dangling", "proxmox-boot-tool refresh", "boot-tool-none", "update-grub").entrySet()) {
            HostBuilder host = HostBuilder.withCard().cmdline("root=/dev/mapper/pve-root ro quiet").choose("pt", "yes")
                    .file("/etc/kernel/cmdline", "root=/dev/mapper/pve-root quiet\n");
            host.loader = new BootToolReader().read(Text.whole(SAMPLES.get(expected.getKey()))).loader();

            assertThat(host.ask("iommu").changes()).extracting(Change::target).as(expected.getKey())
                    .contains(expected.getValue());
        }
    }

    @Test
    void loadedVfioModulesAreNoHostDriver() {
        HostBuilder host = HostBuilder.withCard();
        new LsmodReader().read(Text.whole(SAMPLES.get("lsmod-vfio"))).modules().forEach(m -> host.modules.add(m.name()));

        assertThat(host.ask("bind").found()).noneMatch(f -> f.name().equals("Host driver"));
        assertThat(written(host.ask("bind"), "/etc/modules-load.d/pitwall.conf")).doesNotContain("virqfd");
    }

    @Test
    void aCardThatDidNotWakeIsToBeKeptAwake() {
        Answer answer = HostBuilder.withCard().file("/etc/modprobe.d/v.conf", "options vfio-pci ids=10de:25b0,10de:2291\n"
                        + "blacklist nouveau\nsoftdep snd_hda_intel pre: vfio-pci\n")
                .show(Showing.KERNEL_LOG, SAMPLES.get("journal-d3cold")).ask("idle-power");

        assertThat(answer.questions().getFirst().chosen()).isEqualTo("yes");
        assertThat(row(answer, "Kernel log").value()).contains("not ready 1023ms after resume");
    }

    @Test
    void aCardThatTheKernelGaveUpNeedsAPowerCycle() {
        Answer answer = new HostBuilder().lspci("84:00.0 VGA compatible controller [0300]: NVIDIA Corporation X [10de:25b0]\n")
                .state("0000:84:00.0", "bus", "D3cold", false)
                .show(Showing.KERNEL_LOG, SAMPLES.get("journal-bus-reset-dead")).ask("idle-power", "0000:84:00");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("switch pve1 off");
    }

    @Test
    void aFramebufferThatHoldsMemoryIsSaidAtTheChoice() {
        HostBuilder host = HostBuilder.withCard().state("0000:01:00.0", "bus", "D0", true)
                .show(Showing.KERNEL_LOG, SAMPLES.get("journal-framebuffer"));

        assertThat(row(host.ask("bind"), "Boot framebuffer").value()).contains("can't reserve");
        assertThat(host.ask("bind").questions()).anyMatch(q -> q.key().equals("sysfb"));
    }

    @Test
    void aResetThatFailedThoughTheVmStartedIsInformation() {
        assertThat(SAMPLES.get("task-start-bus-reset-only")).contains("TASK OK");
        Found reset = row(HostBuilder.withCard().ask("idle-power"), "Reset");

        assertThat(reset.mark()).isEqualTo(Found.Mark.INFO);
        assertThat(reset.value()).contains("which is usual");
    }

    @Test
    void theVmThatHadTheCardInTheBackupConflictIsNamed() {
        Answer answer = HostBuilder.withCard().guest(104, "gaming", "qemu", "running", true, Map.of("hostpci0", "0000:01:00"))
                .choose("vm", "102").ask("bind");

        assertThat(SAMPLES.get("task-backup-conflict")).contains("already in use by VMID '104'");
        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("104 gaming");
    }

    @Test
    void aBrokenLineOfModprobeIsShownThoughTheFileIsLong() {
        String line = SAMPLES.get("modprobe-bad-line").replaceFirst("(?s).*starting with '([^']+)'.*", "$1");
        Answer answer = HostBuilder.withCard().file("/etc/modprobe.d/vfio.conf", "# id\n".repeat(388) + line + "\n").ask("bind");

        assertThat(row(answer, "Broken line").value()).startsWith("/etc/modprobe.d/vfio.conf line 389 ");
    }

    @Test
    void twoEntriesOfOneSlotAreThisCard() {
        Map<String, String> config = new VmConfigReader().read(Text.whole(SAMPLES.get("vm-conf-passthrough"))).values();
        Answer answer = HostBuilder.withCard().guest(100, "win10", "qemu", "stopped", false, config).ask("idle-power");

        assertThat(row(answer, "Starts with the host").value()).isEqualTo("100 win10 does not");
    }

    @Test
    void cardsThatTheHostsDriverHoldsAreBoundWithoutABlacklistOfIt() throws IOException {
        HostBuilder host = grouped(new HostBuilder().lspci(resource("raw/lspci-nnk-nvidia-still-bound.txt")));
        host.modules.addAll(List.of("nvidia", "nvidia_drm"));

        Answer answer = host.ask("bind", "0000:3e:00");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(written(answer, OWN)).contains("softdep nvidia pre: vfio-pci").contains("ids=10de:2206,10de:1aef")
                .doesNotContain("blacklist nvidia").doesNotContain("10de:1f91");
        assertThat(answer.notes()).anyMatch(n -> n.contains("nvidia and nvidia_drm"));
    }

    @Test
    void largeMemoryWindowsAreNoTrouble() throws IOException {
        Answer answer = HostBuilder.withCard().show(Showing.KERNEL_LOG, resource("raw/dmesg-pci-bars-rtx5070-dom0.txt"))
                .ask("iommu");

        assertThat(row(answer, "Card memory").mark()).isNotEqualTo(Found.Mark.ATTENTION);
    }
}
