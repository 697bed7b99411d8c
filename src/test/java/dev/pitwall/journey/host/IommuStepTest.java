package dev.pitwall.journey.host;

import dev.pitwall.card.Source;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Showing;
import dev.pitwall.journey.survey.Shown;
import dev.pitwall.read.KernelCommandLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class IommuStepTest {
    private static final String GRUB = "BOOT_IMAGE=/boot/vmlinuz-5.15.102-1-pve root=/dev/mapper/pve-root ro quiet";
    private static final String SYSTEMD =
            "initrd=\\EFI\\proxmox\\5.15.102-1-pve\\initrd.img-5.15.102-1-pve root=ZFS=rpool/ROOT/pve-1 boot=zfs";

    private static HostBuilder old() {
        HostBuilder host = HostBuilder.withCard().iommuOff().cmdline(GRUB);
        host.kernel = "5.15.102-1-pve";
        host.proxmox = Optional.of("7.4-17");
        return host;
    }

    private static FileChange file(Answer answer, String path) {
        return answer.changes().stream().flatMap(c -> c instanceof FileChange f ? Stream.of(f) : null)
                .filter(f -> f.path().equals(path)).findFirst().orElseThrow();
    }

    private static Found row(Answer answer, String name) {
        return answer.found().stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void isDoneByWhatSysShowsThoughNoWordIsOnTheCommandLine() {
        Answer answer = HostBuilder.withCard().ask("iommu");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.why()).isEqualTo("already on, 2 groups");
        assertThat(answer.changes()).isEmpty();
        assertThat(row(answer, "IOMMU").value()).isEqualTo("On, 2 groups");
    }

    @Test
    void isNotDoneThoughTheKernelSaysThatItIsEnabled() {
        HostBuilder host = old().cmdline(GRUB + " intel_iommu=on")
                .show(Showing.KERNEL_LOG, "[    0.033133] DMAR: IOMMU enabled\n");
        host.tables.clear();

        Answer answer = host.ask("iommu");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).isEqualTo("off in firmware");
        assertThat(answer.notes().getFirst()).contains("VT-d").contains("Above 4G Decoding");
        assertThat(row(answer, "IOMMU in firmware").mark()).isEqualTo(Found.Mark.BAD);
    }

    @Test
    void firmwareAdviceIsOfTheProcessor() {
        HostBuilder host = HostBuilder.amd().iommuOff();
        host.tables.clear();

        assertThat(host.ask("iommu").notes().getFirst()).contains("SVM Mode").contains("AMD-Vi").doesNotContain("VT-d");
    }

    @Test
    void aBoardWhoseMenusAreDocumentedIsToldItsMenu() {
        HostBuilder host = HostBuilder.amd().iommuOff();
        host.tables.clear();
        host.board = "ASUSTeK COMPUTER INC. ProArt X670E-CREATOR WIFI";

        assertThat(host.ask("iommu").notes()).anyMatch(n -> n.contains("ProArt X670E") && n.contains("PCI Subsystem Settings"));
    }

    @Test
    void virtualizationThatIsOffInFirmwareBlocks() {
        HostBuilder host = HostBuilder.withCard();
        host.virtualization = false;

        assertThat(host.ask("iommu").state()).isEqualTo(State.BLOCKED);
        assertThat(host.ask("iommu").why()).isEqualTo("virtualization is off in firmware");
    }

    @Test
    void anIntelKernelBefore68GetsTheOptionInASnippetOfItsOwn() {
        Answer answer = old().guest(112, "rke2-master-2", "qemu", "running", true, Map.of())
                .guest(131, "harbor", "qemu", "running", false, Map.of())
                .guest(140, "old", "lxc", "stopped", true, Map.of()).ask("iommu");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.why()).isEqualTo("3 changes, reboots pve1");
        FileChange snippet = file(answer, "/etc/default/grub.d/pitwall.cfg");
        assertThat(snippet.before()).isEqualTo(Content.ABSENT);
        assertThat(snippet.after().text())
                .isEqualTo("GRUB_CMDLINE_LINUX_DEFAULT=\"$GRUB_CMDLINE_LINUX_DEFAULT intel_iommu=on\"\n");
        assertThat(snippet.summary()).isEqualTo("new file, 1 line");
        assertThat(answer.changes()).extracting(Change::target)
                .containsExactly("/etc/default/grub.d/pitwall.cfg", "update-grub", "Reboot pve1");
        assertThat(answer.changes().getLast()).isInstanceOfSatisfying(HostReboot.class, reboot ->
                assertThat(reboot.stops()).containsExactly(new HostReboot.Guest(112, "rke2-master-2", true),
                        new HostReboot.Guest(131, "harbor", false)));
        assertThat(answer.notes()).anyMatch(n -> n.contains("131 harbor") && !n.contains("rke2-master-2"));
    }

    @Test
    void anAmdHostIsNeverToldToTurnItOn() {
        HostBuilder host = HostBuilder.amd().iommuOff().cmdline(GRUB + " amd_iommu=off")
                .file("/etc/default/grub", "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet amd_iommu=off\"\n");

        Answer answer = host.ask("iommu");

        assertThat(answer.changes()).extracting(Change::target)
                .containsExactly("/etc/default/grub", "update-grub", "Reboot pve1");
        assertThat(file(answer, "/etc/default/grub").after().text()).isEqualTo("GRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\n");
    }

    @Test
    void anAmdHostThatHasItOnAndRunsNoUnitIsNotChanged() {
        Answer answer = HostBuilder.amd().iommuOff().ask("iommu");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.changes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            GRUB_CMDLINE_LINUX_DEFAULT="quiet intel_iommu=off"                | GRUB_CMDLINE_LINUX_DEFAULT="quiet"
            GRUB_CMDLINE_LINUX_DEFAULT="intel_iommu=off quiet"                | GRUB_CMDLINE_LINUX_DEFAULT="quiet"
            GRUB_CMDLINE_LINUX_DEFAULT='quiet  iommu=off  splash'             | GRUB_CMDLINE_LINUX_DEFAULT='quiet  splash'
            GRUB_CMDLINE_LINUX="intel_iommu=off,sm_on" # mine                 | GRUB_CMDLINE_LINUX="intel_iommu=sm_on" # mine
            GRUB_CMDLINE_LINUX=intel_iommu=off                                | GRUB_CMDLINE_LINUX=
            #GRUB_CMDLINE_LINUX="intel_iommu=off";GRUB_CMDLINE_LINUX="iommu=off" | #GRUB_CMDLINE_LINUX="intel_iommu=off";GRUB_CMDLINE_LINUX=""
            """)
    void whatTurnsItOffGoesWhereItStandsAndNothingElseMoves(String before, String after) {
        String tail = "\n# kept  as it is\nGRUB_TIMEOUT=5";
        HostBuilder host = HostBuilder.withCard().iommuOff().cmdline(GRUB + " intel_iommu=off")
                .file("/etc/default/grub", before.replace(";", "\n") + tail);

        Answer answer = host.ask("iommu");

        FileChange change = file(answer, "/etc/default/grub");
        assertThat(change.after().text()).isEqualTo(after.replace(";", "\n") + tail);
        assertThat(change.inverse().after()).isEqualTo(host.files.get("/etc/default/grub"));
        assertThat(answer.changes()).as("kernel 6.8 turns it on by itself").extracting(Change::target)
                .doesNotContain("/etc/default/grub.d/pitwall.cfg");
    }

    @Test
    void aSnippetOfTheInstallerThatTurnsItOffIsTheOneChanged() {
        Answer answer = old().cmdline(GRUB + " intel_iommu=off")
                .file("/etc/default/grub.d/installer.cfg",
                        "GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX intel_iommu=off nomodeset\"\n").ask("iommu");

        assertThat(file(answer, "/etc/default/grub.d/installer.cfg").after().text())
                .isEqualTo("GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX nomodeset\"\n");
        assertThat(answer.changes()).extracting(Change::target).containsExactly("/etc/default/grub.d/installer.cfg",
                "/etc/default/grub.d/pitwall.cfg", "update-grub", "Reboot pve1");
    }

    @Test
    void aLaterSnippetThatSetsTheVariableAnewIsGoneRound() {
        Answer answer = old().file("/etc/default/grub.d/zz-site.cfg", "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet splash\"\n")
                .ask("iommu");

        assertThat(file(answer, "/etc/default/grub.d/pitwall.cfg").after().text())
                .isEqualTo("GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX intel_iommu=on\"\n");
    }

    @Test
    void laterSnippetsThatSetBothAnewAreNamed() {
        Answer answer = old().file("/etc/default/grub.d/zz-site.cfg",
                "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\nGRUB_CMDLINE_LINUX=\"\"\n").ask("iommu");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("/etc/default/grub.d");
    }

    @Test
    void aFileThatSaysItAlreadyIsOnlyCarriedOn() {
        Answer answer = old().file("/etc/default/grub", "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet intel_iommu=on\"\n").ask("iommu");

        assertThat(answer.changes()).extracting(Change::target).containsExactly("update-grub", "Reboot pve1");
    }

    @Test
    void systemdBootGetsTheOldLineAndTheWord() {
        Answer answer = old().cmdline(SYSTEMD)
                .file("/etc/kernel/cmdline", "root=ZFS=rpool/ROOT/pve-1 boot=zfs\n").ask("iommu");

        FileChange change = file(answer, "/etc/kernel/cmdline");
        assertThat(change.after().text()).isEqualTo("root=ZFS=rpool/ROOT/pve-1 boot=zfs intel_iommu=on\n");
        assertThat(change.inverse().after().text()).isEqualTo("root=ZFS=rpool/ROOT/pve-1 boot=zfs\n");
        assertThat(answer.changes().get(1)).isInstanceOfSatisfying(CommandChange.class, c ->
                assertThat(c.arguments()).isEqualTo(List.of("proxmox-boot-tool", "refresh")));
    }

    @Test
    void systemdBootLosesWhatTurnsItOffOnTheSameLine() {
        Answer answer = old().cmdline(SYSTEMD + " intel_iommu=off")
                .file("/etc/kernel/cmdline", "root=ZFS=rpool/ROOT/pve-1  boot=zfs intel_iommu=off").ask("iommu");

        assertThat(file(answer, "/etc/kernel/cmdline").after().text())
                .isEqualTo("root=ZFS=rpool/ROOT/pve-1  boot=zfs intel_iommu=on");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"boot=zfs", "root=ZFS=other/ROOT boot=zfs"})
    void aLineWithoutTheRootThatRunsIsNotTouched(String line) {
        Answer answer = old().cmdline(SYSTEMD).file("/etc/kernel/cmdline", line + "\n").ask("iommu");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("root file system");
    }

    @Test
    void grubOnZfsLeavesTheKernelsLineAlone() {
        Answer answer = old().cmdline("BOOT_IMAGE=/ROOT/pve-1@/boot/vmlinuz-5.15.102-1-pve root=ZFS=rpool/ROOT/pve-1 ro")
                .file("/etc/kernel/cmdline", "root=ZFS=rpool/ROOT/pve-1 boot=zfs\n")
                .file("/etc/default/grub.d/zfs.cfg",
                        "GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX root=ZFS=rpool/ROOT/pve-1 boot=zfs\"\n").ask("iommu");

        assertThat(answer.changes()).extracting(Change::target)
                .containsExactly("/etc/default/grub.d/pitwall.cfg", "update-grub", "Reboot pve1");
        assertThat(row(answer, "Boot loader").value()).contains("does not read the /etc/kernel/cmdline");
    }

    @Test
    void anUnknownBootLoaderBlocksWithWhatToLookAt() {
        HostBuilder host = old();
        host.loader = KernelCommandLine.Loader.UNKNOWN;

        Answer answer = host.file("/etc/kernel/cmdline", "root=/dev/sda1\n").ask("iommu");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.notes().getFirst()).contains("proxmox-boot-tool status").contains("proves nothing");
    }

    @Test
    void passThroughModeIsAChoiceThatChangesNothingByItself() {
        assertThat(HostBuilder.withCard().ask("iommu").questions()).singleElement()
                .satisfies(q -> assertThat(q.chosen()).isEqualTo("no"));

        Answer chosen = HostBuilder.withCard().choose("pt", "yes").ask("iommu");

        assertThat(chosen.state()).isEqualTo(State.READY);
        assertThat(file(chosen, "/etc/default/grub.d/pitwall.cfg").after().text()).contains(" iommu=pt\"");
        assertThat(chosen.notes()).anyMatch(n -> n.contains("SEV-SNP"));
    }

    @Test
    void optionsOfLaterStepsAreWrittenHere() {
        Answer answer = HostBuilder.withCard().choose("acs", "downstream,multifunction").choose("sysfb", "yes").ask("iommu");

        assertThat(file(answer, "/etc/default/grub.d/pitwall.cfg").after().text()).isEqualTo("GRUB_CMDLINE_LINUX_DEFAULT="
                + "\"$GRUB_CMDLINE_LINUX_DEFAULT pcie_acs_override=downstream,multifunction"
                + " initcall_blacklist=sysfb_init\"\n");
        assertThat(answer.notes()).anyMatch(n -> n.contains("only pretends")).anyMatch(n -> n.contains("no local console"));
    }

    @Test
    void anotherOverrideTakesThePlaceOfTheOld() {
        Answer answer = HostBuilder.withCard().cmdline(GRUB + " pcie_acs_override=downstream")
                .file("/etc/default/grub.d/pitwall.cfg", "GRUB_CMDLINE_LINUX_DEFAULT="
                        + "\"$GRUB_CMDLINE_LINUX_DEFAULT pcie_acs_override=downstream\"\n")
                .choose("acs", "downstream,multifunction").ask("iommu");

        assertThat(file(answer, "/etc/default/grub.d/pitwall.cfg").after().text()).isEqualTo("GRUB_CMDLINE_LINUX_DEFAULT="
                + "\"$GRUB_CMDLINE_LINUX_DEFAULT pcie_acs_override=downstream,multifunction\"\n");
    }

    @Test
    void aBridgeWhoseCardIsMissingForbidsTheReboot() {
        HostBuilder host = old();
        host.nics = List.of("lo", "enp7s0", "vmbr0");

        Answer answer = host.ask("iommu");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("enp5s0").contains("/etc/network/interfaces");
        assertThat(row(answer, "Network").deciding()).containsExactly(3);
    }

    @Test
    void bondsAndVlansOfTheFileAreNoMissingCards() {
        HostBuilder host = old().file("/etc/network/interfaces", "iface bond0 inet manual\n\tbond-slaves enp5s0\n"
                + "iface vmbr0 inet static\n\tbridge-ports bond0\niface vmbr1 inet manual\n\tbridge-ports none\n"
                + "iface vmbr2 inet manual\n\tbridge-ports enp5s0.40\n");

        assertThat(host.ask("iommu").state()).isEqualTo(State.READY);
    }

    @Test
    void whatTurnsItOffAtTheNextBootIsTold() {
        Answer answer = HostBuilder.withCard()
                .file("/etc/default/grub", "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet intel_iommu=off\"\n").ask("iommu");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.notes()).anyMatch(n -> n.contains("turns it off at the next boot"));
    }

    @Test
    void cardMemoryAboveFourGigabytesIsRead() {
        HostBuilder host = HostBuilder.withCard().show(Showing.KERNEL_LOG, "[    0.1] DMAR-IR: Enabled IRQ remapping in xapic mode\n");
        host.bars.put(HostBuilder.address("0000:01:00.0"), List.of(new HostSurvey.Bar(0, 0xf0000000L, 16 << 20, List.of()),
                new HostSurvey.Bar(1, 0xf800000000L, 256 << 20, List.of(64L << 20, 256L << 20, 8L << 30))));

        Answer answer = host.ask("iommu");

        assertThat(row(answer, "Card memory").value())
                .isEqualTo("Window 1 of 256 MiB lies above 4 GiB; resizable to 8 GiB (ReBAR), which CUDA does not need");
        assertThat(row(answer, "Interrupt remapping").mark()).isEqualTo(Found.Mark.OK);
    }

    @Test
    void cardMemoryThatFoundNoRoomIsTold() {
        Answer answer = HostBuilder.withCard().show(Showing.KERNEL_LOG,
                "[    0.6] pci 0000:01:00.0: BAR 1 [mem size 0x400000000 64bit pref]: can't assign; no space\n").ask("iommu");

        assertThat(row(answer, "Card memory").value()).contains("Above 4G Decoding");
        assertThat(row(answer, "Card memory").mark()).isEqualTo(Found.Mark.ATTENTION);
    }

    @Test
    void aFileThatMayNotBeReadIsNotTakenForAbsent() {
        HostBuilder host = HostBuilder.withCard();
        host.shown.put("file:/etc/default/grub", new Shown(new Source(
                Source.Kind.SSH, "pve1", "read"), HostBuilder.AT, "permission denied", false));

        assertThat(host.ask("iommu").state()).isEqualTo(State.UNKNOWN);
        assertThat(host.ask("iommu").why()).contains("/etc/default/grub").contains("root");
    }

    @Test
    void aMachineWithoutProxmoxHasNoNeedOfIt() {
        HostBuilder host = HostBuilder.withCard();
        host.proxmox = Optional.empty();

        for (String step : List.of("iommu", "group", "bind", "idle-power")) {
            assertThat(host.ask(step).state()).as(step).isEqualTo(State.NOT_APPLICABLE);
        }
    }

    @Test
    void aSlotWithNothingInItIsUnknown() {
        assertThat(HostBuilder.withCard().ask("bind", "0000:41:00").state()).isEqualTo(State.UNKNOWN);
    }
}
