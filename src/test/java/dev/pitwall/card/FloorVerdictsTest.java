package dev.pitwall.card;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

/** What is wrong on a floor from the driver up is named, and told from what only takes its time. */
class FloorVerdictsTest {
    @Test
    void theJournalsProofIsTheProofFloorUntilTheNodeIsStartedAgain() {
        Facts f = Facts.healthy();
        String id = f.onlyCard().id();
        NodeReport node = f.cluster.get().value().get().nodes().getFirst();
        f.proofs.put(id, new SiteFacts.ProofResult(true, Facts.NOW.minusSeconds(120), 4100, "pitwall journal --run 7",
                Optional.of("boot-1")));

        FloorStatus unknownBoot = f.onlyCard().floor(Floor.PROOF);
        assertThat(unknownBoot.state()).isEqualTo(FloorState.OK);
        assertThat(unknownBoot.summary()).isEqualTo("Test PASSED · 4.1 s");
        assertThat(unknownBoot.readings().getFirst().source().detail()).isEqualTo("pitwall journal --run 7");
        f.cluster = f.cluster.map(c -> c.read(withNode(c.value().get(), booted(node, "boot-2")), Facts.NOW));
        assertThat(f.onlyCard().floor(Floor.PROOF).state()).isEqualTo(FloorState.NOT_APPLICABLE);
        assertThat(f.onlyCard().floor(Floor.PROOF).summary()).isEqualTo("due again: the node was started since");
        f.cluster = f.cluster.map(c -> c.read(withNode(c.value().get(), booted(node, "boot-1")), Facts.NOW));
        assertThat(f.onlyCard().floor(Floor.PROOF).state()).isEqualTo(FloorState.OK);
    }

    @Test
    void aProofThatFailedIsAFailingFloor() {
        Facts f = Facts.healthy();
        f.proofs.put(f.onlyCard().id(), new SiteFacts.ProofResult(false, Facts.NOW, 4100, "pitwall journal --run 7",
                Optional.empty()));
        assertThat(f.onlyCard().floor(Floor.PROOF).state()).isEqualTo(FloorState.FAILING);
    }

    private static ClusterReport withNode(ClusterReport c, NodeReport node) {
        return new ClusterReport(c.version(), List.of(node), c.pods(), c.podCount(), c.daemonSets(), c.policy(), c.services());
    }

    private static NodeReport booted(NodeReport n, String boot) {
        return new NodeReport(n.name(), n.systemUuid(), n.labels(), n.taints(), n.capacity(), n.allocatable(), n.conditions(),
                n.unschedulable(), n.kernel(), n.osImage(), n.containerRuntime(), n.kubeletVersion(), n.internalIp(),
                Optional.of(boot));
    }

    @Test
    void whileTheDriverCompilesTheFloorsAboveWaitAndDiscoveryTellsWhatItAlreadySees() {
        Facts f = Facts.healthy();
        List<PodReport> pods = Facts.replace(Facts.readyOperands(Facts.NODE), Facts.pod("nvidia-driver-daemonset",
                Facts.NODE, Facts.container("nvidia-driver-ctr", "running", false, null)));
        for (String app : List.of("nvidia-container-toolkit-daemonset", "nvidia-device-plugin-daemonset",
                "gpu-feature-discovery", "nvidia-dcgm-exporter")) {
            pods = Facts.replace(pods, initialising(app));
        }
        f.clusterIs(List.of(Facts.without(Facts.node(Facts.NODE, Facts.UUID), "nvidia.com/gpu.product",
                "nvidia.com/gpu.memory", "nvidia.com/cuda.driver-version.full")), pods);
        f.telemetry = Optional.of(Observed.fresh("prometheus", new TelemetryReport(List.of()), Facts.NOW));
        f.servers.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.DRIVER).state()).isEqualTo(FloorState.WAITING);
        assertThat(card.floor(Floor.DRIVER).summary()).isEqualTo("compiling · 1:42 of about 3 min");
        assertThat(card.floor(Floor.DRIVER).progress()).contains(
                new FloorStatus.Progress(Duration.ofSeconds(102), Duration.ofMinutes(3)));
        assertThat(card.floor(Floor.RUNTIME).summary()).isEqualTo("waits for driver");
        assertThat(card.floor(Floor.DISCOVERY).state()).isEqualTo(FloorState.OK);
        assertThat(card.floor(Floor.DISCOVERY).summary()).isEqualTo("pci-10de.present · GFD waits for driver");
        assertThat(card.floor(Floor.PLUGIN).summary()).isEqualTo("waits for runtime");
        assertThat(card.floor(Floor.TELEMETRY).summary()).isEqualTo("waits for runtime");
        assertThat(card.floor(Floor.PROOF).summary()).isEqualTo("waits for plugin");
        assertThat(card.lowestNotOk()).contains(card.floor(Floor.DRIVER));
    }

    private static PodReport initialising(String app) {
        return new PodReport("gpu-operator", app + "-x", "u-" + app, Optional.of(app), Optional.of("DaemonSet/" + app),
                Optional.of(Facts.NODE), Optional.of(Facts.NODE), "Pending", Optional.empty(), Map.of(), false, false,
                Optional.of(Facts.NOW.minusSeconds(100)), Optional.empty(),
                List.of(Facts.container("toolkit-validation", "running", false, null)),
                List.of(Facts.container("main", "waiting", false, "PodInitializing")));
    }

    @Test
    void aNodeWithoutAShellWhoseLabelsAreNotThereYetSaysNothingOfItsDriverButWaitsForDiscovery() {
        Facts f = Facts.healthy();
        f.machines.remove(Facts.NODE);
        f.telemetry = Optional.of(Observed.fresh("prometheus", new TelemetryReport(List.of()), Facts.NOW));
        NodeReport node = Facts.without(Facts.node(Facts.NODE, Facts.UUID), "feature.node.kubernetes.io/pci-10de.present",
                "nvidia.com/gpu.product", "nvidia.com/gpu.memory", "nvidia.com/cuda.driver-version.full");
        ClusterReport all = Facts.cluster(List.of(node), List.of(Facts.pod("node-feature-discovery", Facts.NODE,
                Facts.container("worker", "running", true, null))));
        f.cluster = Optional.of(Observed.fresh("cluster", new ClusterReport(all.version(), all.nodes(), all.pods(), all.podCount(),
                all.daemonSets(), Optional.empty(), all.services()), Facts.NOW));

        assertThat(f.onlyCard().floor(Floor.DRIVER).summary()).isEqualTo("waits for discovery");
        assertThat(f.onlyCard().floor(Floor.DISCOVERY).trap()).contains("nfd-first-scan-pending");
    }

    @Test
    void aPluginThatTheTaintRepelsIsNamedAndOnlyWhatNeedsItIsBlocked() {
        Facts f = Facts.healthy();
        NodeReport tainted = Facts.node(Facts.NODE, Facts.UUID,
                new NodeReport.Taint("nvidia.com/gpu", Optional.of("true"), "NoSchedule"));
        tainted = new NodeReport(tainted.name(), tainted.systemUuid(), tainted.labels(), tainted.taints(), Map.of(),
                Map.of(), tainted.conditions(), false, tainted.kernel(), tainted.osImage(), tainted.containerRuntime(),
                tainted.kubeletVersion(), tainted.internalIp());
        List<PodReport> pods = new ArrayList<>(Facts.readyOperands(Facts.NODE));
        pods.removeIf(p -> p.app().equals(Optional.of("nvidia-device-plugin-daemonset")));
        f.clusterIs(List.of(tainted), pods);
        f.servers.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.PLUGIN).state()).isEqualTo(FloorState.FAILING);
        assertThat(card.floor(Floor.PLUGIN).trap()).contains("device-plugin-missing-toleration");
        assertThat(card.floor(Floor.PLUGIN).readings()).extracting(r -> r.value().orElse(""))
                .contains("desired 5, nodes labelled for it 1", "nvidia.com/gpu=true:NoSchedule");
        assertThat(card.floor(Floor.TELEMETRY).state()).isEqualTo(FloorState.OK);
        assertThat(card.floor(Floor.PROOF).state()).isEqualTo(FloorState.BLOCKED);
        assertThat(card.floor(Floor.PROOF).summary()).isEqualTo("blocked by plugin");
        assertThat(card.floor(Floor.PROOF).because()).contains(Floor.PLUGIN);
    }

    @Test
    void theSchedulersOwnSentenceNamesTheTaintToo() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(Facts.without(Facts.node(Facts.NODE, Facts.UUID))), Facts.replace(
                Facts.readyOperands(Facts.NODE), Facts.unscheduled("nvidia-device-plugin-daemonset", Facts.NODE,
                        "0/21 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}.")));

        assertThat(f.onlyCard().floor(Floor.PLUGIN).trap()).contains("device-plugin-missing-toleration");
    }

    @Test
    void aCrashingDriverIsNotFineForALabelAndResourcesOfTheOneBefore() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(Facts.node(Facts.NODE, Facts.UUID)), Facts.replace(Facts.readyOperands(Facts.NODE),
                Facts.pod("nvidia-driver-daemonset", Facts.NODE,
                        Facts.container("nvidia-driver-ctr", "waiting", false, "CrashLoopBackOff"))));

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.DRIVER).state()).isEqualTo(FloorState.FAILING);
        assertThat(card.floor(Floor.DRIVER).summary()).contains("nvidia-driver-ctr");
        assertThat(card.floor(Floor.PLUGIN).summary()).isEqualTo("blocked by driver");
        assertThat(card.floor(Floor.PROOF).summary()).isEqualTo("blocked by driver");
    }

    @Test
    void anXidOfLongAgoIsNoLossOfNow() {
        Facts f = Facts.healthy();
        GpuDevice gpu = Facts.gpu(Facts.GPU, "NVIDIA RTX A1000", "00000000:01:00.0", 41);
        GpuDevice xid = new GpuDevice(gpu.index(), gpu.name(), gpu.uuid(), gpu.busId(), gpu.driverVersion(),
                gpu.memoryTotalMiB(), gpu.memoryUsedMiB(), gpu.utilizationPercent(), gpu.temperatureC(), gpu.powerW(),
                OptionalInt.of(79));
        f.telemetry = Optional.of(Observed.fresh("prometheus", new TelemetryReport(List.of(new TelemetryReport.Sample(
                Facts.NODE, xid, Optional.empty(), Facts.NOW.minusSeconds(5)))), Facts.NOW));
        assertThat(f.onlyCard().floor(Floor.DRIVER).trap()).contains("gpu-lost-off-bus");
        assertThat(f.onlyCard().floor(Floor.SERVER).summary()).isEqualTo("blocked by driver");

        f.telemetry = Optional.of(Observed.fresh("prometheus", new TelemetryReport(List.of(new TelemetryReport.Sample(
                Facts.NODE, xid, Optional.empty(), Facts.NOW.minusSeconds(900)))), Facts.NOW));
        assertThat(f.onlyCard().floor(Floor.DRIVER).state()).isEqualTo(FloorState.OK);
        assertThat(f.onlyCard().floor(Floor.TELEMETRY).state()).isEqualTo(FloorState.UNKNOWN);
    }

    @Test
    void aLoadedModuleWhoseCardIsLostIsNotFine() {
        Facts f = Facts.healthy();
        f.telemetry = Optional.empty();
        String lost = "Unable to determine the device handle for GPU0000:01:00.0: GPU is lost.  Reboot the system";
        f.machines.put(Facts.NODE, Observed.fresh(Facts.NODE, new MachineReport(Facts.NODE, Optional.of(Facts.UUID), Optional.empty(),
                "6.8.0-90-generic", "", OptionalLong.empty(), Optional.empty(), List.of(), List.of(), Map.of(),
                List.of(), Optional.of("570.133.20"), List.of(), Optional.of(lost), Optional.empty(), List.of()),
                Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.DRIVER).trap()).contains("gpu-lost-off-bus");
        assertThat(card.floor(Floor.DRIVER).summary()).isEqualTo("left the bus");
        assertThat(card.floor(Floor.PLUGIN).summary()).isEqualTo("blocked by driver");
        assertThat(card.floor(Floor.SERVER).summary()).isEqualTo("blocked by driver");
    }

    @Test
    void aServerThatDoesNotAnswerSaysWhatItsPodIsStuckOn() {
        Facts f = Facts.healthy();
        PodReport pod = new PodReport("llm", "ollama-a-1", "u-o", Optional.of("ollama"), Optional.empty(),
                Optional.of(Facts.NODE), Optional.empty(), "Running", Optional.empty(), Map.of("nvidia.com/gpu", 1L),
                false, false, Optional.of(Facts.NOW.minusSeconds(100)), Optional.empty(), List.of(),
                List.of(Facts.container("ollama", "waiting", false, "CrashLoopBackOff")));
        List<PodReport> pods = new ArrayList<>(Facts.readyOperands(Facts.NODE));
        pods.add(pod);
        f.clusterIs(List.of(Facts.node(Facts.NODE, Facts.UUID)), pods);
        f.places.put("ollama-a", new SiteFacts.ServerPlace(Optional.of(Facts.NODE), Optional.of("llm"),
                Optional.of("ollama-a-1")));
        Trouble trouble = new Trouble(Trouble.Kind.CONNECT, "ollama-a", "connection refused", "Look.");
        f.servers.computeIfPresent("ollama-a", (n, o) -> o.failed(trouble, Facts.NOW));

        FloorStatus server = f.onlyCard().floor(Floor.SERVER);

        assertThat(server.state()).isEqualTo(FloorState.FAILING);
        assertThat(server.summary()).startsWith("ollama-a: ollama");
        assertThat(server.readings()).extracting(r -> r.source().detail()).contains("pod/llm/ollama-a-1");

        f.clusterIs(List.of(Facts.node(Facts.NODE, Facts.UUID)), Facts.readyOperands(Facts.NODE));
        assertThat(f.onlyCard().floor(Floor.SERVER).state()).isEqualTo(FloorState.UNKNOWN);
        assertThat(f.onlyCard().floor(Floor.SERVER).summary()).isEqualTo("ollama-a does not answer");
    }

    @Test
    void anOomKilledDriverIsToldFromACompilingOne() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(Facts.without(Facts.node(Facts.NODE, Facts.UUID), "nvidia.com/cuda.driver-version.full")),
                Facts.replace(Facts.readyOperands(Facts.NODE), Facts.pod("nvidia-driver-daemonset", Facts.NODE,
                        new PodReport.ContainerReport("nvidia-driver-ctr", "waiting", false, 6,
                                Optional.of("CrashLoopBackOff"), Optional.empty(), Optional.empty(),
                                Optional.of("OOMKilled"), Optional.of(137), Optional.empty()))));
        f.telemetry = Optional.empty();

        assertThat(f.onlyCard().floor(Floor.DRIVER).trap()).contains("driver-oom-while-compiling");
    }

    @Test
    void aLostCardIsNamedByItsXid() {
        Facts f = Facts.healthy();
        GpuDevice gpu = Facts.gpu(Facts.GPU, "NVIDIA RTX A1000", "00000000:01:00.0", 41);
        f.telemetry = Optional.of(Observed.fresh("prometheus", new TelemetryReport(List.of(
                new TelemetryReport.Sample(Facts.NODE, new GpuDevice(gpu.index(), gpu.name(), gpu.uuid(), gpu.busId(),
                        gpu.driverVersion(), gpu.memoryTotalMiB(), gpu.memoryUsedMiB(), gpu.utilizationPercent(),
                        gpu.temperatureC(), gpu.powerW(), OptionalInt.of(79)), Optional.empty(), Facts.NOW))),
                Facts.NOW));

        assertThat(f.onlyCard().floor(Floor.DRIVER).trap()).contains("gpu-lost-off-bus");
    }

    @Test
    void aCardThatDiedUnderARunningVmIsLostAndOneThatNeverWokeIsStuck() {
        Facts f = Facts.healthy();
        List<PciFunction> dead = Facts.hostShell("vfio-pci").functions().stream().map(p -> new PciFunction(p.address(),
                p.classCode(), p.className(), p.vendorId(), p.deviceId(), p.name(), p.subsystemId(), p.driver(),
                p.modules(), p.iommuGroup(), Optional.of("ff"))).toList();
        f.machines.put("pve1", Observed.fresh("pve1", Facts.machine("pve1", "1111", dead, Map.of(
                dead.get(0).address(), 14, dead.get(1).address(), 14), List.of("dmar0")), Facts.NOW));
        assertThat(f.onlyCard().floor(Floor.VFIO).trap()).contains("gpu-lost-off-bus");

        f.host(h -> Facts.host(List.of(Facts.stopped(Facts.vm(121)))));
        assertThat(f.onlyCard().floor(Floor.VFIO).trap()).contains("gpu-stuck-d3");
    }

    @Test
    void betweenTwoCrashesADriverDoesNotLookAsIfItCompiled() {
        Facts f = Facts.healthy();
        f.telemetry = Optional.empty();
        f.clusterIs(List.of(Facts.without(Facts.node(Facts.NODE, Facts.UUID), "nvidia.com/cuda.driver-version.full")),
                Facts.replace(Facts.readyOperands(Facts.NODE), Facts.pod("nvidia-driver-daemonset", Facts.NODE,
                        new PodReport.ContainerReport("nvidia-driver-ctr", "running", false, 3, Optional.empty(),
                                Optional.empty(), Optional.empty(), Optional.of("Error"), Optional.of(1),
                                Optional.of(Facts.NOW.minusSeconds(5))))));

        assertThat(f.onlyCard().floor(Floor.DRIVER).summary()).isEqualTo("nvidia-driver-ctr crashes, exit 1");
    }

    @Test
    void anOperandThatWaitsThoughAllBelowIsFineSaysWhatItIsStuckIn() {
        Facts f = Facts.healthy();
        PodReport stuck = initialising("nvidia-device-plugin-daemonset");
        f.clusterIs(List.of(Facts.without(Facts.node(Facts.NODE, Facts.UUID))),
                Facts.replace(Facts.readyOperands(Facts.NODE), stuck));
        f.servers.clear();

        FloorStatus plugin = f.onlyCard().floor(Floor.PLUGIN);

        assertThat(plugin.state()).isEqualTo(FloorState.WAITING);
        assertThat(plugin.summary()).isEqualTo("toolkit-validation · 1:42 of about 30 s");
        assertThat(plugin.because()).isEmpty();
    }

    @Test
    void withdrawnDevicesAreBlamedOnAnXidOnlyWhereOneWasSeen() {
        Facts f = Facts.healthy();
        NodeReport node = Facts.node(Facts.NODE, Facts.UUID);
        NodeReport withdrawn = new NodeReport(node.name(), node.systemUuid(), node.labels(), node.taints(),
                Map.of("nvidia.com/gpu", 1L), Map.of("nvidia.com/gpu", 0L), node.conditions(), false, node.kernel(),
                node.osImage(), node.containerRuntime(), node.kubeletVersion(), node.internalIp());
        f.clusterIs(List.of(withdrawn), Facts.readyOperands(Facts.NODE));
        assertThat(f.onlyCard().floor(Floor.PLUGIN).state()).isEqualTo(FloorState.FAILING);
        assertThat(f.onlyCard().floor(Floor.PLUGIN).trap()).isEmpty();

        GpuDevice gpu = Facts.gpu(Facts.GPU, "NVIDIA RTX A1000", "00000000:01:00.0", 41);
        f.telemetry = Optional.of(Observed.fresh("prometheus", new TelemetryReport(List.of(
                new TelemetryReport.Sample(Facts.NODE, new GpuDevice(gpu.index(), gpu.name(), gpu.uuid(), gpu.busId(),
                        gpu.driverVersion(), gpu.memoryTotalMiB(), gpu.memoryUsedMiB(), gpu.utilizationPercent(),
                        gpu.temperatureC(), gpu.powerW(), OptionalInt.of(48)), Optional.empty(), Facts.NOW))),
                Facts.NOW));
        assertThat(f.onlyCard().floor(Floor.PLUGIN).trap()).contains("plugin-marked-unhealthy-by-xid");
    }
}
