package dev.pitwall.lab.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.Test;

import java.time.InstantSource;

class FleetTest {

    @Test
    void theBigFleetHasWhatWasAskedFor() throws Exception {
        Scene scene = Fleet.scene(new Fleet.Size(16, 64, 200, 5000), 7);
        World world = new World(new LabClock(InstantSource.system()), 7);
        SceneWorld.fill(world, scene);
        assertThat(world.hosts).hasSize(16);
        assertThat(world.cards).hasSize(64);
        assertThat(world.nodes).hasSize(200);
        assertThat(world.pods).isEqualTo(5000);
        assertThat(world.podChangesPerSecond).isEqualTo(50);
        assertThat(world.nodes.get("gpu-01").cards).containsExactly("pve01/0000:01:00", "pve01/0000:02:00",
                "pve01/0000:03:00", "pve01/0000:04:00");
        assertThat(world.cards.values().stream().map(card -> card.uuid).distinct()).hasSize(64);
        assertThat(world.nodes.values().stream().map(node -> node.systemUuid).distinct()).hasSize(200);
    }

    @Test
    void theSameSeedGivesTheSameFleet() throws Exception {
        assertThat(Fleet.scene(Fleet.Size.USUAL, 3)).isEqualTo(Fleet.scene(Fleet.Size.USUAL, 3));
        assertThat(Fleet.scene(Fleet.Size.USUAL, 3)).isNotEqualTo(Fleet.scene(Fleet.Size.USUAL, 4));
    }

    @Test
    void numbersThatDoNotGoTogetherAreRefused() {
        assertThatThrownBy(() -> Fleet.scene(new Fleet.Size(1, 9, 10, 0), 1)).isInstanceOf(SceneException.class)
                .hasMessage("--cards: 9 is not from 0 to 8");
        assertThatThrownBy(() -> Fleet.scene(new Fleet.Size(2, 2, 1, 0), 1)).isInstanceOf(SceneException.class)
                .hasMessage("--nodes: 1 is not from 2 to 2000");
    }
}
