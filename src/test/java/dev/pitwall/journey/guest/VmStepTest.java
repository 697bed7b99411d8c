package dev.pitwall.journey.guest;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class VmStepTest {

    @Test
    void withoutAChoiceTheVmThatHasTheCardIsMeant() {
        Scene scene = unchosen().set("hostpci0", "0000:01:00,pcie=1");

        assertThat(scene.look("vm").state()).isEqualTo(State.DONE);
        assertThat(scene.look("vm").why()).isEqualTo("VM 122 gpu-worker-1");
        assertThat(question(scene.look("vm"), "vm").chosen()).isEqualTo("122");
    }

    @Test
    void aMappingNamesTheCardToo() {
        Scene scene = unchosen().mapping("a1000", "node=pve1,path=0000:01:00,id=10de:25b0").set("hostpci0", "mapping=a1000");
        Scene elsewhere = unchosen().mapping("a1000", "node=pve2,path=0000:01:00,id=10de:25b0").set("hostpci0", "mapping=a1000");

        assertThat(scene.look("vm").state()).isEqualTo(State.DONE);
        assertThat(elsewhere.look("vm").state()).isEqualTo(State.WAITING);
    }

    @Test
    void whereNoneHasItOneIsChosenAmongTheHostsVms() {
        Scene scene = unchosen().guest(900, "debian-13", "qemu", "stopped", Map.of("template", "1"))
                .guest(105, "jellyfin", "lxc", "running", Map.of())
                .guest(201, "win11", "qemu", "stopped", Map.of("hostpci0", "0000:00:1f"));
        scene.kubernetes = Map.of(Scene.WORKER, "worker-1");
        Question which = question(scene.look("vm"), "vm");

        assertThat(scene.look("vm").state()).isEqualTo(State.WAITING);
        assertThat(which.chosen()).isEmpty();
        assertThat(which.options()).extracting(Option::value).containsExactly("122", "201", "new");
        assertThat(which.options().get(0).note()).isEqualTo("Kubernetes node worker-1 · runs");
        assertThat(which.options().get(1).note()).isEqualTo("has another device · off");
        assertThat(List.of("attach", "power-cycle", "guest")).allMatch(step -> scene.look(step).state() == State.WAITING);
    }

    @Test
    void ofTwoVmsWithTheCardTheNodeOfTheClusterIsMeant() {
        Scene scene = unchosen().set("hostpci0", "0000:01:00").off()
                .guest(101, "win11", "qemu", "stopped", Map.of("hostpci0", "01:00.0", "smbios1", "uuid=x"));
        scene.kubernetes = Map.of(Scene.WORKER, "worker-1");

        assertThat(ChosenVm.of(scene.situation())).isEqualTo(OptionalInt.of(122));
    }

    @Test
    void anotherVmThatRunsWithTheCardIsNamedAndStopsIt() {
        Scene scene = new Scene().off().guest(201, "win11", "qemu", "running", Map.of("hostpci0", "0000:01:00"));

        assertThat(scene.look("vm").state()).isEqualTo(State.BLOCKED);
        assertThat(scene.look("vm").why()).contains("201 win11").contains("shut that one down first");
        assertThat(scene.look("attach").state()).isEqualTo(State.WAITING);
    }

    @Test
    void aVmThatRunsWithTheCardKeepsItWhateverOthersAreConfiguredFor() {
        Scene scene = new Scene().set("hostpci0", "0000:01:00,pcie=1")
                .guest(201, "win11", "qemu", "running", Map.of("hostpci0", "0000:01:00"));

        assertThat(scene.look("vm").state()).isEqualTo(State.DONE);
        assertThat(scene.look("vm").notes()).anyMatch(n -> n.contains("201 win11") && n.contains("Only one of the two"));
    }

    @Test
    void aSlotIsNotFoundInsideAnother() {
        Scene scene = new Scene().guest(201, "win11", "qemu", "running", Map.of("hostpci0", "0001:01:00;02:01:00;01:00:01"));

        assertThat(scene.look("vm").state()).isEqualTo(State.DONE);
    }

    @Test
    void onlyTheCostsThatConcernThisVmAreTold() {
        List<String> plain = new Scene().look("vm").notes();
        Scene shared = new Scene().set("onboot", "0");
        shared.backups = List.of("backup-7f3");
        shared.ha = Optional.of("started");
        shared.nodes = List.of("pve1", "pve2");
        shared.guest(201, "win11", "qemu", "stopped", Map.of("hostpci0", "0000:01:00"));

        assertThat(plain).hasSize(2).anyMatch(n -> n.contains("whole card")).anyMatch(n -> n.contains("gone whenever"));
        assertThat(shared.look("vm").notes()).anyMatch(n -> n.contains("D3cold"))
                .anyMatch(n -> n.contains("backup-7f3") && n.contains("VM 201 cannot start"))
                .anyMatch(n -> n.startsWith("HA keeps VM 122")).anyMatch(n -> n.contains("cannot be migrated"));
    }

    @Test
    void theBackupOfAnotherVmWithTheCardIsTold() {
        Scene scene = new Scene();
        scene.guests.put(201, new Guest(201, "win11", "qemu", "stopped", false, Map.of("hostpci0", "01:00.0"), Optional.empty(),
                List.of("backup-9")));

        assertThat(scene.look("vm").notes()).anyMatch(n -> n.contains("backup-9 includes VM 201"));
    }

    @Test
    void twoVmsThatBothStartWithTheHostAreNamed() {
        Scene scene = new Scene().guest(201, "win11", "qemu", "stopped", Map.of("hostpci0", "01:00.0", "onboot", "1"));

        assertThat(scene.look("vm").notes()).anyMatch(n -> n.contains("VM 122 and VM 201 both start"));
    }

    @Test
    void whatIsNoVmIsRefusedWithItsReason() {
        Scene scene = unchosen().guest(900, "debian-13", "qemu", "stopped", Map.of("template", "1"))
                .guest(105, "jellyfin", "lxc", "running", Map.of());

        assertThat(scene.choose("vm", "900").look("vm").why()).contains("is a template");
        assertThat(scene.choose("vm", "105").look("vm").why()).contains("is a container");
        assertThat(scene.choose("vm", "777").look("vm").why()).contains("pve1 has no VM 777");
        assertThat(scene.choose("vm", "777").look("vm").state()).isEqualTo(State.BLOCKED);
    }

    @Test
    void onBareMetalNoVmStepIsNeeded() {
        Scene chosen = new Scene().choose("path", "bare-metal");
        Scene noProxmox = new Scene();
        noProxmox.proxmox = "";

        assertThat(GuestSteps.all()).allMatch(s -> chosen.look(s.id()).state() == State.NOT_APPLICABLE);
        assertThat(GuestSteps.all()).allMatch(s -> noProxmox.look(s.id()).state() == State.NOT_APPLICABLE);
        assertThat(chosen.look("vm").notes()).anyMatch(n -> n.contains("kernel update"));
        assertThat(question(chosen.look("vm"), "path").chosen()).isEqualTo("bare-metal");
        assertThat(new Scene().choose("path", "moon").look("vm").state()).isEqualTo(State.BLOCKED);
    }

    @Test
    void aNewVmOfAnIsoHasTheSettingsThatACardWants() {
        Answer answer = unchosen().choose("vm", "new").choose("new-iso", "local:iso/debian-13.iso").look("vm");
        VmCreation made = (VmCreation) answer.changes().getFirst();

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(made.vmid()).isEqualTo(130);
        assertThat(made.settings()).containsEntry("machine", "q35").containsEntry("bios", "ovmf")
                .containsEntry("efidisk0", "local-lvm:1,efitype=4m,pre-enrolled-keys=0").containsEntry("cpu", "host")
                .containsEntry("balloon", "0").containsEntry("scsihw", "virtio-scsi-single").containsEntry("agent", "1")
                .containsEntry("ide2", "local:iso/debian-13.iso,media=cdrom").containsEntry("smbios1", "uuid=" + made.uuid());
        assertThat(((VmCreation) unchosen().choose("vm", "new").choose("new-iso", "local:iso/debian-13.iso")
                .choose("new-bios", "seabios").look("vm").changes().getFirst()).settings()).doesNotContainKey("efidisk0");
    }

    @Test
    void aCopyOfATemplateKeepsItsMachineAndFirmware() {
        Answer answer = unchosen().guest(900, "debian-13", "qemu", "stopped", Map.of("template", "1", "cpu", "kvm64,flags=+aes"))
                .choose("vm", "new").choose("new-from", "900").choose("new-storage", "local-lvm").look("vm");
        VmCreation made = (VmCreation) answer.changes().getFirst();

        assertThat(made.origin()).isEqualTo(new VmCreation.Template(900, Optional.of("local-lvm")));
        assertThat(made.settings()).containsOnlyKeys("smbios1", "balloon", "cpu").containsEntry("cpu", "host,flags=+aes");
    }

    @Test
    void noVmIsMadeForACardThatAnotherOneRunsWith() {
        Answer answer = unchosen().guest(201, "win11", "qemu", "running", Map.of("hostpci0", "0000:01:00"))
                .choose("vm", "new").choose("new-iso", "local:iso/debian-13.iso").look("vm");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("201 win11");
        assertThat(answer.questions()).anyMatch(q -> q.key().equals("new-iso"));
    }

    @Test
    void theVmThatWasMadeIsTheChosenOneFromThenOn() {
        Scene scene = unchosen().choose("vm", "new").choose("new-iso", "local:iso/debian-13.iso");
        VmCreation made = (VmCreation) scene.look("vm").changes().getFirst();
        scene.guest(130, made.name(), "qemu", "stopped", new TreeMap<>(made.settings()));

        assertThat(scene.look("vm").state()).isEqualTo(State.DONE);
        assertThat(ChosenVm.of(scene.situation())).isEqualTo(OptionalInt.of(130));
        assertThat(question(scene.look("vm"), "vm").chosen()).isEqualTo("new");
    }

    @Test
    void whatANewVmLacksIsSaid() {
        assertThat(unchosen().choose("vm", "new").look("vm").state()).isEqualTo(State.WAITING);
        assertThat(unchosen().choose("vm", "new").choose("new-iso", "local:iso/none.iso").look("vm").why()).contains("no ISO");
        assertThat(unchosen().choose("vm", "new").choose("new-from", "1").look("vm").why()).contains("no template 1");
        assertThat(unchosen().choose("vm", "new").choose("new-iso", "local:iso/debian-13.iso").choose("new-storage", "local")
                .look("vm").why()).contains("no storage local for disks");
        assertThat(unchosen().token(Map.of("/vms", List.of("VM.Audit"))).choose("vm", "new")
                .choose("new-iso", "local:iso/debian-13.iso").look("vm").why())
                .contains("VM.Allocate on /vms/130, Datastore.AllocateSpace on /storage/local-lvm");
    }

    private static Scene unchosen() {
        Scene scene = new Scene();
        scene.chosen = false;
        return scene;
    }

    private static Question question(Answer answer, String key) {
        return answer.questions().stream().filter(q -> q.key().equals(key)).findFirst().orElseThrow();
    }
}
