package dev.pitwall.journey.guest;

import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.VmPowerCycle;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class PowerCycleStepTest {

    @Test
    void aRunningVmWithNothingPendingIsDone() {
        assertThat(attached().look("power-cycle").state()).isEqualTo(State.DONE);
    }

    @Test
    void whatIsPendingIsToldFromWhatIsLive() {
        Answer answer = pending().look("power-cycle");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.why()).isEqualTo("pending: balloon, hostpci0");
        assertThat(answer.changes()).containsExactly(new VmPowerCycle("pve1", 122, "gpu-worker-1", Duration.ofMinutes(5),
                Duration.ofSeconds(4 * 30 + 5 + 30)));
        assertThat(answer.found()).anyMatch(f -> f.value().contains("hostpci0: – now, 0000:01:00,pcie=1 after"));
    }

    @Test
    void aPendingNameOrTagNeedsNoPowerCycle() {
        Scene scene = attached();
        scene.live = Optional.of(new TreeMap<>(scene.config));
        scene.set("tags", "gpu");

        assertThat(scene.look("power-cycle").state()).isEqualTo(State.DONE);
    }

    @Test
    void aVmThatIsOffIsOnlyStarted() {
        Answer answer = attached().off().look("power-cycle");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.why()).contains("is off");
        assertThat(answer.notes()).noneMatch(n -> n.contains("power button"));
    }

    @Test
    void aBigVmAndItsOwnShutdownTimeGetTheTimeTheyNeed() {
        Scene scene = pending().set("memory", "65536").set("startup", "order=3,down=900").set("net1", "virtio,bridge=vmbr1");
        scene.live.orElseThrow().put("memory", "65536");
        VmPowerCycle change = (VmPowerCycle) scene.look("power-cycle").changes().getFirst();

        assertThat(change.shutdown()).isEqualTo(Duration.ofMinutes(15));
        assertThat(change.start()).isEqualTo(Duration.ofSeconds(64 * 4 + 10 + 30));
    }

    @Test
    void whatHappensToTheGuestIsToldBefore() {
        Scene scene = pending().set("ostype", "win11");
        scene.agent = Optional.empty();
        scene.ha = Optional.of("started");

        assertThat(scene.look("power-cycle").notes())
                .anyMatch(n -> n.contains("power button")).anyMatch(n -> n.contains("Windows"))
                .anyMatch(n -> n.contains("HA keeps VM 122 \"started\""));
        assertThat(pending().look("power-cycle").notes()).singleElement().asString().contains("card's memory");
    }

    @Test
    void waitsForTheAttachTheHostAndTheTaskThatLocks() {
        Scene locked = pending();
        locked.lock = Optional.of("backup");
        Scene held = attached().off();
        held.functions.set(1, Scene.function("0000:01:00.0", "0300", "10de:25b0", "nouveau"));
        Scene prelaunch = pending();
        prelaunch.qmp = Optional.of("prelaunch");

        assertThat(new Scene().look("power-cycle").why()).contains("attached");
        assertThat(locked.look("power-cycle").why()).contains("backup");
        assertThat(held.look("power-cycle").why()).contains("host driver");
        assertThat(prelaunch.look("power-cycle").why()).contains("backup");
        for (Scene scene : List.of(new Scene(), locked, held, prelaunch)) {
            assertThat(scene.look("power-cycle").state()).isEqualTo(State.WAITING);
        }
    }

    @Test
    void refusesAStartThatCannotGoWell() {
        Scene paused = pending();
        paused.qmp = Optional.of("paused");
        Scene lost = attached().off();
        PciFunction f = lost.functions.get(1);
        lost.functions.set(1, new PciFunction(f.address(), f.classCode(), f.className(), f.vendorId(), f.deviceId(), f.name(),
                f.subsystemId(), f.driver(), f.modules(), f.iommuGroup(), Optional.of("ff")));
        Scene dead = attached().off().set("hostpci1", "0000:09:00");
        Scene rights = attached().off().token(Map.of("/vms", List.of("VM.Audit")));
        Scene big = attached().off().set("memory", "200000");

        assertThat(paused.look("power-cycle").why()).contains("is paused");
        assertThat(lost.look("power-cycle").why()).contains("fallen off its bus");
        assertThat(dead.look("power-cycle").why()).contains("hostpci1 (0000:09:00)");
        assertThat(rights.look("power-cycle").why()).contains("VM.PowerMgmt on /vms/122");
        assertThat(big.look("power-cycle").why()).contains("200000 MiB");
        for (Scene scene : List.of(paused, lost, dead, rights, big)) {
            assertThat(scene.look("power-cycle").state()).isEqualTo(State.BLOCKED);
        }
    }

    @Test
    void whatWaitsForTheAttachIsForeseenAndWhatStopsItStopsItAlready() {
        VmPowerCycle cycle = new VmPowerCycle("pve1", 122, "gpu-worker-1", Duration.ofMinutes(5),
                Duration.ofSeconds(4 * 30 + 5 + 30));
        Scene off = new Scene();
        off.iommu = List.of();

        assertThat(new Scene().look("power-cycle").foreseen()).containsExactly(cycle);
        assertThat(off.look("power-cycle").foreseen()).containsExactly(cycle);
        assertThat(off.look("power-cycle").state()).isEqualTo(State.WAITING);
        Scene dead = new Scene().set("hostpci1", "0000:09:00");
        assertThat(dead.look("power-cycle").state()).isEqualTo(State.BLOCKED);
        assertThat(dead.look("power-cycle").why()).contains("0000:09:00");
    }

    @Test
    void aFunctionThatProxmox7CouldNotResetIsToldBeforeAnythingIsMade() {
        Scene old = new Scene();
        old.proxmox = "7.4-17";
        old.mappings = Optional.empty();
        old.reset("0000:01:00.0", "flr bus").reset("0000:01:00.1", "bus");
        assertThat(old.look("power-cycle").state()).isEqualTo(State.BLOCKED);
        assertThat(old.look("power-cycle").why()).contains("0000:01:00.1 can only").doesNotContain("01:00.0").contains("reset=try");
        assertThat(old.choose("reset", "try").look("power-cycle").state()).isEqualTo(State.WAITING);

        Scene early8 = attached().off().reset("0000:01:00.1", "bus");
        early8.proxmox = "8.1.4";
        assertThat(early8.look("power-cycle").state()).isEqualTo(State.READY);
        assertThat(early8.look("power-cycle").notes()).anyMatch(n -> n.contains("qemu-server"));
        early8.proxmox = "8.4.14";
        assertThat(early8.look("power-cycle").notes()).noneMatch(n -> n.contains("qemu-server"));
        Scene none = attached().off();
        none.proxmox = "7.4-17";
        assertThat(none.look("power-cycle").state()).as("without a reset file nothing tries").isEqualTo(State.READY);
    }

    @Test
    void aVmThatHaKeepsOffIsNotStartedBehindItsBack() {
        Scene scene = attached().off();
        scene.ha = Optional.of("stopped");

        assertThat(scene.look("power-cycle").state()).isEqualTo(State.BLOCKED);
        assertThat(scene.look("power-cycle").why()).contains("ha-manager set vm:122 --state started");
    }

    @Test
    void isNotOfferedWhileTheAttachIsBlocked() {
        Scene token = attached().token().off().set("hostpci0", "01:00.0,pcie=1");
        assertThat(token.look("attach").state()).isEqualTo(State.BLOCKED);

        assertThat(token.look("power-cycle").state()).isEqualTo(State.WAITING);
        assertThat(token.look("power-cycle").foreseen()).isEmpty();
        assertThat(GuestSteps.all().get(2).look(token.situation().leaving(Set.of("attach"))).state())
                .as("the person has left it out").isEqualTo(State.READY);
    }

    private static Scene attached() {
        return new Scene().set("hostpci0", "0000:01:00,pcie=1");
    }

    /** Configured, but the running VM is as it was before. */
    private static Scene pending() {
        Scene scene = new Scene();
        TreeMap<String, String> live = new TreeMap<>(scene.config);
        live.put("balloon", "4096");
        scene.live = Optional.of(live);
        return scene.set("hostpci0", "0000:01:00,pcie=1");
    }
}
