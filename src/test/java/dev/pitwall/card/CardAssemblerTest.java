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

class CardAssemblerTest {

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
    void aHealthyCardIsJoinedThroughEveryLayerAndEveryFloorSaysWhy() {
        Card card = Facts.healthy().onlyCard();

        assertThat(card.id()).isEqualTo("pve1/0000:01:00");
        assertThat(card.name()).isEqualTo("RTX A1000");
        assertThat(card.uuid()).contains(Facts.GPU);
        assertThat(card.vramMiB()).hasValue(8188);
        assertThat(card.vm()).contains(new Card.VmRef(121, "gpu-worker"));
        assertThat(card.node()).contains(Facts.NODE);
        assertThat(card.server()).contains("ollama-a");
        assertThat(card.floors()).extracting(FloorStatus::summary).containsExactly(
                "IOMMU on · VT-d in DMAR",
                "vfio-pci holds 2 functions · group 14",
                "VM 121 running · q35 · hostpci0",
                "570.133.20 on 6.8.0-90-generic",
                "toolkit ready · CDI on",
                "NVIDIA-RTX-A1000 · 8188 MiB",
                "1 of 1 free",
                "41 °C · 38 W · 71 % busy",
                "CUDA check by the operator passed",
                "ollama-a ready · no model loaded");
        assertThat(card.lowestNotOk()).isEmpty();
        assertThat(card.floors()).allSatisfy(f -> assertThat(f.readings()).isNotEmpty());
    }

    @Test
    void theNodeIsFoundBySystemUuidNotByName() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(Facts.node("gpu-worker", "ffffffff-0000-0000-0000-000000000000"),
                Facts.node("a-name-of-its-own", Facts.UUID)), List.of());
        f.telemetry = Optional.empty();

        Card card = f.cards().stream().filter(c -> c.host().equals("pve1")).findFirst().orElseThrow();

        assertThat(card.node()).contains("a-name-of-its-own");
    }

    @Test
    void aUuidInTheOtherByteOrderIsTheSameMachine() {
        Facts f = Facts.healthy();
        f.clusterIs(List.of(Facts.node(Facts.NODE, "d4c3b2a1-0100-0040-8000-000000000121")), List.of());

        assertThat(f.onlyCard().node()).contains(Facts.NODE);
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
        java.time.Instant before = Facts.NOW.minus(Duration.ofHours(9));
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
                all.services(), java.util.Set.of(part));
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
    void aShellThatFailsIsReplacedByWhatTheApiKnows() {
        Facts f = Facts.healthy();
        f.machines.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.FIRMWARE).summary()).isEqualTo("IOMMU on");
        assertThat(card.floor(Floor.VFIO).summary()).isEqualTo("held for VM 121 · group 14");
    }

    @Test
    void aCardThatWindowsHasSaysWhoAndBlocksWhatIsAbove() {
        Facts f = Facts.healthy();
        VmReport windows = new VmReport(210, "win11-studio", VmReport.Status.RUNNING, Optional.of("9999"),
                Optional.of("q35"), "ovmf", OptionalLong.of(6720), Facts.vm(1).passthrough(),
                Facts.vm(1).runningPassthrough(), List.of(), Optional.empty(), false, false, Optional.of("win11"));
        f.host(h -> Facts.host(List.of(Facts.stopped(Facts.vm(121)), windows)));
        f.clusterIs(List.of(Facts.without(Facts.node(Facts.NODE, Facts.UUID))), List.of());
        f.telemetry = Optional.empty();
        f.servers.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.BLOCKED);
        assertThat(card.floor(Floor.VM).summary()).isEqualTo("VM 210 win11-studio has it");
        assertThat(card.floor(Floor.VM).readings().subList(0, 3)).extracting(r -> r.name() + " " + r.value().orElse(""))
                .containsExactly("holder VM 210 win11-studio", "ostype win11", "uptime 6720 s");
        assertThat(card.floor(Floor.VM).trap()).contains("gpu-owned-by-other-vm");
        assertThat(card.floor(Floor.PLUGIN).summary()).isEqualTo("blocked by VM");
        assertThat(card.lowestNotOk()).contains(card.floor(Floor.VM));
    }

    @Test
    void aHostDriverThatHoldsACardMeantForAVmIsNamed() {
        Facts f = Facts.healthy();
        f.machines.put("pve1", Observed.fresh("pve1", Facts.hostShell("nouveau"), Facts.NOW));
        f.host(h -> Facts.host(List.of(Facts.stopped(Facts.vm(121)))));

        assertThat(f.onlyCard().floor(Floor.VFIO).trap()).contains("host-driver-holds-passthrough-gpu");
    }

    @Test
    void withoutIommuTheFirmwareFloorFailsAndVfioWaitsForIt() {
        Facts f = Facts.healthy();
        f.machines.put("pve1", Observed.fresh("pve1", Facts.machine("pve1", "1111",
                List.of(Facts.function("0000:01:00.0", "0300", "25b0", "nouveau", -1)), Map.of(), List.of()),
                Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.FIRMWARE).trap()).contains("iommu-off");
        assertThat(card.floor(Floor.FIRMWARE).summary()).isEqualTo("IOMMU off in firmware");
        assertThat(card.floor(Floor.VFIO).summary()).isEqualTo("blocked by firmware");
    }

    @Test
    void aForeignDeviceInTheGroupIsNamedSinceProxmoxWouldTakeItFromTheHost() {
        Facts f = Facts.healthy();
        List<PciFunction> functions = new ArrayList<>(Facts.hostShell("vfio-pci").functions());
        PciAddress nic = PciAddress.parse("0000:02:00.0").orElseThrow();
        functions.add(new PciFunction(nic, Optional.of("0200"), Optional.of("Ethernet controller"),
                Optional.of("8086"), Optional.of("125b"), Optional.of("I226-LM"), Optional.empty(),
                Optional.of("igc"), List.of(), OptionalInt.empty(), Optional.empty()));
        f.machines.put("pve1", Observed.fresh("pve1", Facts.machine("pve1", "1111", functions, Map.of(
                functions.get(0).address(), 14, functions.get(1).address(), 14, nic, 14), List.of("dmar0")),
                Facts.NOW));

        FloorStatus vfio = f.onlyCard().floor(Floor.VFIO);

        assertThat(vfio.trap()).contains("iommu-group-not-viable");
        assertThat(vfio.summary()).isEqualTo("group 14 also holds Ethernet controller 0000:02:00.0");
    }

    @Test
    void aBareMetalNodeHasNoVmFloor() {
        Facts f = Facts.healthy();
        f.hosts.clear();
        f.machines.clear();
        f.machines.put(Facts.NODE, Observed.fresh(Facts.NODE, Facts.machine(Facts.NODE, Facts.UUID,
                List.of(Facts.function("0000:01:00.0", "0300", "25b0", "nvidia", 3)), Map.of(), List.of()),
                Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.id()).isEqualTo(Facts.NODE + "/0000:01:00");
        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.NOT_APPLICABLE);
        assertThat(card.floor(Floor.VFIO).state()).isEqualTo(FloorState.NOT_APPLICABLE);
        assertThat(card.floor(Floor.FIRMWARE).summary()).isEqualTo("UEFI · Secure Boot off");
        assertThat(card.uuid()).contains(Facts.GPU);
    }

    @Test
    void aSiteWithOnlyAClusterStillShowsItsCards() {
        Facts f = Facts.healthy();
        f.hosts.clear();
        f.machines.clear();

        Card card = f.onlyCard();

        assertThat(card.id()).isEqualTo(Facts.NODE + "/" + Facts.GPU);
        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.NOT_APPLICABLE);
        assertThat(card.lowestNotOk()).isEmpty();
    }

    @Test
    void aSiteWithOnlyHostsShowsTheHostsFloors() {
        Facts f = Facts.healthy();
        f.cluster = Optional.empty();
        f.telemetry = Optional.empty();
        f.servers.clear();
        f.places.clear();

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.VM).state()).isEqualTo(FloorState.OK);
        assertThat(card.floors().subList(Floor.DRIVER.ordinal(), 10)).extracting(FloorStatus::state)
                .containsOnly(FloorState.NOT_APPLICABLE);
    }

    @Test
    void twoCardsInOneVmAreToldApartByProductAndThenByOrder() {
        Facts f = Facts.healthy();
        List<PciFunction> functions = List.of(named("0000:01:00.0", "GA102 [GeForce RTX 3090]"),
                named("0000:41:00.0", "AD102 [GeForce RTX 4090]"));
        VmReport.Passthrough first = new VmReport.Passthrough("hostpci0",
                List.of(functions.get(0).address().slot()), Optional.empty(), true);
        VmReport.Passthrough second = new VmReport.Passthrough("hostpci1",
                List.of(functions.get(1).address().slot()), Optional.empty(), true);
        VmReport vm = new VmReport(121, "w", VmReport.Status.RUNNING, Optional.of(Facts.UUID), Optional.of("q35"),
                "ovmf", OptionalLong.of(1), List.of(first, second), List.of(first, second), List.of(),
                Optional.empty(), false, true, Optional.empty());
        f.machines.clear();
        f.host(h -> new HostReport("pve1", "9.1", OptionalLong.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), List.of(), functions, List.of(vm), Map.of()));
        f.telemetry = Optional.of(Observed.fresh("prometheus", new TelemetryReport(List.of(
                new TelemetryReport.Sample(Facts.NODE, Facts.gpu("GPU-4090", "NVIDIA GeForce RTX 4090",
                        "00000000:01:00.0", 40), Optional.empty(), Facts.NOW),
                new TelemetryReport.Sample(Facts.NODE, Facts.gpu("GPU-3090", "NVIDIA GeForce RTX 3090",
                        "00000000:02:00.0", 50), Optional.empty(), Facts.NOW))), Facts.NOW));

        assertThat(f.cards()).extracting(Card::id, c -> c.uuid().orElse("")).containsExactly(
                org.assertj.core.groups.Tuple.tuple("pve1/0000:01:00", "GPU-3090"),
                org.assertj.core.groups.Tuple.tuple("pve1/0000:41:00", "GPU-4090"));
    }

    private static PciFunction named(String address, String name) {
        return new PciFunction(PciAddress.parse(address).orElseThrow(), Optional.of("0300"), Optional.empty(),
                Optional.of("10de"), Optional.of("2204"), Optional.of(name), Optional.empty(), Optional.empty(),
                List.of(), OptionalInt.of(2), Optional.empty());
    }

    @Test
    void aMappingIsFollowedToItsAddressOnThisHost() {
        Facts f = Facts.healthy();
        VmReport.Passthrough mapped = new VmReport.Passthrough("hostpci0", List.of(), Optional.of("a1000"), true);
        VmReport vm = Facts.vm(121);
        VmReport withMapping = new VmReport(121, vm.name(), vm.status(), vm.smbiosUuid(), vm.machine(), vm.bios(),
                vm.uptimeSeconds(), List.of(mapped), List.of(mapped), List.of(), Optional.empty(), false, true,
                vm.osType());
        HostReport host = Facts.host(List.of(withMapping));
        f.host(h -> new HostReport(host.node(), host.version(), host.uptimeSeconds(), host.kernel(), host.bootMode(),
                host.secureBoot(), host.cpuVendor(), host.cpuFlags(), host.functions(), host.vms(),
                Map.of("a1000", List.of(new HostReport.PciMapping(List.of(PciAddress.parse("0000:01:00").orElseThrow()),
                        Optional.of("10de:25b0"), Optional.of(14), Optional.of("17aa:1a57"))))));

        assertThat(f.onlyCard().vm()).contains(new Card.VmRef(121, "gpu-worker"));
    }

    @Test
    void aChangeThatWaitsForAPowerCycleIsTold() {
        Facts f = Facts.healthy();
        VmReport vm = Facts.vm(121);
        f.host(h -> Facts.host(List.of(new VmReport(121, vm.name(), vm.status(), vm.smbiosUuid(), vm.machine(),
                vm.bios(), vm.uptimeSeconds(), vm.passthrough(), List.of(), List.of("hostpci0"), Optional.empty(),
                false, true, vm.osType()))));

        assertThat(f.onlyCard().floor(Floor.VM).trap()).contains("vm-change-pending-power-cycle");
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
    void aCardIsCountedOnceWhileItsHostsApiRefusesAndSaysWhoRefuses() {
        Facts f = Facts.healthy();
        f.hosts.put("pve1", Observed.<HostReport>reading("pve1").failed(new Trouble(Trouble.Kind.CREDENTIALS,
                "pve1:8006", "the token was refused", "Look."), Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.FIRMWARE).state()).isEqualTo(FloorState.UNKNOWN);
        assertThat(card.floor(Floor.FIRMWARE).summary()).isEqualTo("pve1 refuses the sign-in");
        assertThat(card.floor(Floor.VM).summary()).isEqualTo("not known");
        assertThat(card.floor(Floor.PLUGIN).state()).isEqualTo(FloorState.OK);
    }

    @Test
    void aGuestWithoutItsHostInTheSiteIsNotTakenForAMachine() {
        Facts f = Facts.healthy();
        f.hosts.clear();
        f.machines.clear();
        MachineReport guest = Facts.machine(Facts.NODE, Facts.UUID,
                List.of(Facts.function("0000:01:00.0", "0300", "25b0", "nvidia", 3)), Map.of(), List.of());
        f.machines.put(Facts.NODE, Observed.fresh(Facts.NODE, new MachineReport(guest.hostname(), guest.systemUuid(),
                Optional.of("Standard PC (Q35 + ICH9, 2009)"), guest.kernel(), guest.commandLine(),
                guest.uptimeSeconds(), guest.secureBoot(), List.of(), List.of(), Map.of(), guest.functions(),
                Optional.of("570.133.20"), List.of(), Optional.empty(), Optional.empty(), List.of()), Facts.NOW));

        Card card = f.onlyCard();

        assertThat(card.floor(Floor.VM).summary()).isEqualTo("no host in this site");
        assertThat(card.floor(Floor.FIRMWARE).state()).isEqualTo(FloorState.NOT_APPLICABLE);
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
    void aMachineTypeThatWaitsForThePowerCycleIsNotTakenForAWrongOne() {
        Facts f = Facts.healthy();
        VmReport vm = Facts.vm(121);
        f.host(h -> Facts.host(List.of(new VmReport(121, vm.name(), vm.status(), vm.smbiosUuid(), Optional.of("i440fx"),
                vm.bios(), vm.uptimeSeconds(), vm.passthrough(), List.of(), List.of("hostpci0", "machine"),
                Optional.empty(), false, true, vm.osType()))));

        assertThat(f.onlyCard().floor(Floor.VM).trap()).contains("vm-change-pending-power-cycle");
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
