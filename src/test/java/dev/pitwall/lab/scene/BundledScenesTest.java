package dev.pitwall.lab.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabCluster.Distribution;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.PowerSwitch;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** What the scenes {@code talos} and {@code metal} promise. */
class BundledScenesTest {
    private static World world(String scene) throws SceneException {
        World world = new World(new LabClock(InstantSource.system()), 1);
        SceneWorld.fill(world, new SceneFile().bundled(scene));
        return world;
    }

    @Test
    void talosHasTwoHostsWithACardEachAndAWindowsVmThatSharesOne() throws Exception {
        World world = world("talos");
        assertThat(world.cards.values()).extracting(card -> card.product)
                .containsExactlyInAnyOrder("NVIDIA GeForce RTX 5090", "NVIDIA GeForce RTX 4090");
        LabVm windows = world.vms.get(210);
        LabVm worker = world.vms.get(112);
        assertThat(windows.config.get("hostpci0")).startsWith("0000:01:00");
        assertThat(worker.config.get("hostpci0")).startsWith("0000:01:00");
        assertThat(windows.host).isEqualTo(worker.host);
        assertThat(windows.status).isEqualTo("stopped");
        assertThat(world.kubernetes.distribution()).isEqualTo(Distribution.TALOS);
        assertThat(world.nodes.values()).allSatisfy(node -> assertThat(node.talos).isPresent());
    }

    @Test
    void theCardGoesToTheVmThatRuns() throws Exception {
        World world = world("talos");
        world.change(w -> {
            PowerSwitch.stop(w, w.vms.get(112));
            PowerSwitch.start(w, w.vms.get(210), w.clock().instant());
        });
        assertThat(world.nodes.get("talos-gpu-4090").cards).isEmpty();
        assertThat(world.nodes.get("talos-gpu-4090").ready).isFalse();
        assertThat(world.cards.get("ember/0000:01:00").guestAddress).isEqualTo("0000:01:00");
        assertThat(world.servers.get("ollama-4090").up).isFalse();
    }

    @Test
    void theIdsAreThoseOfTheCards() throws Exception {
        Map<String, String> ids = Map.of("forge", "10de:2b85 10de:22e8", "ember", "10de:2684 10de:22ba");
        World world = world("talos");
        ids.forEach((host, wanted) -> assertThat(String.join(" ", world.hosts.get(host).pci.stream()
                .filter(f -> f.address.startsWith("0000:01:00")).map(f -> f.vendorId + ":" + f.deviceId).toList()))
                .isEqualTo(wanted));
    }

    @Test
    void metalIsOneMachineWithTwoEqualCardsAndNoHypervisor() throws Exception {
        World world = world("metal");
        assertThat(world.hosts.values()).singleElement().matches(host -> !host.proxmox);
        assertThat(world.vms).isEmpty();
        assertThat(world.nodes.get("anvil").cards).hasSize(2);
        assertThat(world.cards.values().stream().map(card -> card.product).distinct()).hasSize(1);
        assertThat(world.kubernetes.distribution()).isEqualTo(Distribution.K3S);
        assertThat(world.nodes.get("anvil").driverSource).isEqualTo(GuestDriver.Source.HOST);
        assertThat(world.servers.values()).extracting(server -> server.kind)
                .containsExactlyInAnyOrder(LabModelServer.Kind.OLLAMA, LabModelServer.Kind.LLAMA_SERVER);
    }

    @Test
    void inTheWorkshopNothingIsSetUp() throws Exception {
        World world = world("workshop");
        assertThat(world.hosts.get("pve1").iommuActive).isFalse();
        assertThat(world.hosts.get("pve2").iommuActive).isTrue();
        assertThat(world.hosts.get("pve3").iommuActive).isFalse();
        assertThat(world.nodes.values()).allMatch(node -> node.cards.isEmpty());
        assertThat(world.hosts.values().stream().flatMap(host -> host.pci.stream())
                .filter(f -> f.vendorId.equals("10de") && f.classCode.startsWith("03"))).hasSize(4)
                .allMatch(f -> f.driver.equals("nouveau"));
        assertThat(world.containers.values()).singleElement().matches(container -> container.runs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"garage", "talos", "metal"})
    void aCardsGroupHoldsNothingBesidesItself(String scene) throws Exception {
        World world = world(scene);
        world.cards.values().forEach(card -> {
            int group = world.hosts.get(card.host).pci.stream()
                    .filter(f -> f.address.equals(card.slot + ".0")).findFirst().orElseThrow().iommuGroup;
            assertThat(world.hosts.get(card.host).pci.stream().filter(f -> f.iommuGroup == group))
                    .allMatch(f -> f.address.startsWith(card.slot + ".") || f.classCode.startsWith("0604"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"garage", "workshop", "talos", "metal"})
    void everyFunctionHasAnAddressOfItsOwn(String scene) throws Exception {
        World world = world(scene);
        world.hosts.values().forEach(host -> assertThat(host.pci).extracting((LabPci f) -> f.address)
                .doesNotHaveDuplicates());
    }

    @ParameterizedTest
    @ValueSource(strings = {"talos", "metal", "workshop"})
    void noHostIsPromisedMoreMemoryThanItHas(String scene) throws Exception {
        World world = world(scene);
        assertThat(world.hosts.values()).allSatisfy(host -> assertThat(world.vms.values().stream()
                .filter(vm -> vm.host.equals(host.name)).mapToLong(vm -> Long.parseLong(vm.config.get("memory")) << 20)
                .sum()).isLessThanOrEqualTo(host.memoryBytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"talos", "metal"})
    void everyFaultThatIsPossibleCanBeSwitchedOnAndOff(String scene) throws Exception {
        World world = world(scene);
        FaultBoard board = new FaultBoard(world);
        for (FaultBoard.Known fault : board.possible()) {
            board.on(fault.trap(), Optional.empty());
            board.off(fault.trap());
        }
        assertThat(world.faults).isEmpty();
    }
}
