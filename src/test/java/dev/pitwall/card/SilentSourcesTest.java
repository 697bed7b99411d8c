package dev.pitwall.card;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** What the floors say of sources that are silent, may not be asked, or told their last long ago. */
class SilentSourcesTest {
    @Test
    void aSilentHostMakesItsFloorsUnknownWithTheirLastSentenceAndLeavesTheOthersAlone() {
        Facts f = Facts.healthy();
        f.hosts.computeIfPresent("pve1", (n, o) -> o.failed(Facts.REFUSED, Facts.NOW));
        f.machines.computeIfPresent("pve1", (n, o) -> o.failed(Facts.REFUSED, Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.FIRMWARE).state()).isEqualTo(FloorState.UNKNOWN);
        assertThat(card.floor(Floor.FIRMWARE).summary()).isEqualTo("pve1 does not answer");
        assertThat(card.floor(Floor.VFIO).summary()).isEqualTo("was vfio-pci holds 2 functions · group 14");
        assertThat(card.floor(Floor.VM).summary()).isEqualTo("was VM 121 running · q35 · hostpci0");
        assertThat(card.floors().subList(Floor.DRIVER.ordinal(), 10)).extracting(FloorStatus::state)
                .containsOnly(FloorState.OK);
    }

    @Test
    void whatAnEarlierRunReadIsToldAsPastUntilTheSourceAnswersAndAlsoWhenItDoesNot() {
        Facts f = Facts.healthy();
        Instant before = Facts.NOW.minus(Duration.ofHours(9));
        f.hosts.computeIfPresent("pve1", (n, o) -> Observed.kept(n, o.value().orElseThrow(), before));
        f.machines.computeIfPresent("pve1", (n, o) -> Observed.kept(n, o.value().orElseThrow(), before));

        Card reading = f.onlyCard();

        assertThat(reading.floor(Floor.FIRMWARE).summary()).isEqualTo("was IOMMU on · VT-d in DMAR");
        assertThat(reading.floor(Floor.VM).summary()).isEqualTo("was VM 121 running · q35 · hostpci0");
        assertThat(reading.floors().subList(0, Floor.DRIVER.ordinal())).allSatisfy(floor -> {
            assertThat(floor.state()).isEqualTo(FloorState.UNKNOWN);
            assertThat(floor.readings()).extracting(Reading::at).containsOnly(before);
        });
        assertThat(reading.floors().subList(Floor.DRIVER.ordinal(), 10)).extracting(FloorStatus::state)
                .containsOnly(FloorState.OK);

        f.hosts.computeIfPresent("pve1", (n, o) -> o.failed(Facts.REFUSED, Facts.NOW));
        f.machines.computeIfPresent("pve1", (n, o) -> o.failed(Facts.REFUSED, Facts.NOW));
        Card dead = f.onlyCard();

        assertThat(dead.floor(Floor.FIRMWARE).summary()).isEqualTo("pve1 does not answer");
        assertThat(dead.floor(Floor.VM).summary()).isEqualTo("was VM 121 running · q35 · hostpci0");
        assertThat(dead.floor(Floor.VM).readings()).extracting(Reading::at).containsOnly(before);
    }

    private static void mayNotRead(Facts f, ClusterReport.Part part) {
        ClusterReport all = f.cluster.flatMap(Observed::value).orElseThrow();
        boolean pods = part == ClusterReport.Part.PODS;
        ClusterReport seen = new ClusterReport(all.version(), part == ClusterReport.Part.NODES ? List.of() : all.nodes(),
                pods ? List.of() : all.pods(), pods ? 0 : all.podCount(), all.daemonSets(), all.policy(),
                all.services(), Set.of(part));
        f.cluster = Optional.of(Observed.partly("cluster", seen, Facts.NOW, new Trouble(Trouble.Kind.RIGHTS,
                "cluster", "not allowed to list " + part, "Ask."), Facts.NOW.minusSeconds(60)));
    }

    @Test
    void aMissingRightMakesUnknownOnlyWhatItHides() {
        Facts f = Facts.healthy();
        mayNotRead(f, ClusterReport.Part.PODS);

        Card card = f.onlyCard();

        assertThat(card.floors().subList(0, Floor.DRIVER.ordinal())).extracting(FloorStatus::state)
                .containsOnly(FloorState.OK);
        assertThat(card.floor(Floor.DRIVER).summary()).isEqualTo("570.133.20 on 6.8.0-90-generic");
        assertThat(card.floor(Floor.DISCOVERY).summary()).isEqualTo("NVIDIA-RTX-A1000 · 8188 MiB");
        assertThat(card.floor(Floor.PLUGIN).summary()).isEqualTo("1 advertised · holders not readable");
        assertThat(card.floor(Floor.TELEMETRY).state()).isEqualTo(FloorState.OK);
        assertThat(card.floor(Floor.PROOF).state()).isEqualTo(FloorState.UNKNOWN);
        assertThat(card.floor(Floor.PROOF).summary()).isEqualTo("not allowed to read pods");
    }

    @Test
    void whatMayNotBeSeenIsNeverCalledMissing() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(Facts.without(Facts.node(Facts.NODE, Facts.UUID), "nvidia.com/gpu.product",
                "nvidia.com/cuda.driver-version.full")), List.of());
        f.telemetry = Optional.empty();
        f.servers.clear();
        mayNotRead(f, ClusterReport.Part.PODS);
        assertThat(f.onlyCard().floors()).extracting(FloorStatus::state).doesNotContain(FloorState.FAILING,
                FloorState.BLOCKED);

        Facts noNodes = Facts.healthy();
        noNodes.telemetry = Optional.empty();
        noNodes.servers.clear();
        mayNotRead(noNodes, ClusterReport.Part.NODES);
        Card card = noNodes.onlyCard();
        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.OK);
        assertThat(card.floors().subList(Floor.DRIVER.ordinal(), 10)).extracting(FloorStatus::state)
                .containsOnly(FloorState.UNKNOWN);
        assertThat(card.floor(Floor.DRIVER).summary()).isEqualTo("not allowed to read nodes");
    }

    private static NodeReport notReady(NodeReport n) {
        return new NodeReport(n.name(), n.systemUuid(), n.labels(), n.taints(), n.capacity(), n.allocatable(),
                List.of(new NodeReport.Condition("Ready", "Unknown", Optional.of("NodeStatusUnknown"),
                        Optional.of("Kubelet stopped posting node status."))), n.unschedulable(), n.kernel(),
                n.osImage(), n.containerRuntime(), n.kubeletVersion(), n.internalIp());
    }

    @Test
    void onANodeThatIsNotReadyNothingIsCalledFineByWhatItsKubeletWroteLast() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(notReady(Facts.node(Facts.NODE, Facts.UUID))), Facts.readyOperands(Facts.NODE));
        f.telemetry = Optional.empty();
        f.servers.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.DRIVER).summary()).isEqualTo("node is not ready");
        assertThat(card.floors().subList(Floor.DRIVER.ordinal(), 10)).extracting(FloorStatus::state)
                .doesNotContain(FloorState.OK);
        assertThat(card.floor(Floor.PLUGIN).summary()).isEqualTo("blocked by driver");
    }

    @Test
    void aVmThatHasStoppedTakesTheFloorsAboveWithItBeforeTheClusterHasNoticed() {
        Facts f = Facts.healthy();
        f.host(h -> Facts.host(List.of(Facts.stopped(Facts.vm(121)))));
        f.telemetry = Optional.empty();
        f.servers.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.VM).summary()).isEqualTo("VM 121 is stopped");
        assertThat(card.floor(Floor.DRIVER).summary()).isEqualTo("blocked by VM");
        assertThat(card.floors().subList(Floor.DRIVER.ordinal(), 10)).extracting(FloorStatus::state)
                .doesNotContain(FloorState.OK);
    }

    @Test
    void aShellThatFailsIsReplacedByWhatTheApiKnows() {
        Facts f = Facts.healthy();
        f.machines.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.FIRMWARE).summary()).isEqualTo("IOMMU on");
        assertThat(card.floor(Floor.VFIO).summary()).isEqualTo("held for VM 121 · group 14");
    }

    @Test
    void aClusterThatNeverAnsweredIsUnknownOnItsFirstFloorOnly() {
        Facts f = Facts.healthy();
        f.cluster = Optional.of(Observed.<ClusterReport>reading("cluster").failed(new Trouble(Trouble.Kind.TIMEOUT,
                "10.0.0.1:6443", "no answer", "Look."), Facts.NOW));
        f.telemetry = Optional.empty();
        f.servers.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.DRIVER).summary()).isEqualTo("cluster does not answer in time");
        assertThat(card.floor(Floor.PLUGIN).summary()).isEqualTo("not known");
        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.OK);
    }

    @Test
    void aSourceThatHasNotAnsweredYetIsBeingRead() {
        Facts f = Facts.healthy();
        f.cluster = Optional.of(Observed.reading("cluster"));
        f.telemetry = Optional.of(Observed.reading("prometheus"));

        assertThat(f.onlyCard().floor(Floor.DRIVER).summary()).isEqualTo("reading …");
    }

    @Test
    void whoeverHoldsTheCardOnTheHostIsNoVerdictBeforeTheVmsAreKnown() {
        Facts f = Facts.healthy();
        f.cluster = Optional.empty();
        f.telemetry = Optional.empty();
        f.servers.clear();
        f.hosts.put("pve1", Observed.reading("pve1"));
        f.machines.put("pve1", Observed.fresh("pve1", Facts.hostShell("nouveau"), Facts.NOW));

        assertThat(f.onlyCard().floor(Floor.VFIO).state()).isEqualTo(FloorState.UNKNOWN);
    }

    @Test
    void aDeadExporterIsNotHiddenByItsLastSample() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(Facts.node(Facts.NODE, Facts.UUID)), Facts.replace(Facts.readyOperands(Facts.NODE),
                Facts.pod("nvidia-dcgm-exporter", Facts.NODE, new PodReport.ContainerReport("exporter", "waiting", false,
                        4, Optional.of("CrashLoopBackOff"), Optional.empty(), Optional.empty(),
                        Optional.of("OOMKilled"), Optional.of(137), Optional.empty()))));

        assertThat(f.onlyCard().floor(Floor.TELEMETRY).trap()).contains("dcgm-exporter-oom");
    }
}
