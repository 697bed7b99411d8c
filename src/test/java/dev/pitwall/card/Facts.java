package dev.pitwall.card;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Facts of a site for tests: one healthy Proxmox host with one card in one worker VM, to be bent by each test. */
final class Facts {
    static final Instant NOW = Instant.parse("2026-11-30T20:00:00Z");
    static final String UUID = "a1b2c3d4-0001-4000-8000-000000000121";
    static final String GPU = "GPU-00000001-0000-0000-0000-000000000001";
    static final String NODE = "rke2-worker-dc1-gpu-a";
    static final Trouble REFUSED = new Trouble(Trouble.Kind.CONNECT, "pve1:8006", "connection refused", "Look.");

    final Map<String, Observed<HostReport>> hosts = new LinkedHashMap<>();
    final Map<String, Observed<MachineReport>> machines = new LinkedHashMap<>();
    final Map<String, Observed<ServerReport>> servers = new LinkedHashMap<>();
    final Map<String, SiteFacts.ServerPlace> places = new LinkedHashMap<>();
    final Map<String, SiteFacts.ProofResult> proofs = new HashMap<>();
    Optional<Observed<ClusterReport>> cluster = Optional.empty();
    Optional<Observed<TelemetryReport>> telemetry = Optional.empty();

    static Facts healthy() {
        Facts f = new Facts();
        f.hosts.put("pve1", Observed.fresh("pve1", host(List.of(vm(121))), NOW));
        f.machines.put("pve1", Observed.fresh("pve1", hostShell("vfio-pci"), NOW));
        f.cluster = Optional.of(Observed.fresh("cluster", cluster(List.of(node(NODE, UUID)),
                readyOperands(NODE)), NOW));
        f.telemetry = Optional.of(Observed.fresh("prometheus",
                new TelemetryReport(List.of(sample(NODE, GPU, 41))), NOW));
        f.servers.put("ollama-a", Observed.fresh("ollama-a", new ServerReport("ollama-a", "ollama",
                Optional.of("0.33.0"), List.of(), List.of()), NOW));
        f.places.put("ollama-a", new SiteFacts.ServerPlace(Optional.of(NODE), Optional.empty(), Optional.empty()));
        return f;
    }

    SiteFacts build() {
        return new SiteFacts(NOW, hosts, machines, cluster, telemetry, servers, places, proofs);
    }

    Card onlyCard() {
        List<Card> cards = new CardAssembler().assemble(build());
        if (cards.size() != 1) {
            throw new AssertionError("expected one card, got " + cards);
        }
        return cards.getFirst();
    }

    List<Card> cards() {
        return new CardAssembler().assemble(build());
    }

    void host(UnaryOperator<HostReport> change) {
        hosts.put("pve1", Observed.fresh("pve1", change.apply(hosts.get("pve1").value().orElseThrow()), NOW));
    }

    void clusterIs(List<NodeReport> nodes, List<PodReport> pods) {
        cluster = Optional.of(Observed.fresh("cluster", cluster(nodes, pods), NOW));
    }

    static PciFunction function(String address, String classCode, String device, String driver, int group) {
        return new PciFunction(PciAddress.parse(address).orElseThrow(), Optional.of(classCode), Optional.empty(),
                Optional.of("10de"), Optional.of(device), Optional.of("GA107GL [RTX A1000]"), Optional.empty(),
                driver.isEmpty() ? Optional.empty() : Optional.of(driver), List.of(),
                group < 0 ? OptionalInt.empty() : OptionalInt.of(group), Optional.of("a1"));
    }

    static HostReport host(List<VmReport> vms) {
        return new HostReport("pve1", "8.4.14", OptionalLong.of(86400), Optional.of("6.8.12-15-pve"),
                Optional.of("efi"), Optional.of(true), Optional.of("GenuineIntel"), List.of("vmx"),
                List.of(function("0000:01:00.0", "0300", "25b0", "", 14),
                        function("0000:01:00.1", "0403", "2291", "", 14)), vms, Map.of());
    }

    static VmReport vm(int vmid) {
        List<VmReport.Passthrough> slot = List.of(new VmReport.Passthrough("hostpci0",
                List.of(PciAddress.parse("0000:01:00").orElseThrow()), Optional.empty(), true));
        return new VmReport(vmid, "gpu-worker", VmReport.Status.RUNNING, Optional.of(UUID), Optional.of("q35"),
                "seabios", OptionalLong.of(3600), slot, slot, List.of(), Optional.empty(), false, true,
                Optional.of("l26"));
    }

    static VmReport stopped(VmReport vm) {
        return new VmReport(vm.vmid(), vm.name(), VmReport.Status.STOPPED, vm.smbiosUuid(), vm.machine(), vm.bios(),
                OptionalLong.empty(), vm.passthrough(), List.of(), List.of(), Optional.empty(), false, vm.onboot(),
                vm.osType());
    }

    static MachineReport hostShell(String gpuDriver) {
        List<PciFunction> functions = List.of(function("0000:01:00.0", "0300", "25b0", gpuDriver, -1),
                function("0000:01:00.1", "0403", "2291", "vfio-pci", -1));
        return machine("pve1", "1111", functions, Map.of(functions.get(0).address(), 14,
                functions.get(1).address(), 14), List.of("dmar0"));
    }

    static MachineReport machine(String name, String uuid, List<PciFunction> functions,
                                 Map<PciAddress, Integer> groups, List<String> iommu) {
        return new MachineReport(name, Optional.of(uuid), Optional.of("MS-01"), "6.8.12-15-pve", "BOOT_IMAGE=/boot/vmlinuz quiet",
                OptionalLong.of(86400), Optional.of(false), iommu, iommu.isEmpty() ? List.of() : List.of("DMAR"),
                groups, functions, Optional.empty(), List.of(), Optional.empty(), Optional.empty(), List.of());
    }

    static NodeReport node(String name, String uuid, NodeReport.Taint... taints) {
        return new NodeReport(name, Optional.of(uuid), new HashMap<>(Map.of(
                "feature.node.kubernetes.io/pci-10de.present", "true", "nvidia.com/gpu.product", "NVIDIA-RTX-A1000",
                "nvidia.com/gpu.memory", "8188", "nvidia.com/gpu.deploy.device-plugin", "true",
                "nvidia.com/cuda.driver-version.full", "570.133.20")), List.of(taints), Map.of("nvidia.com/gpu", 1L),
                Map.of("nvidia.com/gpu", 1L), List.of(new NodeReport.Condition("Ready", "True", Optional.empty(),
                Optional.empty())), false, Optional.of("6.8.0-90-generic"), Optional.of("Ubuntu 24.04.3 LTS"),
                Optional.of("containerd://2.1.4"), Optional.of("v1.33.5+rke2r1"), Optional.empty());
    }

    static NodeReport without(NodeReport n, String... labels) {
        Map<String, String> left = new HashMap<>(n.labels());
        left.keySet().removeAll(List.of(labels));
        return new NodeReport(n.name(), n.systemUuid(), left, n.taints(), Map.of(), Map.of(), n.conditions(),
                n.unschedulable(), n.kernel(), n.osImage(), n.containerRuntime(), n.kubeletVersion(), n.internalIp());
    }

    static ClusterReport cluster(List<NodeReport> nodes, List<PodReport> pods) {
        return new ClusterReport("v1.33.5+rke2r1", nodes, pods, pods.size(),
                List.of(new ClusterReport.DaemonSetReport("gpu-operator", "nvidia-device-plugin-daemonset", 5, 5, 5)),
                Optional.of(new ClusterReport.PolicyReport("cluster-policy", "ready", Optional.of("Reconciled"),
                        Optional.empty(), true, true, true)), List.of());
    }

    static List<PodReport> readyOperands(String node) {
        List<PodReport> pods = new ArrayList<>();
        for (String app : List.of("nvidia-driver-daemonset", "nvidia-container-toolkit-daemonset",
                "nvidia-device-plugin-daemonset", "gpu-feature-discovery", "nvidia-dcgm-exporter")) {
            pods.add(pod(app, node, container("main", "running", true, null)));
        }
        pods.add(new PodReport("gpu-operator", "nvidia-cuda-validator-x", "u-val", Optional.of("nvidia-cuda-validator"),
                Optional.empty(), Optional.of(node), Optional.empty(), "Succeeded", Optional.empty(), Map.of(), false,
                false, Optional.empty(), Optional.empty(), List.of(), List.of()));
        return pods;
    }

    static List<PodReport> replace(List<PodReport> pods, PodReport by) {
        List<PodReport> changed = new ArrayList<>(pods);
        changed.removeIf(p -> p.app().equals(by.app()));
        changed.add(by);
        return changed;
    }

    static PodReport pod(String app, String node, PodReport.ContainerReport... containers) {
        boolean ready = List.of(containers).stream().allMatch(PodReport.ContainerReport::ready);
        return new PodReport("gpu-operator", app + "-x", "u-" + app, Optional.of(app), Optional.of("DaemonSet/" + app),
                Optional.of(node), Optional.of(node), ready ? "Running" : "Pending", Optional.empty(), Map.of(), ready,
                false, Optional.of(NOW.minusSeconds(102)), Optional.empty(), List.of(), List.of(containers));
    }

    static PodReport unscheduled(String app, String node, String message) {
        return new PodReport("gpu-operator", app + "-x", "u-" + app, Optional.of(app), Optional.of("DaemonSet/" + app),
                Optional.empty(), Optional.of(node), "Pending", Optional.empty(), Map.of(), false, false,
                Optional.empty(), Optional.of(message), List.of(), List.of());
    }

    static PodReport.ContainerReport container(String name, String state, boolean ready, String reason) {
        return new PodReport.ContainerReport(name, state, ready, 0, Optional.ofNullable(reason), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(NOW.minusSeconds(102)));
    }

    static TelemetryReport.Sample sample(String node, String uuid, double temperature) {
        return new TelemetryReport.Sample(node, gpu(uuid, "NVIDIA RTX A1000", "00000000:01:00.0", temperature),
                Optional.empty(), NOW.minusSeconds(10));
    }

    static GpuDevice gpu(String uuid, String name, String bus, double temperature) {
        return new GpuDevice(OptionalInt.of(0), Optional.of(name), Optional.of(uuid), PciAddress.parse(bus),
                Optional.of("570.133.20"), OptionalLong.of(8188), OptionalLong.of(500), OptionalDouble.of(71),
                OptionalDouble.of(temperature), OptionalDouble.of(38.2), OptionalInt.of(0));
    }
}
