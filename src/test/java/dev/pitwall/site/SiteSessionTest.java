package dev.pitwall.site;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.HostReport;
import dev.pitwall.card.MachineReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.ProxmoxReport;
import dev.pitwall.card.Reading;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.store.DataFolder;
import dev.pitwall.store.Database;
import dev.pitwall.store.SqliteLastGood;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SiteSessionTest {
    private static final ReadIntervals QUICK = new ReadIntervals(Duration.ofMillis(20), Duration.ofMillis(20),
            Duration.ofMillis(20), Duration.ofMillis(20));

    /** Links whose probes do what the test says. */
    private static class FakeLinks implements Links {
        final List<String> closed = new CopyOnWriteArrayList<>();
        Probe<ProxmoxReport> proxmox;
        ClusterReport cluster = new ClusterReport("v1.33.0", List.of(), List.of(), 0, List.of(), Optional.empty(),
                List.of());

        @Override
        public Probe<ProxmoxReport> proxmox(ProxmoxAccess access) {
            return closing("proxmox " + access.name(), proxmox);
        }

        @Override
        public Probe<MachineReport> shell(ShellAccess access) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ClusterLink cluster(ClusterAccess access) {
            return new ClusterLink() {
                @Override
                public void start(Runnable dirty) {
                    dirty.run();
                }

                @Override
                public Observed<ClusterReport> current() {
                    return Observed.fresh("cluster", cluster, Instant.now());
                }

                @Override
                public Probe<TelemetryReport> metrics(Endpoint endpoint) {
                    return closing("metrics", () -> new TelemetryReport(List.of()));
                }

                @Override
                public Probe<TelemetryReport> exporters() {
                    return closing("exporters", () -> new TelemetryReport(List.of()));
                }

                @Override
                public Probe<ServerReport> server(String name, Endpoint endpoint) {
                    return closing("server " + name, () -> new ServerReport(name, "ollama", Optional.empty(),
                            List.of(), List.of()));
                }

                @Override
                public void close() {
                    closed.add("cluster");
                }
            };
        }

        @Override
        public Probe<TelemetryReport> metrics(Endpoint.Url endpoint) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Probe<ServerReport> server(String name, Endpoint.Url endpoint) {
            throw new UnsupportedOperationException();
        }

        private interface Read<T> {
            T read() throws TroubleException, InterruptedException;
        }

        private <T> Probe<T> closing(String what, Read<T> read) {
            return new Probe<>() {
                @Override
                public T read() throws TroubleException, InterruptedException {
                    return read.read();
                }

                @Override
                public void close() {
                    closed.add(what);
                }
            };
        }

        private <T> Probe<T> closing(String what, Probe<T> probe) {
            return closing(what, (Read<T>) probe::read);
        }
    }

    private static final Site SITE = new Site("1", "basement", List.of(new ProxmoxAccess("pve1",
            URI.create("https://pve1:8006"), new ProxmoxAccess.Token("a@pve!b", new SecretRef("s")),
            Optional.empty())), List.of(), Optional.of(new ClusterAccess(List.of(), Optional.empty())),
            Optional.empty(), List.of(), false);

    private static ProxmoxReport report() {
        return new ProxmoxReport(List.of(host()), Map.of());
    }

    private static HostReport host() {
        return new HostReport("pve1", "8.4", OptionalLong.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), List.of(), List.of(), List.of(), Map.of());
    }

    private interface Answer {
        ProxmoxReport next() throws TroubleException, InterruptedException;
    }

    private static Probe<ProxmoxReport> probe(Answer answer) {
        return new Probe<>() {
            @Override
            public ProxmoxReport read() throws TroubleException, InterruptedException {
                return answer.next();
            }

            @Override
            public void close() {
                // nothing is held
            }
        };
    }

    private static TroubleException refused() {
        return new TroubleException(new Trouble(Trouble.Kind.CONNECT, "pve1:8006", "connection refused", "Look."));
    }

    @Test
    void aSourceThatFailsKeepsItsLastValueAndComesBackByItself() {
        AtomicInteger turn = new AtomicInteger();
        FakeLinks links = new FakeLinks();
        links.proxmox = probe(() -> {
            if (turn.incrementAndGet() == 2) {
                throw refused();
            }
            return report();
        });
        List<Connection.State> seen = new CopyOnWriteArrayList<>();

        try (LiveSite live = new Sessions(links, () -> QUICK, InstantSource.system()).open(SITE, v ->
                seen.add(v.connections().getFirst().state()))) {
            await().until(() -> seen.contains(Connection.State.FAILING));
            Connection failing = live.view().connections().getFirst();
            assertThat(failing.at()).isPresent();
            live.readAgain(Connection.Kind.PROXMOX, "pve1");
            await().until(() -> live.view().connections().getFirst().state() == Connection.State.LIVE);
        }
    }

    @Test
    void closingEndsEveryProbeAlsoOneThatIsStuckInARead() {
        CountDownLatch inRead = new CountDownLatch(1);
        FakeLinks links = new FakeLinks();
        links.proxmox = probe(() -> {
            inRead.countDown();
            new CountDownLatch(1).await();
            return report();
        });
        LiveSite live = new Sessions(links, () -> QUICK, InstantSource.system()).open(SITE, v -> { });
        await().until(() -> inRead.getCount() == 0);

        live.close();

        assertThat(links.closed).contains("proxmox pve1", "cluster");
    }

    @Test
    void modelServersOfTheClusterAreConnectedWhenTheyAppearAndLetGoWhenTheyLeave() {
        FakeLinks links = new FakeLinks();
        links.proxmox = probe(SiteSessionTest::report);
        ClusterReport empty = links.cluster;
        try (LiveSite live = new Sessions(links, () -> QUICK, InstantSource.system()).open(SITE, v -> { })) {
            links.cluster = new ClusterReport("v1.33.0", List.of(), List.of(), 0, List.of(), Optional.empty(),
                    List.of(new ClusterReport.ServiceReport("llm", "ollama-a",
                            List.of(new ClusterReport.NamedPort("http", 11434)), List.of())));
            await().until(() -> names(live).contains("ollama-a"));
            links.cluster = empty;
            await().until(() -> !names(live).contains("ollama-a"));
        }
        assertThat(links.closed).contains("server ollama-a");
    }

    private static List<String> names(LiveSite live) {
        return new ArrayList<>(live.view().connections().stream().map(Connection::name).toList());
    }

    @Test
    void anUnforeseenErrorInOneProbeIsToldWithoutEndingTheOthers() {
        FakeLinks links = new FakeLinks();
        links.proxmox = probe(() -> {
            throw new IllegalStateException("boom");
        });
        try (LiveSite live = new Sessions(links, () -> QUICK, InstantSource.system()).open(SITE, v -> { })) {
            await().until(() -> live.view().connections().getFirst().trouble().isPresent());
            Trouble trouble = live.view().connections().getFirst().trouble().orElseThrow();
            assertThat(trouble.sentence()).doesNotContain("IllegalState").doesNotContain("boom");
            await().until(() -> live.view().connections().get(1).state() == Connection.State.LIVE);
        }
    }

    private static final Site HOST_ONLY = new Site("2", "attic", SITE.proxmox(), List.of(), Optional.empty(),
            Optional.empty(), List.of(), false);

    private static ProxmoxReport withCard() {
        HostReport host = host();
        PciFunction card = new PciFunction(PciAddress.parse("0000:01:00.0").orElseThrow(), Optional.of("0300"),
                Optional.empty(), Optional.of("10de"), Optional.of("25b0"), Optional.empty(), Optional.empty(),
                Optional.empty(), List.of(), OptionalInt.of(14), Optional.empty());
        return new ProxmoxReport(List.of(new HostReport(host.node(), host.version(), host.uptimeSeconds(),
                host.kernel(), host.bootMode(), host.secureBoot(), host.cpuVendor(), host.cpuFlags(), List.of(card),
                List.of(), Map.of())), Map.of());
    }

    private static LiveSite open(FakeLinks links, InstantSource clock, LastGood store) {
        return new Sessions(links, () -> QUICK, clock, site -> Optional.of(store), site -> Proofs.NONE).open(HOST_ONLY, v -> { });
    }

    @Test
    void aHostThatIsDeadFromTheStartIsShownAsTheEarlierRunLeftItWithItsAge(@TempDir Path folder) throws Exception {
        Instant earlier = Instant.parse("2026-11-29T20:00:00Z");
        Instant now = Instant.parse("2026-11-30T20:00:00Z");
        FakeLinks links = new FakeLinks();
        try (Database database = Database.open(new DataFolder(folder))) {
            LastGood store = new SqliteLastGood(database);
            links.proxmox = probe(SiteSessionTest::withCard);
            try (LiveSite first = open(links, () -> earlier, store)) {
                await().until(() -> !first.view().cards().isEmpty());
            }
            CountDownLatch answers = new CountDownLatch(1);
            links.proxmox = probe(() -> {
                answers.await();
                throw refused();
            });
            try (LiveSite second = open(links, () -> now, store)) {
                await().until(() -> !second.view().cards().isEmpty());
                Card reading = second.view().cards().getFirst();
                assertThat(reading.floor(Floor.FIRMWARE).state()).isEqualTo(FloorState.UNKNOWN);
                assertThat(reading.floor(Floor.FIRMWARE).summary()).isEqualTo("was IOMMU on");
                assertThat(second.view().connections().getFirst().state()).isEqualTo(Connection.State.READING);

                answers.countDown();
                await().until(() -> second.view().connections().getFirst().state() == Connection.State.FAILING);
                assertThat(second.view().connections().getFirst().at()).contains(earlier);
                await().until(() -> second.view().cards().getFirst().floor(Floor.FIRMWARE).summary()
                        .equals("pve1 does not answer"));
                Card dead = second.view().cards().getFirst();
                assertThat(dead.floor(Floor.VM).summary()).isEqualTo("was no VM has it");
                assertThat(dead.floor(Floor.FIRMWARE).readings()).extracting(Reading::at).containsOnly(earlier);
            }
        }
    }

    @Test
    void aHostThatStaysDeadOverSeveralRunsIsNotForgotten(@TempDir Path folder) throws Exception {
        Instant first = Instant.parse("2026-11-28T20:00:00Z");
        FakeLinks links = new FakeLinks();
        try (Database database = Database.open(new DataFolder(folder))) {
            LastGood store = new SqliteLastGood(database);
            links.proxmox = probe(SiteSessionTest::withCard);
            try (LiveSite live = open(links, () -> first, store)) {
                await().until(() -> !live.view().cards().isEmpty());
            }
            HostReport other = new HostReport("pve2", "8.4", OptionalLong.empty(), Optional.empty(), Optional.empty(),
                    Optional.empty(), Optional.empty(), List.of(), List.of(), List.of(), Map.of());
            links.proxmox = probe(() -> new ProxmoxReport(List.of(other), Map.of("pve1", refused().trouble())));
            for (int run = 1; run <= 2; run++) {
                Instant now = first.plus(Duration.ofDays(run));
                try (LiveSite live = open(links, () -> now, store)) {
                    await().until(() -> live.view().connections().getFirst().state() == Connection.State.LIVE
                            && !live.view().cards().isEmpty());
                    assertThat(live.view().cards().getFirst().floor(Floor.FIRMWARE).readings())
                            .extracting(Reading::at).containsOnly(first);
                }
            }
        }
    }

    @Test
    void aStoreThatFailsCostsTheMemoryAndNotTheSite() {
        FakeLinks links = new FakeLinks();
        links.proxmox = probe(SiteSessionTest::withCard);
        LastGood broken = (LastGood) java.lang.reflect.Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {LastGood.class}, (proxy, method, arguments) -> {
                    throw new TroubleException(new Trouble(Trouble.Kind.REMOTE, "pitwall.db", "the disk is full", "Free."));
                });
        try (LiveSite live = open(links, InstantSource.system(), broken)) {
            await().until(() -> live.view().connections().getFirst().state() == Connection.State.LIVE);
        }
    }

    @Test
    void retryAfterARefusedSignInMakesANewConnectionWhichReadsTheChangedSecret() {
        AtomicInteger made = new AtomicInteger();
        FakeLinks links = new FakeLinks() {
            @Override
            public Probe<ProxmoxReport> proxmox(ProxmoxAccess access) {
                int number = made.incrementAndGet();
                proxmox = probe(() -> {
                    if (number == 1) {
                        throw new TroubleException(new Trouble(Trouble.Kind.CREDENTIALS, "pve1:8006",
                                "the token is refused", "Look."));
                    }
                    return report();
                });
                return super.proxmox(access);
            }
        };
        try (LiveSite live = new Sessions(links, () -> QUICK, InstantSource.system()).open(HOST_ONLY, v -> { })) {
            await().until(() -> live.view().connections().getFirst().state() == Connection.State.FAILING);
            live.readAgain(Connection.Kind.PROXMOX, "pve1");
            await().until(() -> live.view().connections().getFirst().state() == Connection.State.LIVE);
            assertThat(links.closed).containsExactly("proxmox pve1");
            live.readAgain();
            assertThat(made).hasValue(2);
        }
    }
}
