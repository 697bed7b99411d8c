package dev.pitwall.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.TroubleException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

class LabTest {
    @TempDir
    private Path dir;

    @Test
    void theSiteFileSaysHowToConnect() throws Exception {
        try (Lab lab = Lab.start(LabOptions.garage(dir.resolve("new/folder")))) {
            JsonNode site = new ObjectMapper().readTree(lab.siteFile().toFile());
            assertThat(site.path("name").asText()).isEqualTo("lab garage");
            assertThat(site.path("lab").asBoolean()).isTrue();
            JsonNode first = site.path("proxmox").get(0);
            assertThat(first.path("name").asText()).isEqualTo("pve1");
            assertThat(first.path("url").asText()).isEqualTo(lab.endpoints().getFirst().uri().toString());
            assertThat(first.path("fingerprint").asText()).isEqualTo(lab.authority().fingerprint("pve1"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lab.siteFile())))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void twoLabsRunSideBySideAndDoNotShareAnything() throws Exception {
        try (Lab one = Lab.start(LabOptions.garage(dir.resolve("one")));
             Lab two = Lab.start(LabOptions.garage(dir.resolve("two")))) {
            assertThat(one.endpoints()).doesNotContainAnyElementsOf(two.endpoints());
            assertThat(one.authority().fingerprint("pve1")).isNotEqualTo(two.authority().fingerprint("pve1"));
            one.world().change(w -> w.hosts.get("pve1").silent = true);
            assertThat(two.world().<Boolean>read(w -> w.hosts.get("pve1").silent)).isFalse();
        }
    }

    @Test
    void credentialsAreFreshAtEachStartWhateverTheSeed() throws Exception {
        List<LabLogin> first;
        try (Lab lab = Lab.start(LabOptions.garage(dir.resolve("one")))) {
            first = lab.logins();
        }
        try (Lab lab = Lab.start(LabOptions.garage(dir.resolve("one")))) {
            assertThat(lab.logins()).hasSameSizeAs(first).doesNotContainAnyElementsOf(first);
        }
    }

    @Test
    void thingsChangeByThemselves() throws Exception {
        try (Lab lab = Lab.start(LabOptions.garage(dir).withSpeed(60))) {
            double before = lab.world().read(w -> w.vms.get(121).cpuLoad);
            Awaitility.await().until(() -> lab.world().<Double>read(w -> w.vms.get(121).cpuLoad) != before);
            Awaitility.await().until(() -> lab.world().<Boolean>read(w -> w.cards.values().stream()
                    .anyMatch(card -> card.utilizationPercent > 20)));
        }
    }

    @Test
    void faultsOfTheOptionsAreOnFromTheStart() throws Exception {
        LabOptions options = LabOptions.garage(dir).withFaults(List.of("iommu-off@pve2/0000:01:00", "host-silent"));
        try (Lab lab = Lab.start(options)) {
            assertThat(lab.world().<Boolean>read(w -> w.hosts.get("pve2").iommuActive)).isFalse();
            assertThat(lab.world().<Boolean>read(w -> w.hosts.get("pve1").silent)).isTrue();
            lab.switchOff("host-silent");
            assertThat(lab.world().<Boolean>read(w -> w.hosts.get("pve1").silent)).isFalse();
            assertThat(lab.possibleFaults()).extracting(fault -> fault.trap()).contains("gpu-stuck-d3");
        }
        assertThatThrownBy(() -> Lab.start(options.withFaults(List.of("gremlins")))).isInstanceOf(TroubleException.class)
                .hasMessageContaining("there is no fault 'gremlins'");
    }

    @Test
    void aFaultThatEndsByItselfLeavesTheListAndTheDriverLoaded() throws Exception {
        LabOptions options = LabOptions.garage(dir).withSpeed(200).withFaults(List.of("waiting-driver-compiling"));
        try (Lab lab = Lab.start(options)) {
            Awaitility.await().until(() -> lab.world().<Boolean>read(w -> w.faults.isEmpty()));
            assertThat(lab.world().<Boolean>read(w -> w.nodes.values().stream().filter(n -> !n.cards.isEmpty())
                    .allMatch(n -> n.driver.equals("loaded")))).isTrue();
        }
    }

    @Test
    void aSpeedThatCannotBeIsRefused() {
        assertThatThrownBy(() -> Lab.start(LabOptions.garage(dir).withSpeed(0))).isInstanceOf(TroubleException.class)
                .hasMessage("practice lab: speed must be over 0 and at most 1000, not 0.0");
    }

    @Test
    void anUnknownSceneNamesThoseThatThereAre() {
        assertThatThrownBy(() -> Lab.start(LabOptions.garage(dir).withScene("attic")))
                .isInstanceOf(TroubleException.class).hasMessageContaining("scene attic: this version has no such scene");
    }

    @Test
    void aFileIsNoFolder() throws Exception {
        Path file = Files.createFile(dir.resolve("file"));
        assertThatThrownBy(() -> Lab.start(LabOptions.garage(file))).isInstanceOf(TroubleException.class)
                .hasMessage(file + ": it is a file, not a folder");
        assertThatThrownBy(() -> Lab.start(LabOptions.garage(file.resolve("below")))).isInstanceOf(TroubleException.class)
                .hasMessage(file + ": it is a file, not a folder");
    }

    @Test
    void theFolderOfARunningLabIsLeftAlone() throws Exception {
        try (Lab lab = Lab.start(LabOptions.garage(dir))) {
            String site = Files.readString(lab.siteFile());
            assertThat(Lab.isRunningIn(dir)).isTrue();
            assertThatThrownBy(() -> Lab.start(LabOptions.garage(dir))).isInstanceOf(TroubleException.class)
                    .hasMessage(dir + ": another practice lab is running in it");
            assertThat(lab.siteFile()).hasContent(site);
        }
        assertThat(Lab.isRunningIn(dir)).isFalse();
        Lab.start(LabOptions.garage(dir)).close();
    }

    @Test
    void theSameSceneGivesTheSameMachinesEveryTime() throws Exception {
        List<String> uuids;
        try (Lab lab = Lab.start(LabOptions.garage(dir))) {
            uuids = lab.world().read(w -> w.nodes.values().stream().map(node -> node.systemUuid).toList());
        }
        try (Lab lab = Lab.start(LabOptions.garage(dir))) {
            assertThat(lab.world().<List<String>>read(w -> w.nodes.values().stream().map(n -> n.systemUuid).toList()))
                    .isEqualTo(uuids);
        }
    }
}
