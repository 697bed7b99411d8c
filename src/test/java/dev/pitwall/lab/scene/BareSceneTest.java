package dev.pitwall.lab.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.InstantSource;

class BareSceneTest {
    private static World world(String scene) throws SceneException {
        World world = new World(new LabClock(InstantSource.system()), 1);
        SceneWorld.fill(world, new SceneFile().bundled(scene).bare());
        return world;
    }

    @ParameterizedTest
    @ValueSource(strings = {"garage", "talos", "metal", "workshop"})
    void aBareSceneHasItsMachinesAndNothingOfNvidiaOnThem(String scene) throws Exception {
        World world = world(scene);
        World set = new World(new LabClock(InstantSource.system()), 1);
        SceneWorld.fill(set, new SceneFile().bundled(scene));
        assertThat(world.nodes.keySet()).isEqualTo(set.nodes.keySet());
        assertThat(world.vms.keySet()).isEqualTo(set.vms.keySet());
        assertThat(world.servers).isEmpty();
        assertThat(world.kubernetes.hasOperator()).isFalse();
        assertThat(world.nodes.values()).allSatisfy(node -> {
            assertThat(node.driver).isEqualTo("absent");
            assertThat(node.toolkitReady).isFalse();
            assertThat(node.files.keySet()).noneMatch(path -> path.contains("nvidia"));
            assertThat(node.talos.stream().flatMap(t -> t.extensions.stream())).noneMatch(e -> e.contains("nvidia"));
            assertThat(node.vmid != 0 && !node.cards.isEmpty()).isFalse();
        });
        assertThat(new FaultBoard(world).possible()).isNotNull();
    }

    @Test
    void theHostsOfTheGarageStayPrepared() throws Exception {
        World world = world("garage");
        assertThat(world.cards.values()).allSatisfy(card -> assertThat(world.hosts.get(card.host).pci.stream()
                .filter(pci -> pci.address.startsWith(card.slot))).extracting((LabPci pci) -> pci.driver)
                .containsOnly("vfio-pci"));
        assertThat(world.pciMappings).containsKey("rtx-a1000");
    }

    @Test
    void theBareMachineHasItsCardsWithNouveau() throws Exception {
        World world = world("metal");
        assertThat(world.hosts.get("anvil").pci.stream().filter(pci -> pci.address.equals("0000:41:00.0")))
                .extracting((LabPci pci) -> pci.driver).containsExactly("nouveau");
        assertThat(world.nodes.get("anvil").cards).hasSize(2);
    }

    @Test
    void aVmThatIsNoNodeKeepsItsCard() throws Exception {
        assertThat(world("talos").vms.get(210).config).containsKey("hostpci0");
    }
}
