package dev.pitwall.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.TroubleException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class LabTest {
    private static final String LISTEN = "0A";
    /** 127.0.0.1, ::1, and 127.0.0.1 as an IPv6 socket has it. */
    private static final Set<String> LOOPBACK = Set.of("0100007F", "00000000000000000000000001000000",
            "0000000000000000FFFF00000100007F");

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

    @ParameterizedTest
    @ValueSource(strings = {"garage", "talos", "metal"})
    @EnabledOnOs(OS.LINUX)
    void onlyLoopbackAddressesAreBound(String scene) throws Exception {
        Set<String> before = listening();
        try (Lab lab = Lab.start(LabOptions.garage(dir).withScene(scene))) {
            Set<String> opened = listening();
            opened.removeAll(before);
            assertThat(opened).hasSizeGreaterThanOrEqualTo(lab.endpoints().size())
                    .allMatch(address -> LOOPBACK.contains(address.split(":")[0]));
        }
    }

    /** Addresses this process listens on, as {@code /proc/net/tcp} writes them: hexadecimal, the bytes of each word turned round. */
    private static Set<String> listening() throws Exception {
        Set<String> own = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            for (Path file : files.toList()) {
                if (Files.isSymbolicLink(file)) {
                    own.add(Files.readSymbolicLink(file).toString());
                }
            }
        }
        Set<String> addresses = new HashSet<>();
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] words = line.strip().split(" +");
                if (words[3].equals(LISTEN) && own.contains("socket:[" + words[9] + "]")) {
                    addresses.add(words[1]);
                }
            }
        }
        return addresses;
    }

    @Test
    void closingLeavesNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Lab.start(LabOptions.garage(dir)).close();
        Awaitility.await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread)).map(Thread::getName)
                // The test library's, and the JDK's own that everything with virtual threads or cleaners shares.
                .filter(name -> !name.matches("awaitility-thread|VirtualThread-unblocker|Common-Cleaner|ForkJoinPool.*|.*unparker.*|Read-Poller|Write-Poller"))
                .collect(Collectors.toList())).isEmpty());
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
