package dev.pitwall.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.pitwall.card.TroubleException;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

class FaultBoardTest {
    private static final String FIRST = "pve1/0000:01:00";
    private static final String SECOND = "pve2/0000:01:00";
    private static final ObjectMapper JSON = JsonMapper.builder().addModule(new JavaTimeModule())
            .disable(MapperFeature.REQUIRE_HANDLERS_FOR_JAVA8_OPTIONALS)
            .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.PUBLIC_ONLY).build();

    /** Faults of a card that change objects of the cluster only. */
    private static final List<String> IN_CLUSTER = List.of("claim-held-by-terminating-pod", "idle-notebook-holds-gpu");

    private World world;
    private FaultBoard board;

    @BeforeEach
    void garage() throws Exception {
        world = new World(new LabClock(InstantSource.fixed(Instant.parse("2026-03-01T10:00:00Z"))), 1);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        board = new FaultBoard(world);
    }

    @Test
    void everyFaultOfTheGarageLeavesNothingBehindWhenSwitchedOff() throws Exception {
        String before = state();
        List<FaultBoard.Known> possible = board.possible();
        assertThat(possible).extracting(FaultBoard.Known::trap).contains("iommu-off", "driver-oom-while-compiling",
                "idle-notebook-holds-gpu").doesNotContain("talos-extension-not-installed", "nouveau-loaded");
        for (FaultBoard.Known fault : possible) {
            board.on(fault.trap(), fault.cards().stream().reduce((one, other) -> other));
            assertThat(world.faults).as(fault.trap()).hasSize(1);
            if (fault.on().equals("host") || fault.on().equals("card") && !IN_CLUSTER.contains(fault.trap())) {
                assertThat(withoutFaults()).as(fault.trap()).isNotEqualTo(before);
            }
            board.off(fault.trap());
            assertThat(state()).as(fault.trap()).isEqualTo(before);
        }
    }

    @Test
    void faultsThatOverlapCanBeSwitchedOffInAnyOrder() throws Exception {
        String before = state();
        board.on("iommu-off", Optional.of(FIRST));
        String only = state();
        board.on("gpu-stuck-d3", Optional.of(FIRST));
        board.on("host-silent", Optional.of(FIRST));
        board.off("gpu-stuck-d3");
        board.off("host-silent");
        assertThat(state()).isEqualTo(only);
        board.on("vm-machine-not-q35", Optional.of(FIRST));
        board.off("iommu-off");
        assertThat(world.vms.get(121).status).isEqualTo("stopped");
        assertThat(world.hosts.get("pve1").iommuActive).isTrue();
        board.off("vm-machine-not-q35");
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void whateverIsSwitchedOnAndOffInWhateverOrderTheLabIsAsItWasInTheEnd() throws Exception {
        String before = state();
        List<String> traps = board.possible().stream().map(FaultBoard.Known::trap).toList();
        List<String> cards = List.copyOf(world.cards.keySet());
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            for (int i = 0; i < 12; i++) {
                String trap = traps.get(random.nextInt(traps.size()));
                if (random.nextInt(3) > 0) {
                    onIfPossible(trap, cards.get(random.nextInt(cards.size())));
                } else {
                    board.off(trap);
                }
            }
            List<String> on = new ArrayList<>(world.faults.stream().map(fault -> fault.trap()).distinct().toList());
            Collections.shuffle(on, random);
            on.forEach(board::off);
            assertThat(state()).as("seed " + seed).isEqualTo(before);
        }
    }

    @Test
    void withoutACardTheFirstThatFitsIsStruck() throws Exception {
        board.on("host-silent", Optional.empty());
        assertThat(world.hosts.get("pve1").silent).isTrue();
        assertThat(world.nodes.values().stream().filter(node -> !node.ready)).allMatch(node -> node.host.equals("pve1"))
                .isNotEmpty();
        board.on("host-silent", Optional.of(SECOND));
        assertThat(world.faults).hasSize(2);
        board.off("host-silent");
        assertThat(world.hosts.values()).noneMatch(host -> host.silent);
    }

    @Test
    void aStoppedVmTakesItsNodeAndModelServerDown() throws Exception {
        board.on("iommu-off", Optional.of(FIRST));
        assertThat(world.vms.get(121).status).isEqualTo("stopped");
        assertThat(world.vms.get(111).status).isEqualTo("running");
        assertThat(world.nodes.get("rke2-worker-dc1-gpu-a").ready).isFalse();
        assertThat(world.servers.get("ollama-a").up).isFalse();
        assertThat(drivers()).as("nouveau is on the blacklist").containsExactly("", "snd_hda_intel");
        assertThat(world.hosts.get("pve1").pci).allMatch(function -> function.iommuGroup == -1);
        assertThat(world.hosts.get("pve2").pci).noneMatch(function -> function.iommuGroup == -1);
    }

    @Test
    void aPendingChangeIsInTheConfigurationAndNotInTheRunningVm() throws Exception {
        board.on("vm-change-pending-power-cycle", Optional.of(FIRST));
        assertThat(world.vms.get(121).config).containsEntry("hostpci0", "0000:01:00,pcie=1").containsEntry("machine", "q35");
        assertThat(world.vms.get(121).running).doesNotContainKeys("hostpci0", "machine").containsKey("name");
        assertThat(world.nodes.get("rke2-worker-dc1-gpu-a").cards).isEmpty();
        assertThat(world.nodes.get("rke2-worker-dc1-gpu-a").ready).isTrue();
    }

    @Test
    void anotherVmThatHoldsTheCardIsThereAndGoesAgain() throws Exception {
        board.on("gpu-owned-by-other-vm", Optional.of(SECOND));
        assertThat(world.vms.get(210).config).containsEntry("name", "win11-studio").containsEntry("hostpci0", "0000:01:00,pcie=1");
        board.off("gpu-owned-by-other-vm");
        assertThat(world.vms).doesNotContainKey(210);
    }

    @Test
    void theHostsOwnDriversTakeACardThatNothingReserves() throws Exception {
        board.on("host-driver-holds-passthrough-gpu", Optional.of(FIRST));
        assertThat(drivers()).containsExactly("nouveau", "snd_hda_intel");
    }

    @Test
    void barsWithoutPlaceAreLoggedWithTheirSize() throws Exception {
        board.on("above-4g-rebar-off", Optional.of(FIRST));
        assertThat(world.hosts.get("pve1").pci.stream().filter(f -> f.address.equals("0000:01:00.0")).findFirst()
                .orElseThrow().barLines).contains("BAR 1 [mem size 0x200000000 64bit pref]: can't assign; no space");
    }

    @Test
    void whatIsUnknownIsRefusedWithWhatThereIs() {
        assertThatThrownBy(() -> board.on("gremlins", Optional.empty())).isInstanceOf(TroubleException.class)
                .hasMessage("practice lab: there is no fault 'gremlins'")
                .extracting(e -> ((TroubleException) e).trouble().next()).asString().contains("iommu-off, ");
        assertThatThrownBy(() -> board.on("iommu-off", Optional.of("pve9/0000:01:00")))
                .isInstanceOf(TroubleException.class).hasMessageContaining("there is no card 'pve9/0000:01:00'")
                .extracting(e -> ((TroubleException) e).trouble().next()).asString().contains(FIRST);
    }

    /** Some faults exclude each other: a group that is gone has no neighbour to share it with. */
    private void onIfPossible(String trap, String card) {
        try {
            board.on(trap, Optional.of(card));
        } catch (TroubleException e) {
            assertThat(e.trouble().what()).contains("cannot express");
        }
    }

    private List<String> drivers() {
        return world.hosts.get("pve1").pci.stream().filter(f -> f.address.startsWith("0000:01:00."))
                .map(f -> f.driver).toList();
    }

    /** What cannot unhappen is that a machine has booted. */
    private String state() throws Exception {
        return JSON.writeValueAsString(world).replaceAll("\"bootedAt\":[^,]+", "");
    }

    private String withoutFaults() throws Exception {
        return state().replaceFirst("\"faults\":\\[.*?]", "\"faults\":[]");
    }
}
