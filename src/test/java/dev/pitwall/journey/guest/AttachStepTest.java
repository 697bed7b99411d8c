package dev.pitwall.journey.guest;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.survey.DatacenterSurvey.Memory;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class AttachStepTest {
    private static final String ENTRY = "id=10de:25b0,iommugroup=14,node=pve1,path=0000:01:00,subsystem-id=10de:1878";

    @Test
    void rootGetsARawEntryForTheWholeSlotWhereNoMappingsAreUsed() {
        Answer answer = new Scene().look("attach");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(config(answer).after()).isEqualTo(Map.of("hostpci0", Optional.of("0000:01:00,pcie=1")));
        assertThat(config(answer).before()).isEqualTo(Map.of("hostpci0", Optional.empty()));
    }

    @Test
    void rootGetsAMappingWhereTheDatacenterHasSome() {
        Answer answer = new Scene().mapping("other", "node=pve2,path=0000:05:00,id=10de:2684").look("attach");

        assertThat(config(answer).after()).containsEntry("hostpci0", Optional.of("mapping=gpu-pve1-01-00,pcie=1"));
    }

    @Test
    void aTokenGetsAMappingWithEveryFieldThatTheStartCompares() {
        Answer answer = new Scene().token().look("attach");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.changes().getFirst()).isEqualTo(new MappingChange("pve1", "gpu-pve1-01-00", Optional.empty(),
                Optional.of(List.of(ENTRY)), "new mapping, this card"));
        assertThat(config(answer).after()).isEqualTo(Map.of("hostpci0", Optional.of("mapping=gpu-pve1-01-00,pcie=1")));
    }

    @Test
    void theFreeEntryWithTheLowestNumberIsTaken() {
        Answer answer = new Scene().set("hostpci0", "0000:00:1f").set("hostpci2", "0000:00:1d").look("attach");

        assertThat(config(answer).after()).containsOnlyKeys("hostpci1");
    }

    @Test
    void aTokenIsToldBeforeTheAttemptThatRawIsForRoot() {
        Answer answer = new Scene().token().choose("via", "raw").look("attach");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("root@pam!pitwall").contains("via=mapping").contains("password");
    }

    @Test
    void onProxmox7OnlyRootCanAttachAndThereIsNoChoice() {
        Scene root = new Scene();
        root.proxmox = "7.4-17";
        root.mappings = Optional.empty();
        Scene token = new Scene().token();
        token.proxmox = "7.4-17";
        token.mappings = Optional.empty();

        assertThat(config(root.look("attach")).after()).containsEntry("hostpci0", Optional.of("0000:01:00,pcie=1"));
        assertThat(root.look("attach").questions()).noneMatch(q -> q.key().equals("via"));
        assertThat(token.look("attach").state()).isEqualTo(State.BLOCKED);
        assertThat(token.look("attach").why()).contains("upgrade to Proxmox 8");
        assertThat(root.choose("via", "mapping").look("attach").why()).contains("no resource mappings");
    }

    @Test
    void proxmox9TakesTheSameEntries() {
        Scene scene = new Scene().token();
        scene.proxmox = "9.1.6";

        assertThat(config(scene.look("attach")).after()).containsEntry("hostpci0",
                Optional.of("mapping=gpu-pve1-01-00,pcie=1"));
    }

    @Test
    void missingRightsAreNamedWithTheirPaths() {
        Answer answer = new Scene().token(Map.of("/vms", List.of("VM.Config.HWType"), "/mapping/pci", List.of("Mapping.Use")))
                .set("cpu", "x86-64-v2-AES").look("attach");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("Mapping.Modify on /mapping/pci").contains("VM.Config.CPU on /vms/122")
                .doesNotContain("HWType").doesNotContain("Mapping.Use");
    }

    @Test
    void anExistingMappingOfThisCardIsUsed() {
        Answer answer = new Scene().token().mapping("a1000", ENTRY).look("attach");

        assertThat(answer.changes()).hasSize(1);
        assertThat(config(answer).after()).containsEntry("hostpci0", Optional.of("mapping=a1000,pcie=1"));
    }

    @Test
    void aMappingOfSeveralCardsIsNotUsedForOneOfThem() {
        Answer answer = new Scene().token().twin()
                .mapping("pool", ENTRY, ENTRY.replace("01:00", "02:00").replace("=14", "=15")).look("attach");

        assertThat(config(answer).after()).containsEntry("hostpci0", Optional.of("mapping=gpu-pve1-01-00,pcie=1"));
    }

    @Test
    void aStaleMappingIsCorrectedAndKeepsWhatElseItSays() {
        String stale = "description=left slot,id=10de:25b0,iommugroup=13,node=pve1,path=0000:01:00";
        String elsewhere = "node=pve2,path=0000:01:00,id=10de:25b0,iommugroup=16,subsystem-id=10de:1878";
        Answer answer = new Scene().token().mapping("a1000", elsewhere, stale).set("hostpci0", "mapping=a1000,pcie=1")
                .look("attach");

        assertThat(answer.changes()).containsExactly(new MappingChange("pve1", "a1000", Optional.of(List.of(elsewhere, stale)),
                Optional.of(List.of(elsewhere, "description=left slot,id=10de:25b0,iommugroup=14,node=pve1,path=0000:01:00,"
                        + "subsystem-id=10de:1878")), "this host's entry as the hardware is now"));
    }

    @Test
    void aMappingWhoseCardMovedToAnotherAddressIsCorrected() {
        Answer answer = new Scene().token().mapping("a1000", ENTRY.replace("01:00", "03:00"))
                .set("hostpci0", "mapping=a1000,pcie=1").look("attach");

        assertThat(answer.changes()).singleElement().isInstanceOf(MappingChange.class);
        assertThat(((MappingChange) answer.changes().getFirst()).after()).contains(List.of(ENTRY));
    }

    @Test
    void ofTwinCardsNobodyGuessesWhichOneMoved() {
        Answer answer = new Scene().token().twin().mapping("a1000", ENTRY.replace("01:00", "03:00"))
                .set("hostpci0", "mapping=a1000,pcie=1").look("attach");

        assertThat(config(answer).after()).containsOnlyKeys("hostpci1");
    }

    @Test
    void whatMeansTheSameIsDoneHoweverItIsWritten() {
        assertThat(new Scene().set("hostpci0", "pcie=on,host=01:00").look("attach").state()).isEqualTo(State.DONE);
        assertThat(new Scene().set("hostpci0", "0000:01:00.0;0000:01:00.1,pcie=1").look("attach").state())
                .isEqualTo(State.DONE);
        assertThat(new Scene().token().mapping("a1000", ENTRY).set("hostpci3", "pcie=1,mapping=a1000").look("attach").state())
                .isEqualTo(State.DONE);
    }

    @Test
    void aMappingThatTheCallerMayNotSeeMayBeThisCard() {
        Answer answer = new Scene().token(Map.of("/vms", List.of("VM.Config.HWType"), "/mapping/pci/mine",
                List.of("Mapping.Use"))).set("hostpci0", "mapping=secret").look("attach");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("Mapping.Audit on /mapping/pci/secret");
    }

    @Test
    void twoHalvesOfACardBecomeOneEntryThatKeepsTheRest() {
        Answer answer = new Scene().set("hostpci0", "01:00.0,pcie=1,romfile=a1000.rom").set("hostpci1", "01:00.1")
                .look("attach");

        assertThat(config(answer).after()).isEqualTo(Map.of("hostpci0",
                Optional.of("0000:01:00,pcie=1,romfile=a1000.rom"), "hostpci1", Optional.empty()));
    }

    @Test
    void aTokenIsToldThatItCannotReplaceARawEntry() {
        Answer answer = new Scene().token().set("hostpci0", "01:00.0,pcie=1").look("attach");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("hostpci0 is a raw entry").contains("password");
    }

    @Test
    void aTokenLeavesAWorkingRawEntryWithoutPcieAsItIs() {
        Answer answer = new Scene().token().set("hostpci0", "0000:01:00").look("attach");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.notes()).anyMatch(note -> note.contains("pcie=1"));
    }

    @Test
    void theSettingsThatACardNeedsComeWithIt() {
        Answer answer = new Scene().set("cpu", "x86-64-v2-AES,flags=+aes").without("balloon").look("attach");

        assertThat(config(answer).after()).isEqualTo(Map.of("hostpci0", Optional.of("0000:01:00,pcie=1"),
                "cpu", Optional.of("host,flags=+aes"), "balloon", Optional.of("0")));
        assertThat(config(answer).before()).isEqualTo(Map.of("hostpci0", Optional.empty(),
                "cpu", Optional.of("x86-64-v2-AES,flags=+aes"), "balloon", Optional.empty()));
    }

    @Test
    void theMachineOfAnInstalledGuestStaysUnlessTheChoiceIsMade() {
        Answer kept = new Scene().without("machine").look("attach");
        Answer changed = new Scene().without("machine").choose("machine", "q35").look("attach");

        assertThat(config(kept).after()).isEqualTo(Map.of("hostpci0", Optional.of("0000:01:00")));
        assertThat(kept.questions()).anyMatch(q -> q.key().equals("machine") && q.chosen().equals("keep"));
        assertThat(config(changed).after()).containsEntry("machine", Optional.of("q35"))
                .containsEntry("hostpci0", Optional.of("0000:01:00,pcie=1"));
        assertThat(changed.notes()).anyMatch(note -> note.contains("enp6s18"));
    }

    @Test
    void pcieIsTakenFromAMachineThatHasNone() {
        Answer answer = new Scene().without("machine").set("hostpci0", "0000:01:00,pcie=1").look("attach");

        assertThat(config(answer).after()).isEqualTo(Map.of("hostpci0", Optional.of("0000:01:00")));
    }

    @Test
    void anOlderQ35IsAQ35AndIsKept() {
        assertThat(config(new Scene().set("machine", "pc-q35-8.1,viommu=virtio").look("attach")).after())
                .containsOnlyKeys("hostpci0");
    }

    @Test
    void theFirmwareIsNeverSwitchedAndItsTrapsAreTold() {
        Answer secure = new Scene().set("bios", "ovmf").set("efidisk0",
                "local-lvm:vm-122-disk-1,efitype=4m,pre-enrolled-keys=1,size=4M").look("attach");
        Answer noDisk = new Scene().set("bios", "ovmf").look("attach");

        assertThat(config(secure).after()).containsOnlyKeys("hostpci0");
        assertThat(secure.notes()).anyMatch(n -> n.contains("Key was rejected by service") && n.contains("Two ways out"));
        assertThat(noDisk.notes()).anyMatch(n -> n.contains("without an EFI disk"));
        assertThat(new Scene().look("attach").notes()).noneMatch(n -> n.contains("EFI"));
    }

    @Test
    void anEfiDiskIsMadeOnDemandWithoutKeysWhereAStorageTakesIt() {
        Scene scene = new Scene().set("bios", "ovmf");

        assertThat(scene.look("attach").questions()).filteredOn(q -> q.key().equals("efi-disk")).singleElement()
                .satisfies(q -> assertThat(q.options()).extracting(o -> o.value()).containsExactly("keep", "local-lvm"));
        assertThat(config(scene.choose("efi-disk", "local-lvm").look("attach")).after()).containsEntry("efidisk0",
                Optional.of("local-lvm:1,efitype=4m,pre-enrolled-keys=0"));
        assertThat(scene.choose("efi-disk", "nas").look("attach").why()).contains("no storage nas");
        Scene token = new Scene().token().set("bios", "ovmf").choose("efi-disk", "local-lvm");
        assertThat(token.look("attach").why()).contains("VM.Config.Disk on /vms/122");
    }

    @Test
    void aTokenIsToldTheWayOutOfPcieOnAMachineWithoutIt() {
        Scene scene = new Scene().token().without("machine").set("hostpci0", "0000:01:00,pcie=1");

        assertThat(scene.look("attach").state()).isEqualTo(State.BLOCKED);
        assertThat(scene.look("attach").why()).contains("machine=q35").contains("root@pam");
        assertThat(config(scene.choose("machine", "q35").look("attach")).after()).containsOnlyKeys("machine");
    }

    @Test
    void theAgentIsSwitchedOnOnlyOnDemand() {
        assertThat(config(new Scene().without("agent").look("attach")).after()).containsOnlyKeys("hostpci0");
        assertThat(config(new Scene().without("agent").choose("agent", "on").look("attach")).after())
                .containsEntry("agent", Optional.of("1"));
    }

    @Test
    void neverSetsXVgaOrHidden() {
        assertThat(config(new Scene().set("cpu", "kvm64").look("attach")).after().values()).allMatch(value ->
                !value.orElse("").contains("x-vga") && !value.orElse("").contains("hidden"));
    }

    @Test
    void memoryThatTheHostDoesNotHaveStopsIt() {
        Scene tooMuch = new Scene().set("memory", "current=131072");
        Scene tight = new Scene().off();
        tight.memory = new Memory(98_304, 8_000);

        assertThat(tooMuch.look("attach").state()).isEqualTo(State.BLOCKED);
        assertThat(tooMuch.look("attach").why()).contains("131072").contains("98304");
        assertThat(tight.look("attach").state()).isEqualTo(State.READY);
        assertThat(tight.look("attach").notes()).anyMatch(n -> n.contains("8000 MiB available"));
    }

    @Test
    void aLockIsWaitedForAndASuspendedVmIsThePersonsToResume() {
        Scene backup = new Scene();
        backup.lock = Optional.of("backup");
        Scene suspended = new Scene();
        suspended.lock = Optional.of("suspended");

        assertThat(backup.look("attach").state()).isEqualTo(State.WAITING);
        assertThat(backup.look("attach").why()).contains("backup");
        assertThat(suspended.look("attach").state()).isEqualTo(State.BLOCKED);
    }

    @Test
    void waitsForTheHostButNotWhenItIsDoneAlready() {
        Scene off = new Scene();
        off.iommu = List.of();
        Scene held = new Scene();
        held.functions.set(1, Scene.function("0000:01:00.0", "0300", "10de:25b0", "nouveau"));
        Scene shared = new Scene();
        shared.functions.add(Scene.function("0000:00:17.0", "0106", "8086:7ae2", "ahci"));
        shared.groups.put(Scene.address("0000:00:17.0"), 14);

        assertThat(off.look("attach").why()).contains("IOMMU");
        assertThat(held.look("attach").why()).contains("host driver");
        assertThat(shared.look("attach").why()).contains("group of its own");
        assertThat(List.of(off, held, shared)).allMatch(s -> s.look("attach").state() == State.WAITING);
        assertThat(held.set("hostpci0", "0000:01:00,pcie=1").look("attach").state()).isEqualTo(State.DONE);
    }

    @Test
    void whatWaitsForTheHostIsForeseenExactlyButForTheGroup() {
        Scene off = new Scene().token().set("cpu", "kvm64");
        off.iommu = List.of();
        off.groups.clear();
        Answer answer = off.look("attach");

        assertThat(answer.state()).isEqualTo(State.WAITING);
        assertThat(answer.changes()).isEmpty();
        assertThat(answer.foreseen()).hasSize(2).first().isEqualTo(new MappingChange("pve1", "gpu-pve1-01-00",
                Optional.empty(), Optional.of(List.of(ENTRY.replace("=14", "=?"))), "new mapping, this card"));
        assertThat(((VmConfigChange) answer.foreseen().getLast()).after()).isEqualTo(Map.of("hostpci0",
                Optional.of("mapping=gpu-pve1-01-00,pcie=1"), "cpu", Optional.of("host")));
        assertThat(answer.notes()).anyMatch(n -> n.contains("\"?\"") && n.contains("IOMMU group"));

        Scene held = new Scene().token();
        held.functions.set(1, Scene.function("0000:01:00.0", "0300", "10de:25b0", "nouveau"));
        assertThat(held.look("attach").foreseen()).isEqualTo(new Scene().token().look("attach").changes());
    }

    @Test
    void aMappingThatIsThereIsTakenForRightWhileThereAreNoGroups() {
        Scene off = new Scene().token().mapping("a1000", ENTRY).set("hostpci0", "mapping=a1000,pcie=1");
        off.iommu = List.of();
        off.groups.clear();

        assertThat(off.look("attach").state()).isEqualTo(State.DONE);
    }

    @Test
    void aVmThatIsYetToBeMadeIsForeseenWithItsCard() {
        Scene copy = new Scene().guest(900, "tmpl", "qemu", "stopped", Map.of("template", "1", "machine", "q35", "cpu",
                "x86-64-v2-AES", "memory", "8192", "net0", "virtio,bridge=vmbr0")).choose("vm", "new")
                .choose("new-from", "900");
        Answer attach = copy.look("attach");
        Answer cycle = copy.look("power-cycle");

        assertThat(attach.state()).as(attach.why()).isEqualTo(State.WAITING);
        assertThat(attach.foreseen()).singleElement().isInstanceOfSatisfying(VmConfigChange.class, c -> {
            assertThat(c.vmid()).isEqualTo(130);
            assertThat(c.after()).isEqualTo(Map.of("hostpci0", Optional.of("0000:01:00,pcie=1")));
        });
        assertThat(cycle.foreseen()).singleElement().extracting(Change::target).isEqualTo("Power-cycle VM 130");
        Answer refused = copy.token().choose("via", "raw").look("attach");
        assertThat(refused.state()).as("it is not made first").isEqualTo(State.BLOCKED);
        assertThat(refused.why()).contains("via=mapping");
    }

    @Test
    void aChoiceThatIsNoneIsSaidSo() {
        assertThat(new Scene().choose("via", "magic").look("attach").why()).contains("via=magic");
        assertThat(new Scene().token().choose("mapping", "1st").look("attach").why()).contains("no name for a mapping");
        assertThat(new Scene().token().mapping("nic", ENTRY.replace("01:00", "00:1f")).choose("mapping", "nic").look("attach")
                .why()).contains("names another device");
    }

    @Test
    void whatIsPlannedMakesItDoneAndTheInverseRestoresEveryValue() {
        for (Scene scene : List.of(new Scene(), new Scene().token(), new Scene().without("machine").set("cpu", "kvm64"),
                new Scene().without("machine").choose("machine", "q35").without("balloon"),
                new Scene().token().mapping("a1000", ENTRY.replace("=14", "=13")).without("agent").choose("agent", "on"),
                new Scene().set("hostpci0", "01:00.0").set("hostpci1", "01:00.1,x-vga=1"),
                new Scene().token().mapping("gpu", "node=pve2,path=0000:01:00,id=10de:25b0").choose("mapping", "gpu"))) {
            Map<String, String> config = Map.copyOf(scene.config);
            Map<String, List<String>> mappings = new TreeMap<>(scene.mappings.orElseThrow());
            List<Change> changes = scene.look("attach").changes();

            assertThat(changes).isNotEmpty();
            assertThat(scene.after(changes).look("attach").state()).isEqualTo(State.DONE);

            scene.after(inverse(changes));
            assertThat(scene.config).isEqualTo(config);
            assertThat(scene.mappings.orElseThrow()).isEqualTo(mappings);
        }
    }

    private static List<Change> inverse(List<Change> changes) {
        List<Change> back = new ArrayList<>();
        changes.reversed().forEach(change -> back.add(switch (change) {
            case VmConfigChange c -> c.inverse();
            case MappingChange c -> c.inverse();
            default -> throw new AssertionError(change);
        }));
        return back;
    }

    private static VmConfigChange config(Answer answer) {
        assertThat(answer.state()).as(answer.why()).isEqualTo(State.READY);
        return answer.changes().stream().filter(VmConfigChange.class::isInstance).map(VmConfigChange.class::cast)
                .findFirst().orElseThrow();
    }
}
