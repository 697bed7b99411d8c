package dev.pitwall.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a lab opens and leaves in its process. */
@Isolated
class LabInItsProcessTest {
    private static final String LISTEN = "0A";
    /** 127.0.0.1, ::1, and 127.0.0.1 as an IPv6 socket has it. */
    private static final Set<String> LOOPBACK = Set.of("0100007F", "00000000000000000000000001000000",
            "0000000000000000FFFF00000100007F");

    @TempDir
    private Path dir;

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
}
