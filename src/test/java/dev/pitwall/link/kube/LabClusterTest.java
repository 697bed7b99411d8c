package dev.pitwall.link.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.PodReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.charge.Lease;
import dev.pitwall.engine.charge.LeaseKeeper;
import dev.pitwall.engine.charge.Leases;
import dev.pitwall.engine.charge.Terms;
import dev.pitwall.lab.LabContext;
import dev.pitwall.lab.kube.KubeServer;
import dev.pitwall.lab.kube.ProcessSockets;
import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.scene.SceneFile;
import dev.pitwall.lab.scene.SceneWorld;
import dev.pitwall.lab.world.LabClock;
import dev.pitwall.lab.world.World;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Reachability.Outcome;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The link against the practice lab's API server: TLS, client certificate, discovery, lists, watches, reviews. */
class LabClusterTest {
    @TempDir
    private Path folder;
    private final LabHttp http = new LabHttp();
    private KubeServer server;
    private ClusterAccess access;

    @BeforeEach
    void start() throws Exception {
        World world = new World(new LabClock(InstantSource.system()), 1);
        SceneWorld.fill(world, new SceneFile().bundled("garage"));
        LabAuthority authority = new LabAuthority(InstantSource.system());
        server = KubeServer.start(new LabContext(world, authority, http, folder, InstantSource.system(),
                Duration.ZERO), new ProcessSockets());
        access = new ClusterAccess(List.of(folder.resolve("kubeconfig")), Optional.empty());
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    /** Cut off from the cluster at will, as by a network that goes. */
    private record Cut(Leases real, AtomicBoolean off) implements Leases {
        @Override
        public Optional<Lease> read() throws TroubleException, InterruptedException {
            check();
            return real.read();
        }

        @Override
        public Optional<Lease> write(Lease lease) throws TroubleException, InterruptedException {
            check();
            return real.write(lease);
        }

        private void check() throws TroubleException {
            if (off.get()) {
                throw new TroubleException(new Trouble(Trouble.Kind.CONNECT, "cluster", "no way", "Wait."));
            }
        }
    }

    private static boolean decides(LeaseKeeper keeper) {
        return keeper.state() instanceof Charge.State.Here;
    }

    @Test
    void ofTwoEnginesOneDecidesAndTheOtherFollowsWhenItIsGone() throws Exception {
        Terms terms = new Terms(Duration.ofSeconds(2), Duration.ofMillis(1200), Duration.ofMillis(100));
        InstantSource clock = InstantSource.system();
        NetworkTrouble troubles = new NetworkTrouble(new Words());
        AtomicBoolean off = new AtomicBoolean();
        try (ServerWays ways = new ServerWays(access, troubles, clock); ServerWays others = new ServerWays(access, troubles, clock);
             LeaseKeeper first = new LeaseKeeper(new Cut(ways.leases(Optional.of("gpu-operator")), off), () -> "first", terms, clock);
             LeaseKeeper second = new LeaseKeeper(others.leases(Optional.empty()), () -> "second", terms, clock)) {
            first.start();
            await().until(() -> first.state() instanceof Charge.State.Free);
            assertThat(ways.leases(Optional.empty()).read()).as("the Lease of who only looks").isEmpty();
            first.claim();
            await().until(() -> decides(first));
            second.claim();
            second.start();
            // It was told of no namespace and finds the Lease all the same.
            await().until(() -> second.state().equals(new Charge.State.Elsewhere("first")));

            off.set(true);
            await().pollInterval(Duration.ofMillis(10)).until(() -> {
                boolean two = decides(second);
                assertThat(two && decides(first)).as("two decide").isFalse();
                return two;
            });
            assertThat(first.state()).isInstanceOf(Charge.State.Unknown.class);
            off.set(false);
            await().until(() -> first.state().equals(new Charge.State.Elsewhere("second")));

            second.close();
            await().until(() -> decides(first));
            Lease lease = ways.leases(Optional.empty()).read().orElseThrow();
            assertThat(lease.holder()).isEqualTo("first");
            assertThat(lease.transitions()).isEqualTo(2);
        }
    }

    @Test
    void theGarageIsFollowed() {
        try (ClusterWatch watch = new ClusterWatch(access, TimeLimits.usual(), new NetworkTrouble(new Words()),
                InstantSource.system())) {
            watch.start(() -> { });
            await().until(() -> watch.current().live());
            ClusterReport report = watch.current().value().orElseThrow();
            assertThat(report.version()).startsWith("v1.");
            assertThat(report.nodes()).hasSize(21);
            assertThat(report.nodes()).filteredOn(node -> !node.capacity().isEmpty())
                    .allSatisfy(node -> assertThat(node.systemUuid()).isPresent())
                    .extracting(NodeReport::capacity).isNotEmpty();
            assertThat(report.daemonSets()).extracting(ClusterReport.DaemonSetReport::name)
                    .contains("nvidia-device-plugin-daemonset", "nvidia-dcgm-exporter");
            assertThat(report.policy()).isPresent();
            assertThat(report.pods()).filteredOn(pod -> !pod.gpuRequests().isEmpty())
                    .extracting(PodReport::namespace).isNotEmpty();
            assertThat(report.podCount()).isGreaterThanOrEqualTo(report.pods().size());
            assertThat(report.services()).isNotEmpty();
        }
    }

    @Test
    void closingOneWatchOfTheLabLeavesTheOtherLive() {
        try (ClusterWatch one = watch(Optional.empty()); ClusterWatch two = watch(Optional.of("garage-token"))) {
            one.start(() -> { });
            two.start(() -> { });
            await().until(() -> one.current().live() && two.current().live());
            await().until(() -> server.openWatches() == 10);
            one.close();
            await().until(() -> server.openWatches() == 5);
            assertThat(two.current().live()).isTrue();
            two.close();
            await().until(() -> server.openWatches() == 0);
        }
    }

    private ClusterWatch watch(Optional<String> context) {
        return new ClusterWatch(new ClusterAccess(access.kubeconfigs(), context), TimeLimits.usual(),
                new NetworkTrouble(new Words()), InstantSource.system());
    }

    @Test
    void theViewersRightsAreTold() {
        Outcome outcome = new ClusterReach(TimeLimits.usual(), new NetworkTrouble(new Words()), InstantSource.system())
                .cluster(new ClusterAccess(access.kubeconfigs(), Optional.of("garage-viewer")), hops -> { });
        assertThat(outcome.hops().getLast().trouble().orElseThrow().what()).startsWith("viewer may not ")
                .contains("services/proxy");
    }

    @Test
    void theConnectionTestPasses() {
        Outcome outcome = new ClusterReach(TimeLimits.usual(), new NetworkTrouble(new Words()), InstantSource.system())
                .cluster(access, hops -> { });
        assertThat(outcome.hops()).allSatisfy(hop -> assertThat(hop.state()).as(hop.name() + ": " + hop.trouble())
                .isEqualTo(Hop.State.OK));
    }
}
