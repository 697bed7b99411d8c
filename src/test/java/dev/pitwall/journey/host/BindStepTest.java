package dev.pitwall.journey.host;

import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.FileChange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class BindStepTest {
    private static final String OWN = "/etc/modprobe.d/zz-pitwall.conf";
    private static final String RULES = "/etc/udev/rules.d/90-pitwall.rules";
    private static final String MODULES = "/etc/modules-load.d/pitwall.conf";
    private static final String TWINS = """
            0000:00:02.0 VGA compatible controller [0300]: Intel Corporation Iris Xe Graphics [8086:a7a0] (rev 04)
            	Kernel driver in use: i915
            0000:17:00.0 VGA compatible controller [0300]: NVIDIA Corporation TU117GL [T400 4GB] [10de:1ff2] (rev a1)
            	Kernel driver in use: nvidia
            	Kernel modules: nouveau, nvidia_current_drm, nvidia_current
            0000:65:00.0 VGA compatible controller [0300]: NVIDIA Corporation TU117GL [T400 4GB] [10de:1ff2] (rev a1)
            	Kernel driver in use: nvidia
            	Kernel modules: nouveau, nvidia_current_drm, nvidia_current
            """;

    private static Optional<String> written(Answer answer, String path) {
        return answer.changes().stream().flatMap(c -> c instanceof FileChange f ? Stream.of(f) : Stream.empty())
                .filter(f -> f.path().equals(path)).map(f -> f.after().text()).findFirst();
    }

    private static Found row(Answer answer, String name) {
        return answer.found().stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
    }

    private static HostBuilder twins() {
        return new HostBuilder().lspci(TWINS).group(1, "0000:17:00.0").group(2, "0000:65:00.0")
                .group(0, "0000:00:02.0");
    }

    @Test
    void allFunctionsAreKeptBeforeTheDriversThatHoldThem() {
        Answer answer = HostBuilder.withCard().ask("bind");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.why()).isEqualTo("4 changes, reboots pve1");
        assertThat(answer.changes()).extracting(Change::target)
                .containsExactly(OWN, MODULES, "update-initramfs -u -k all", "Reboot pve1");
        assertThat(written(answer, OWN)).contains("""
                softdep nouveau pre: vfio-pci
                softdep snd_hda_intel pre: vfio-pci
                options vfio-pci ids=10de:25b0,10de:2291
                blacklist nouveau
                """);
        assertThat(written(answer, MODULES)).contains("vfio\nvfio_iommu_type1\nvfio_pci\n");
        assertThat(row(answer, "Driver in use").value()).isEqualTo("nouveau and snd_hda_intel");
        assertThat(row(answer, "Driver in use").raw()).startsWith("0000:01:00.0 VGA").doesNotContain("Iris");
        assertThat(row(answer, "Driver in use").deciding()).containsExactly(2, 5);
        assertThat(row(answer, "Console").value()).isEqualTo("Not on this card: boot_vga is 0");
    }

    @Test
    void modulesThatAreNamedAlreadyAreNotNamedAgain() {
        assertThat(written(HostBuilder.withCard().file("/etc/modules", "vfio\n").ask("bind"), MODULES))
                .contains("vfio_iommu_type1\nvfio_pci\n");
        assertThat(written(HostBuilder.withCard().file(MODULES, "vfio\n").ask("bind"), MODULES))
                .contains("vfio\nvfio_iommu_type1\nvfio_pci\n");
    }

    @Test
    void anOldKernelNeedsItsFourthModule() {
        HostBuilder host = HostBuilder.withCard();
        host.kernel = "5.15.102-1-pve";

        assertThat(written(host.ask("bind"), MODULES)).contains("vfio\nvfio_iommu_type1\nvfio_pci\nvfio_virqfd\n");
    }

    @Test
    void aHostWhereNothingClaimsTheCardNeedsNothing() {
        HostBuilder host = HostBuilder.withCard().file("/etc/modprobe.d/mine.conf",
                "blacklist nouveau\ninstall snd_hda_intel /bin/true\n");
        host.functions.replaceAll(f -> f.address().bus() == 1 ? driver(f, "") : f);

        Answer answer = host.ask("bind");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.why()).isEqualTo("no driver of the host claims it; Proxmox binds it when the VM starts");
        assertThat(row(answer, "At the next boot").value()).isEqualTo("No driver of the host claims it");
    }

    @Test
    void whatProxmoxBoundForAVmIsNotKeptYet() {
        HostBuilder host = HostBuilder.withCard();
        host.functions.replaceAll(f -> f.address().bus() == 1 ? driver(f, "vfio-pci") : f);

        Answer answer = host.ask("bind");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(row(answer, "At the next boot").value()).isEqualTo("nouveau and snd_hda_intel may take it");
    }

    @Test
    void theAdministratorsOwnFileIsEnough() {
        HostBuilder host = HostBuilder.withCard().file("/etc/modprobe.d/vfio.conf", "options vfio-pci ids=10de:25b0,10de:2291"
                + " disable_vga=1\nblacklist nouveau\nsoftdep snd_hda_intel pre: vfio-pci\n");
        host.functions.replaceAll(f -> f.address().bus() == 1 ? driver(f, "vfio-pci") : f);

        Answer answer = host.ask("bind");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.why()).isEqualTo("all 2 functions are kept for vfio-pci by /etc/modprobe.d/vfio.conf");
    }

    @Test
    void anEarlyVfioInTheInitramfsIsEnoughToo() {
        HostBuilder host = HostBuilder.withCard().file("/etc/modprobe.d/vfio.conf", "options vfio_pci ids=10de:25b0,10de:2291\n")
                .file("/etc/initramfs-tools/modules", "# early\nvfio-pci\n");
        host.functions.replaceAll(f -> f.address().bus() == 1 ? driver(f, "vfio-pci") : f);

        assertThat(host.ask("bind").state()).isEqualTo(State.DONE);
    }

    @Test
    void filesThatWereNotCarriedOnAreCarriedOn() {
        Answer answer = HostBuilder.withCard().file("/etc/modprobe.d/vfio.conf", "options vfio-pci ids=10de:25b0,10de:2291\n"
                + "blacklist nouveau\nsoftdep snd_hda_intel pre: vfio-pci\n").ask("bind");

        assertThat(answer.changes()).extracting(Change::target)
                .containsExactly("update-initramfs -u -k all", "Reboot pve1");
    }

    @Test
    void idsOfTheAdministratorGoAlongSinceOnlyTheLastIdsCount() {
        Answer answer = HostBuilder.withCard().file("/etc/modprobe.d/vfio.conf",
                "options vfio-pci ids=8086:1572 disable_vga=1\n").ask("bind");

        assertThat(written(answer, OWN).orElseThrow())
                .contains("\noptions vfio-pci ids=8086:1572,10de:25b0,10de:2291\n");
        assertThat(written(answer, "/etc/modprobe.d/vfio.conf")).isEmpty();
    }

    @Test
    void idsThatAreReadLaterLeaveTheAddress() {
        HostBuilder host = HostBuilder.withCard().file("/etc/modprobe.d/zz-vfio.conf", "options vfio-pci ids=8086:1572\n");

        assertThat(written(host.ask("bind"), RULES)).isPresent();
        Answer forced = host.choose("bind", "ids").ask("bind");
        assertThat(forced.state()).isEqualTo(State.BLOCKED);
        assertThat(forced.why()).contains("/etc/modprobe.d/zz-vfio.conf");
    }

    @Test
    void fourFunctionsGetTheModulesThatCompeteForThem() {
        Answer answer = new HostBuilder().lspci("""
                03:00.0 VGA compatible controller [0300]: NVIDIA Corporation TU116 [10de:2187] (rev a1)
                	Kernel driver in use: nvidia
                	Kernel modules: nvidiafb, nouveau, nvidia_drm, nvidia
                03:00.1 Audio device [0403]: NVIDIA Corporation TU116 Audio [10de:1aeb] (rev a1)
                	Kernel driver in use: snd_hda_intel
                	Kernel modules: snd_hda_intel
                03:00.2 USB controller [0c03]: NVIDIA Corporation TU116 USB 3.1 [10de:1aec] (rev a1)
                	Kernel driver in use: xhci_hcd
                	Kernel modules: xhci_pci
                03:00.3 Serial bus controller [0c80]: NVIDIA Corporation TU116 UCSI [10de:1aed] (rev a1)
                	Kernel driver in use: nvidia-gpu
                	Kernel modules: i2c_nvidia_gpu
                """).group(1, "0000:03:00.0", "0000:03:00.1", "0000:03:00.2", "0000:03:00.3").ask("bind", "0000:03:00");

        assertThat(written(answer, OWN)).contains("""
                softdep nvidia pre: vfio-pci
                softdep nouveau pre: vfio-pci
                softdep nvidia_drm pre: vfio-pci
                softdep snd_hda_intel pre: vfio-pci
                softdep xhci_pci pre: vfio-pci
                softdep i2c_nvidia_gpu pre: vfio-pci
                options vfio-pci ids=10de:2187,10de:1aeb,10de:1aec,10de:1aed
                blacklist nouveau
                """);
    }

    @Test
    void aModuleThatAnotherCardLivesByIsNotBlacklisted() {
        HostBuilder host = HostBuilder.withCard().lspci("""
                0000:02:00.0 VGA compatible controller [0300]: NVIDIA Corporation GK208B [GeForce GT 710] [10de:128b] (rev a1)
                	Kernel driver in use: nouveau
                	Kernel modules: nvidiafb, nouveau
                """).group(15, "0000:02:00.0");

        assertThat(written(host.ask("bind"), OWN).orElseThrow()).contains("softdep nouveau").doesNotContain("blacklist");
    }

    @Test
    void aSecondCardIsAddedToTheSameFile() {
        HostBuilder host = HostBuilder.withCard().lspci("""
                0000:02:00.0 3D controller [0302]: NVIDIA Corporation GV100GL [Tesla V100S] [10de:1df6] (rev a1)
                	Kernel driver in use: nvidia
                	Kernel modules: nouveau, nvidia
                """).group(15, "0000:02:00.0").file(OWN, """
                softdep nouveau pre: vfio-pci
                softdep snd_hda_intel pre: vfio-pci
                # a word of the administrator
                options vfio-pci ids=10de:25b0,10de:2291
                blacklist nouveau
                """).file(MODULES, "vfio\nvfio_iommu_type1\nvfio_pci\n");

        Answer answer = host.ask("bind", "0000:02:00");

        assertThat(written(answer, OWN)).contains("""
                softdep nouveau pre: vfio-pci
                softdep snd_hda_intel pre: vfio-pci
                # a word of the administrator
                softdep nvidia pre: vfio-pci
                options vfio-pci ids=10de:25b0,10de:2291,10de:1df6
                blacklist nouveau
                """);
        assertThat(answer.changes()).extracting(Change::target).doesNotContain(MODULES);
    }

    @Test
    void twinsAreToldApartByAddress() {
        Answer answer = twins().ask("bind", "0000:17:00");

        assertThat(answer.questions().getFirst().chosen()).isEqualTo("address");
        assertThat(written(answer, OWN)).isEmpty();
        assertThat(written(answer, RULES)).contains("ACTION==\"add\", SUBSYSTEM==\"pci\", KERNEL==\"0000:17:00.0\", "
                + "ATTR{vendor}==\"0x10de\", ATTR{device}==\"0x1ff2\", ATTR{driver_override}=\"vfio-pci\"\n");
        assertThat(row(answer, "Same ids").value()).contains("0000:65:00.0");
    }

    @Test
    void idsForATwinAreTheOwnersChoiceAndWarnedOf() {
        Answer answer = twins().choose("bind", "ids").ask("bind", "0000:17:00");

        assertThat(written(answer, OWN).orElseThrow()).contains("ids=10de:1ff2");
        assertThat(answer.notes()).anyMatch(n -> n.contains("0000:65:00.0"));
    }

    @Test
    void aSharedSoundIdMakesATwinToo() {
        HostBuilder host = HostBuilder.withCard().lspci("""
                0000:02:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA106 [RTX A2000] [10de:2531] (rev a1)
                0000:02:00.1 Audio device [0403]: NVIDIA Corporation GA106 Audio [10de:2291] (rev a1)
                """);

        assertThat(host.ask("bind").questions().getFirst().chosen()).isEqualTo("address");
    }

    @Test
    void aTwinThatIsKeptForVmsTooIsNoReasonForAddresses() {
        HostBuilder host = twins().file(RULES, "ACTION==\"add\", SUBSYSTEM==\"pci\", KERNEL==\"0000:65:00.0\", "
                + "ATTR{driver_override}=\"vfio-pci\"\n");

        assertThat(host.ask("bind", "0000:17:00").questions().getFirst().chosen()).isEqualTo("ids");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev0 /dev/nvidia0,gid=44", "dev1 path=/dev/nvidia0",
            "lxc [[\"lxc.cgroup2.devices.allow\",\"c 195:* rwm\"],[\"lxc.mount.entry\",\"/dev/nvidiactl dev/nvidiactl\"]]",
            "lxc [[\"lxc.mount.entry\",\"/dev/nvidia0 dev/nvidia0 none bind,optional,create=file\"]]"})
    void aContainerThatUsesTheCardBlocks(String entry) {
        HostBuilder host = withDriver("nvidia").guest(105, "jellyfin", "lxc", "running", true,
                Map.of(entry.split(" ", 2)[0], entry.split(" ", 2)[1]));

        Answer answer = host.ask("bind");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("105 jellyfin");
        assertThat(row(answer, "Used by").mark()).isEqualTo(Found.Mark.BAD);
    }

    @Test
    void aContainerWithAnotherCardDoesNotBlockAndKeepsItsDriver() {
        HostBuilder host = withDriver("nvidia").lspci("""
                0000:00:01.5 VGA compatible controller [0300]: NVIDIA Corporation AD104 [RTX 4070] [10de:2786] (rev a1)
                	Kernel driver in use: nvidia
                	Kernel modules: nouveau, nvidia
                """).guest(105, "jellyfin", "lxc", "running", true, Map.of("dev0", "/dev/nvidia0"));
        host.modules.addAll(List.of("nvidia", "nvidia_uvm", "nvidiafb"));

        Answer answer = host.ask("bind");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(written(answer, OWN).orElseThrow()).contains("softdep nvidia pre").doesNotContain("blacklist nvidia");
        assertThat(row(answer, "Host driver").value()).isEqualTo("nvidia and nvidia_uvm");
    }

    @Test
    void aContainerWhoseRenderDeviceMayBeThisCardIsNamed() {
        HostBuilder host = withDriver("nouveau").lspci("""
                0000:00:01.5 VGA compatible controller [0300]: NVIDIA Corporation AD104 [RTX 4070] [10de:2786] (rev a1)
                	Kernel driver in use: nouveau
                	Kernel modules: nouveau, nvidia
                """).guest(140, "ollama", "lxc", "running", true, Map.of("dev0", "/dev/dri/card1"));

        assertThat(host.ask("bind").notes()).anyMatch(n -> n.contains("140 ollama") && n.contains("may be this card's"));
    }

    @Test
    void onBareMetalTheHostKeepsTheCard() {
        HostBuilder host = withDriver("nouveau").choose("path", "bare-metal");

        for (String step : List.of("iommu", "group", "bind", "idle-power")) {
            assertThat(host.ask(step).state()).as(step).isEqualTo(State.NOT_APPLICABLE);
        }
    }

    @Test
    void onBareMetalWhatKeepsTheCardForVmsIsNamed() {
        HostBuilder host = withDriver("vfio-pci").file("/etc/modprobe.d/vfio.conf", """
                options vfio-pci ids=10de:25b0,10de:2291
                softdep nouveau pre: vfio-pci
                softdep snd_hda_intel pre: vfio-pci
                """).file("/etc/modules", "vfio_pci\n").choose("path", "bare-metal");

        Answer answer = host.ask("bind");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).startsWith("/etc/modprobe.d/vfio.conf keeps the card for VMs");
    }

    @Test
    void anotherRunningVmWithTheCardBlocks() {
        HostBuilder host = HostBuilder.withCard().guest(104, "gaming", "qemu", "running", true,
                Map.of("hostpci0", "0000:01:00,pcie=1,x-vga=1")).choose("vm", "122");

        assertThat(host.ask("bind").state()).isEqualTo(State.BLOCKED);
        assertThat(host.ask("bind").why()).isEqualTo("the VM 104 gaming runs with this card: shut it down first");
        assertThat(host.choose("vm", "104").ask("bind").state()).isEqualTo(State.READY);
    }

    @Test
    void aMappingOfTheDatacenterThatStandsForTheCardCounts() {
        HostBuilder host = HostBuilder.withCard().guest(104, "gaming", "qemu", "running", true,
                Map.of("hostpci0", "mapping=gpu,pcie=1")).choose("vm", "122");
        assertThat(host.ask("bind").state()).isEqualTo(State.READY);

        host.mapping("gpu", "node=pve1,path=0000:01:00,id=10de:25b0");

        assertThat(host.ask("bind").why()).contains("104 gaming");
    }

    @Test
    void theOnlyConsoleIsGivenUpByChoiceAlone() {
        HostBuilder host = HostBuilder.withCard().state("0000:01:00.0", "bus", "D0", true);
        host.functions.removeIf(f -> f.address().toString().equals("0000:00:02.0"));

        assertThat(host.ask("bind").state()).isEqualTo(State.BLOCKED);
        assertThat(host.ask("bind").why()).contains("console=give-up");
        Answer chosen = host.choose("console", "give-up").ask("bind");
        assertThat(chosen.state()).isEqualTo(State.READY);
        assertThat(chosen.notes()).anyMatch(n -> n.contains("stays dark"));
    }

    @Test
    void aConsoleOnTheCardBesideOtherGraphicsIsTold() {
        Answer answer = HostBuilder.withCard().state("0000:01:00.0", "bus", "D0", true).ask("bind");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.notes()).anyMatch(n -> n.contains("primary display"));
        assertThat(answer.questions()).extracting(Answer.Question::key).containsExactly("bind", "sysfb");
    }

    @Test
    void aFramebufferInTheCardsMemoryIsAskedForAndItsOptionWaitedFor() {
        HostBuilder host = HostBuilder.withCard();
        host.framebuffer = List.of("  a0000000-b1ffffff : 0000:01:00.0", "    a0000000-a02fffff : BOOTFB");
        assertThat(host.ask("bind").questions()).extracting(Answer.Question::key).contains("sysfb");

        host.file("/etc/modprobe.d/mine.conf", "blacklist nouveau\nblacklist snd_hda_intel\n").choose("sysfb", "yes");
        host.functions.replaceAll(f -> f.address().bus() == 1 ? driver(f, "") : f);

        assertThat(host.ask("bind").state()).isEqualTo(State.WAITING);
        assertThat(host.ask("iommu").state()).isEqualTo(State.READY);
    }

    @Test
    void itGoesAlongWithAnIommuThatIsTurnedOnAndWaitsForOneThatIsNot() {
        HostBuilder host = HostBuilder.withCard().iommuOff();
        host.kernel = "6.5.13-1-pve";
        assertThat(host.ask("bind").state()).isEqualTo(State.READY);

        host.tables.clear();
        assertThat(host.ask("bind").state()).isEqualTo(State.WAITING);
    }

    @Test
    void itWaitsForACleanGroup() {
        Answer answer = HostBuilder.withCard().lspci("0000:03:00.0 Ethernet controller [0200]: Intel I225 [8086:15f3]\n")
                .group(14, "0000:03:00.0").ask("bind");

        assertThat(answer.state()).isEqualTo(State.WAITING);
        assertThat(answer.why()).isEqualTo("waits for a clean IOMMU group");
    }

    @Test
    void aBrokenLineIsShownWithItsPlace() {
        Answer answer = HostBuilder.withCard().file("/etc/modprobe.d/vfio.conf",
                "options vfio-pci ids=8086:a382,\n8086:6f34,10de:25b0\n").ask("bind");

        Found row = row(answer, "Broken line");
        assertThat(row.value()).startsWith("/etc/modprobe.d/vfio.conf line 2 is left out");
        assertThat(row.deciding()).containsExactly(2);
    }

    @Test
    void idsThatTakeMoreThanCardsAreShown() {
        Answer answer = HostBuilder.withCard().lspci("0000:03:00.0 Ethernet controller [0200]: Intel I225 [8086:15f3]\n")
                .file("/etc/modprobe.d/vfio.conf", "options vfio-pci ids=8086:15f3\n").ask("bind");

        assertThat(row(answer, "Also kept from the host").value()).isEqualTo("network card 0000:03:00.0");
    }

    private static HostBuilder withDriver(String driver) {
        HostBuilder host = HostBuilder.withCard();
        host.functions.replaceAll(f -> f.isNvidiaGpu() ? driver(f, driver) : f);
        return host;
    }

    static PciFunction driver(PciFunction f, String driver) {
        return new PciFunction(f.address(), f.classCode(), f.className(), f.vendorId(), f.deviceId(),
                f.name(), f.subsystemId(), Optional.of(driver).filter(d -> !d.isEmpty()), new ArrayList<>(f.modules()),
                f.iommuGroup(), f.revision());
    }
}
