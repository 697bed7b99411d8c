package dev.pitwall.link;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.HotSpotDiagnosticMXBean;
import dev.pitwall.card.FloorState;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.Connection;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.ReadIntervals;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Sessions;
import dev.pitwall.store.SiteFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Two sites connected at once, each to a lab of its own, over all their real sockets. */
@Isolated
class TwoSitesTest {
    /** What Pitwall's side names its threads; OkHttp's own few are shared by all clients and end by themselves. */
    private static final String CLIENT = "(site|keep|read|watch-|http-|sshd-SshClient).*";

    @TempDir
    private Path dir;

    private Lab lab(String name) throws Exception {
        return Lab.start(LabOptions.garage(dir.resolve(name)).withLoginPenalty(Duration.ZERO));
    }

    private LiveSite connect(Lab lab) throws Exception {
        NetworkTrouble troubles = new NetworkTrouble(new Words());
        InstantSource clock = InstantSource.system();
        SiteFile.Loaded loaded = new SiteFile(lab.siteFile()).read();
        HostLinks hosts = new HostLinks(loaded.secrets(), SecondFactor.NONE, clock, TimeLimits.usual(), troubles,
                new KnownHosts(List.of()), Optional.empty());
        LiveSite live = new Sessions(new SystemLinks(hosts, TimeLimits.usual(), troubles, clock), () -> ReadIntervals.every(2),
                clock).open(loaded.site(), view -> { });
        await().untilAsserted(() -> {
            assertThat(live.view().connections()).isNotEmpty().extracting(Connection::state)
                    .containsOnly(Connection.State.LIVE);
            assertThat(live.view().cards()).isNotEmpty().allSatisfy(card -> assertThat(card.floors())
                    .noneMatch(floor -> floor.state() == FloorState.UNKNOWN));
        });
        return live;
    }

    /** Platform and virtual threads of Pitwall's side by name, numbers left out. */
    private Map<String, Long> clientThreads() throws Exception {
        Path file = dir.resolve("threads-" + System.nanoTime() + ".json");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpThreads(file.toAbsolutePath().toString(),
                HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
        JsonNode dump = new ObjectMapper().readTree(Files.readString(file));
        return dump.path("threadDump").path("threadContainers").valueStream()
                .flatMap(container -> container.path("threads").valueStream())
                .map(thread -> thread.path("name").asText()).filter(name -> name.matches(CLIENT))
                .collect(Collectors.groupingBy(name -> name.replaceAll("\\d+", "#"), TreeMap::new,
                        Collectors.counting()));
    }

    private static int connections(Lab lab) {
        return lab.connections().entrySet().stream()
                .filter(e -> Stream.of("kubernetes", "proxmox", "ssh").anyMatch(e.getKey()::startsWith))
                .mapToInt(Map.Entry::getValue).sum();
    }

    @Test
    void closingOneLeavesNothingOfItBehindAndTheOtherLive() throws Exception {
        try (Lab first = lab("first"); Lab second = lab("second")) {
            assertThat(clientThreads()).isEmpty();
            try (LiveSite staying = connect(second)) {
                LiveSite leaving = connect(first);
                assertThat(connections(first)).isPositive();
                Map<String, Long> both = clientThreads();
                assertThat(both).containsEntry("watch-pulse", 2L).containsEntry("site lab garage", 2L);

                leaving.close();

                Instant closed = Instant.now();
                await().untilAsserted(() -> assertThat(connections(first)).isZero());
                await().untilAsserted(() -> assertThat(clientThreads())
                        .containsEntry("watch-pulse", 1L).containsEntry("site lab garage", 1L)
                        .allSatisfy((name, count) -> assertThat(count).as(name)
                                .isLessThanOrEqualTo(both.getOrDefault(name, count))));
                assertThat(clientThreads().keySet()).filteredOn(name -> name.startsWith("read "))
                        .allSatisfy(name -> assertThat(clientThreads()).containsEntry(name,
                                both.get(name) == null ? 1L : both.get(name) / 2));
                await().untilAsserted(() -> assertThat(staying.view().connections())
                        .allSatisfy(c -> assertThat(c.at().orElseThrow()).isAfter(closed)));
                assertThat(staying.view().connections()).extracting(Connection::state)
                        .containsOnly(Connection.State.LIVE);
            }
            await().untilAsserted(() -> assertThat(clientThreads()).isEmpty());
            await().untilAsserted(() -> assertThat(connections(second)).isZero());
        }
    }
}
