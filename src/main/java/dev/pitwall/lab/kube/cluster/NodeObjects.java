package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.cluster.ClusterView.Card;
import dev.pitwall.lab.kube.cluster.ClusterView.Node;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Nodes with everything that kubelet, NFD, GFD and the operator write on them, and their leases. */
final class NodeObjects {
    static final Resource NODES = Resource.core("nodes");
    private static final Resource LEASES = new Resource("coordination.k8s.io", "leases");
    private static final String GPU = "nvidia.com/gpu";
    private static final String NFD = "feature.node.kubernetes.io/";
    private static final long HEARTBEAT_SECONDS = 300;
    private static final long RENEW_SECONDS = 10;
    private static final long SYSTEM_RESERVED_KI = 102_400;

    private final Desired desired;
    private final ClusterData data;
    private final ClusterView view;

    NodeObjects(Desired desired, ClusterData data, ClusterView view) {
        this.desired = desired;
        this.data = data;
        this.view = view;
    }

    void addAll() {
        view.nodes().forEach(this::add);
    }

    private void add(Node node) {
        GpuFloors floors = new GpuFloors(view, data, node);
        ObjectNode object = desired.add(NODES, "", node.name(), firstBoot(node));
        Desired.labels(object, labels(node, floors));
        ObjectNode annotations = Desired.metadata(object).putObject("annotations");
        annotations.put("node.alpha.kubernetes.io/ttl", "0");
        distribution(annotations, node);
        if (floors.labelled() && view.operatorBringsDriver()) {
            annotations.put("nvidia.com/gpu-driver-upgrade-enabled", "true");
        }
        object.set("spec", spec(node));
        object.set("status", status(node, floors));
        lease(node);
        events(node);
    }

    /** What each distribution writes on its nodes. */
    private void distribution(ObjectNode annotations, Node node) {
        String word = view.kubernetes().distribution().word();
        switch (view.kubernetes().distribution()) {
            case RKE2, K3S -> annotations.put(word + ".io/hostname", node.name())
                    .put(word + ".io/internal-ip", node.address());
            case TALOS -> annotations.put("networking.talos.dev/self-ips", node.address());
            case KUBEADM -> annotations.put("kubeadm.alpha.kubernetes.io/cri-socket",
                    "unix:///var/run/containerd/containerd.sock");
        }
    }

    /** A node is older than its last boot. */
    private static Instant firstBoot(Node node) {
        return node.bootedAt().minusSeconds(86_400L * (30 + node.index()));
    }

    private Map<String, String> labels(Node node, GpuFloors floors) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String prefix : new String[] {"beta.kubernetes.io/", "kubernetes.io/"}) {
            labels.put(prefix + "arch", "amd64");
            labels.put(prefix + "os", "linux");
        }
        labels.put("kubernetes.io/hostname", node.name());
        switch (view.kubernetes().distribution()) {
            case RKE2, K3S -> rancherLabels(labels, node);
            case TALOS, KUBEADM -> {
                if (node.master()) {
                    labels.put("node-role.kubernetes.io/control-plane", "");
                }
            }
        }
        labels.putAll(node.labels());
        if (view.fault(Trap.NFD_MASTER_MISSING_TOLERATION).isEmpty()
                && (!node.hasCards() || floors.labelled())) {
            nfdLabels(labels, node);
        }
        if (floors.labelled()) {
            labels.put(NFD + "pci-10de.present", "true");
            operatorLabels(labels);
        } else if (node.hasCards()) {
            labels.put("nvidia.com/gpu.present", "false");
        }
        if (floors.discovered()) {
            discoveryLabels(labels, node);
        }
        return labels;
    }

    private void rancherLabels(Map<String, String> labels, Node node) {
        labels.put("node.kubernetes.io/instance-type", view.kubernetes().distribution().word());
        if (node.master()) {
            for (String role : new String[] {"control-plane", "etcd", "master"}) {
                labels.put("node-role.kubernetes.io/" + role, "true");
            }
        }
    }

    private static void nfdLabels(Map<String, String> labels, Node node) {
        String[] os = node.osTag().split("(?<=[a-z])(?=\\d)", 2);
        labels.put(NFD + "kernel-version.full", node.kernel());
        labels.put(NFD + "system-os_release.ID", os[0]);
        labels.put(NFD + "system-os_release.VERSION_ID", os.length > 1 ? os[1] : "");
        labels.put(NFD + "cpu-cpuid.AVX2", "true");
        labels.put(NFD + "pci-1af4.present", "true");
    }

    private void operatorLabels(Map<String, String> labels) {
        labels.put("nvidia.com/gpu.present", "true");
        data.operands().forEach(operand -> labels.put("nvidia.com/gpu.deploy." + operand.deploy(), "true"));
        labels.put("nvidia.com/gpu.deploy.dcgm", "true");
        labels.put("nvidia.com/gpu.deploy.node-status-exporter", "true");
        if (view.operatorBringsDriver()) {
            labels.put("nvidia.com/gpu-driver-upgrade-state", "upgrade-done");
        }
    }

    private void discoveryLabels(Map<String, String> labels, Node node) {
        Card card = node.cards().getFirst();
        String[] driver = node.driverVersion().split("\\.");
        labels.put("nvidia.com/gpu.count", Integer.toString(node.cards().size()));
        labels.put("nvidia.com/gpu.product", card.product().replace(' ', '-'));
        labels.put("nvidia.com/gpu.memory", Long.toString(card.vramMiB()));
        labels.put("nvidia.com/gpu.replicas", "1");
        labels.put("nvidia.com/gpu.sharing-strategy", "none");
        labels.put("nvidia.com/gpu.machine", node.machine());
        labels.put("nvidia.com/mig.capable", "false");
        labels.put("nvidia.com/mig.strategy", "single");
        labels.put("nvidia.com/mps.capable", "false");
        labels.put("nvidia.com/vgpu.present", "false");
        labels.put("nvidia.com/gfd.timestamp", Long.toString(node.driverSince().plusSeconds(
                data.times().discoveryLabels()).getEpochSecond()));
        data.gpuKind(card.product()).ifPresent(kind -> {
            String[] compute = kind.compute().split("\\.");
            labels.put("nvidia.com/gpu.family", kind.family());
            labels.put("nvidia.com/gpu.compute.major", compute[0]);
            labels.put("nvidia.com/gpu.compute.minor", compute[1]);
            labels.put("nvidia.com/gpu.mode", kind.mode());
        });
        if (driver.length > 1) {
            labels.put("nvidia.com/cuda.driver-version.full", node.driverVersion());
            labels.put("nvidia.com/cuda.driver-version.major", driver[0]);
            labels.put("nvidia.com/cuda.driver-version.minor", driver[1]);
            labels.put("nvidia.com/cuda.driver-version.revision", driver.length > 2 ? driver[2] : "");
            labels.put("nvidia.com/cuda.driver.major", driver[0]);
            labels.put("nvidia.com/cuda.driver.minor", driver[1]);
            labels.put("nvidia.com/cuda.driver.rev", driver.length > 2 ? driver[2] : "");
        }
        String cuda = driver.length > 0 ? data.cudaByBranch().getOrDefault(driver[0], "") : "";
        if (!cuda.isEmpty()) {
            String[] parts = cuda.split("\\.");
            labels.put("nvidia.com/cuda.runtime-version.full", cuda);
            labels.put("nvidia.com/cuda.runtime-version.major", parts[0]);
            labels.put("nvidia.com/cuda.runtime-version.minor", parts[1]);
            labels.put("nvidia.com/cuda.runtime.major", parts[0]);
            labels.put("nvidia.com/cuda.runtime.minor", parts[1]);
        }
    }

    private ObjectNode spec(Node node) {
        ObjectNode spec = Json.object();
        spec.put("podCIDR", data.podNetwork() + "." + node.index() % 256 + ".0/24");
        switch (view.kubernetes().distribution()) {
            case RKE2, K3S -> spec.put("providerID", view.kubernetes().distribution().word() + "://" + node.name());
            case TALOS, KUBEADM -> { }
        }
        boolean cordoned = view.fault(Trap.NODE_CORDONED, node).isPresent();
        if (cordoned) {
            spec.put("unschedulable", true);
        }
        Taints taints = new Taints(view);
        if (!taints.of(node).isEmpty()) {
            ArrayNode list = spec.putArray("taints");
            taints.of(node).forEach(taint -> taint(list, taint));
        }
        return spec;
    }

    private static void taint(ArrayNode list, String text) {
        String[] parts = text.split("[=:]");
        ObjectNode taint = list.addObject().put("key", parts[0]);
        if (parts.length == 3) {
            taint.put("value", parts[1]);
        }
        taint.put("effect", parts[parts.length - 1]);
    }

    private ObjectNode status(Node node, GpuFloors floors) {
        ObjectNode status = Json.object();
        resources(status.putObject("capacity"), node, 0);
        resources(status.putObject("allocatable"), node, SYSTEM_RESERVED_KI);
        floors.capacity().ifPresent(count -> {
            ((ObjectNode) status.path("capacity")).put(GPU, Long.toString(count));
            ((ObjectNode) status.path("allocatable")).put(GPU, Long.toString(floors.allocatable()));
        });
        conditions(status.putArray("conditions"), node);
        ArrayNode addresses = status.putArray("addresses");
        addresses.addObject().put("type", "InternalIP").put("address", node.address());
        addresses.addObject().put("type", "Hostname").put("address", node.name());
        status.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", 10250);
        String id = Names.uid(node.systemUuid() + "machine").replace("-", "");
        status.putObject("nodeInfo").put("machineID", id).put("systemUUID", node.systemUuid())
                .put("bootID", Names.uid(node.name() + node.bootedAt())).put("kernelVersion", node.kernel())
                .put("osImage", node.osImage()).put("containerRuntimeVersion", node.runtime())
                .put("kubeletVersion", node.kubelet()).put("kubeProxyVersion", "").put("operatingSystem", "linux")
                .put("architecture", "amd64");
        return status;
    }

    private static void resources(ObjectNode into, Node node, long reservedKi) {
        into.put("cpu", Integer.toString(node.cpus())).put("ephemeral-storage", "121507304Ki")
                .put("hugepages-1Gi", "0").put("hugepages-2Mi", "0")
                .put("memory", (node.memoryBytes() >> 10) - reservedKi + "Ki").put("pods", "110");
    }

    private void conditions(ArrayNode conditions, Node node) {
        Instant beat = node.ready() ? floor(view.now(), HEARTBEAT_SECONDS, node.index()) : node.bootedAt();
        pressure(conditions, node, "MemoryPressure", "KubeletHasSufficientMemory",
                "kubelet has sufficient memory available", beat);
        pressure(conditions, node, "DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure", beat);
        pressure(conditions, node, "PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available",
                beat);
        ObjectNode ready = conditions.addObject().put("type", "Ready");
        if (node.ready()) {
            ready.put("status", "True").put("reason", "KubeletReady").put("message", "kubelet is posting ready status");
        } else {
            ready.put("status", "Unknown").put("reason", "NodeStatusUnknown")
                    .put("message", "Kubelet stopped posting node status.");
        }
        times(ready, beat, node);
    }

    private static void pressure(ArrayNode conditions, Node node, String type, String reason, String message,
                                 Instant beat) {
        ObjectNode condition = conditions.addObject().put("type", type);
        condition.put("status", node.ready() ? "False" : "Unknown")
                .put("reason", node.ready() ? reason : "NodeStatusUnknown")
                .put("message", node.ready() ? message : "Kubelet stopped posting node status.");
        times(condition, beat, node);
    }

    private static void times(ObjectNode condition, Instant beat, Node node) {
        condition.put("lastHeartbeatTime", ObjectStore.timestamp(beat))
                .put("lastTransitionTime", ObjectStore.timestamp(node.bootedAt().plusSeconds(15)));
    }

    private void lease(Node node) {
        ObjectNode lease = desired.add(LEASES, "kube-node-lease", node.name(), firstBoot(node));
        ObjectKey key = new ObjectKey(NODES, "", node.name());
        Desired.metadata(lease).putArray("ownerReferences").addObject().put("apiVersion", "v1").put("kind", "Node")
                .put("name", node.name()).put("uid", Desired.uid(key));
        Instant renewed = node.ready() ? floor(view.now(), RENEW_SECONDS, node.index()) : node.bootedAt();
        lease.putObject("spec").put("holderIdentity", node.name()).put("leaseDurationSeconds", 40)
                .put("renewTime", ObjectStore.timestamp(renewed).replace("Z", ".000000Z"));
    }

    private void events(Node node) {
        view.fault(Trap.NODE_CORDONED, node).ifPresent(fault -> new Events(desired, fault.since()).about("Node",
                new ObjectKey(NODES, "", node.name()), Events.Type.Normal, "kubelet", "NodeNotSchedulable",
                "Node " + node.name() + " status is now: NodeNotSchedulable", fault.since()));
    }

    /** The last multiple of a period, each node at its own moment of it. */
    private static Instant floor(Instant now, long period, int offset) {
        long shift = offset * 7L % period;
        return Instant.ofEpochSecond((now.getEpochSecond() - shift) / period * period + shift);
    }
}
