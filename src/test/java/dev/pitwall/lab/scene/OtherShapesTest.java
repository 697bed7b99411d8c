package dev.pitwall.lab.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;

/** The format holds what later scenes need: bare metal, equal cards, AMD hosts, a card shared with a Windows VM. */
class OtherShapesTest {
    private World world;

    @BeforeEach
    void attic() throws Exception {
        world = new World(new LabClock(InstantSource.system()), 1);
        try (InputStream in = OtherShapesTest.class.getResourceAsStream("/lab/attic.yaml")) {
            SceneWorld.fill(world, new SceneFile().parse("attic.yaml",
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        }
    }

    @Test
    void aBareMetalNodeSeesBothOfItsMachinesCards() {
        assertThat(world.nodes.get("metal1-node").cards).containsExactly("metal1/0000:17:00", "metal1/0000:65:00");
        assertThat(world.cards.get("metal1/0000:65:00").guestAddress).isEqualTo("0000:65:00");
        assertThat(world.nodes.get("metal1-node").cpus).isEqualTo(24);
        assertThat(world.hosts.get("metal1").proxmox).isFalse();
    }

    @Test
    void aMappedCardIsWithTheVmThatRuns() {
        assertThat(world.nodes.get("talos-gpu").cards).isEmpty();
        assertThat(world.nodes.get("talos-gpu").ready).isFalse();
        assertThat(world.cards.get("pve4/0000:01:00").guestAddress).isEqualTo("0000:01:00");
        assertThat(world.hosts.get("pve4").cpuVendor).isEqualTo("AuthenticAMD");
    }

    @Test
    void faultsThatNeedAVmAreNotPossibleOnBareMetal() throws Exception {
        FaultBoard board = new FaultBoard(world);
        board.on("gpu-lost-off-bus", Optional.of("metal1/0000:65:00"));
        assertThat(world.cards.get("metal1/0000:65:00").lost).isTrue();
        board.on("vm-machine-not-q35", Optional.empty());
        assertThat(world.faults.getLast().card()).contains("pve4/0000:01:00");
    }
}
