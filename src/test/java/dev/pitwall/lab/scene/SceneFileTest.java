package dev.pitwall.lab.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

class SceneFileTest {
    private final SceneFile scenes = new SceneFile();

    @Test
    void theGarageHasThreeCardsAndTwentyOneNodes() throws Exception {
        World world = garage();
        assertThat(world.cards).containsOnlyKeys("pve1/0000:01:00", "pve2/0000:01:00", "pve3/0000:01:00");
        assertThat(world.nodes).hasSize(21);
        assertThat(world.nodes.values().stream().filter(node -> node.role.equals("master"))).hasSize(5);
        assertThat(world.nodes.get("rke2-worker-dc2-gpu-a").cards).containsExactly("pve2/0000:01:00");
        assertThat(world.servers).containsOnlyKeys("ollama-a", "ollama-b", "ollama-c");
    }

    @Test
    void everyNodeHasTheUuidOfItsVm() throws Exception {
        World world = garage();
        assertThat(world.nodes.values()).allSatisfy(node -> assertThat(world.vms.get(node.vmid).config)
                .containsEntry("smbios1", "uuid=" + node.systemUuid).containsEntry("name", node.name));
    }

    @Test
    void aCardsGroupHoldsItsFunctionsAndItsRootPort() throws Exception {
        World world = garage();
        assertThat(world.hosts.get("pve1").pci.stream().filter(f -> f.iommuGroup == 14).map(f -> f.address))
                .containsExactly("0000:00:01.0", "0000:01:00.0", "0000:01:00.1");
        assertThat(world.hosts.get("pve1").pci.stream().map(f -> f.iommuGroup).distinct()).hasSize(21);
    }

    @Test
    void noHostIsPromisedMoreMemoryThanItHas() throws Exception {
        World world = garage();
        assertThat(world.hosts.values()).allSatisfy(host -> assertThat(world.vms.values().stream()
                .filter(vm -> vm.host.equals(host.name)).mapToLong(vm -> Long.parseLong(vm.config.get("memory")) << 20)
                .sum()).isLessThan(host.memoryBytes));
    }

    @Test
    void anUnknownSceneSaysSo() {
        assertThatThrownBy(() -> scenes.bundled("attic")).isInstanceOf(SceneException.class)
                .hasMessage("scene attic: this version has no such scene");
    }

    @Test
    void aMisspeltKeyIsNamed() {
        assertThatThrownBy(() -> scenes.parse("my.yaml", "name: x\nhots: []\n")).isInstanceOf(SceneException.class)
                .hasMessageStartingWith("my.yaml hots: there is no such key; possible are boards, ");
    }

    @Test
    void brokenYamlIsNamedWithItsLine() {
        assertThatThrownBy(() -> scenes.parse("my.yaml", "name: x\nhosts: {\n")).isInstanceOf(SceneException.class)
                .hasMessageStartingWith("my.yaml line ").hasMessageEndingWith("not valid YAML");
    }

    @Test
    void aWrongValueIsNamedWithItsPlace() {
        assertThatThrownBy(() -> scenes.parse("my.yaml", "name: x\npods: {count: many}\n"))
                .isInstanceOf(SceneException.class)
                .hasMessage("my.yaml pods.count: the value is not of the expected form");
    }

    @Test
    void aReferenceThatLeadsNowhereIsNamed() throws Exception {
        String broken = text().replace("kind: rtx-a1000, group", "kind: rtx-a100, group");
        assertThatThrownBy(() -> scenes.parse("my.yaml", broken)).isInstanceOf(SceneException.class)
                .hasMessage("my.yaml hosts[0].cards[0].kind: no card kind 'rtx-a100'; there is rtx-3090-far, rtx-3090-near, rtx-4090, rtx-5090, rtx-a1000");
    }

    @Test
    void everySceneThatIsSaidToBeThereIsThere() throws Exception {
        for (SceneIndex.Entry entry : new SceneIndex().entries()) {
            if (entry.available() && !entry.name().equals("fleet")) {
                assertThat(scenes.bundled(entry.name()).summary()).isEqualTo(entry.summary());
            }
        }
        assertThat(new SceneIndex().available()).isEqualTo("garage, workshop, talos, metal, fleet");
    }

    @Test
    void anEmptyFileIsRefused() {
        assertThatThrownBy(() -> scenes.parse("my.yaml", "")).isInstanceOf(SceneException.class);
    }

    private World garage() throws SceneException {
        World world = new World(new LabClock(InstantSource.system()), 1);
        SceneWorld.fill(world, scenes.bundled("garage"));
        return world;
    }

    private static String text() throws IOException {
        try (InputStream in = SceneFileTest.class.getResourceAsStream("/lab/scenes/garage.yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
