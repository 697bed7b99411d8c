package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.Moments;
import dev.pitwall.lab.kube.control.node.UnheardNode;
import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.Conditions.Condition;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.kube.store.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node's object and its lease as the kubelet writes them, and the conditions that the node lifecycle controller writes
 * when the kubelet is not heard of. What others wrote stays. Touched only under the lock of {@link Kubelets}.
 */
final class NodeObject {
    /** nodeStatusReportFrequency: so often it is written though nothing has changed. */
    private static final Duration REPORT = Duration.ofMinutes(5);
    private static final Duration RENEW = Duration.ofSeconds(10);
    /** In a lab that runs faster, leases are not renewed more often than this in real time. */
    private static final Duration RENEW_REAL = Duration.ofMillis(250);
    private static final long RESERVED_KI = 102_400;
    private static final String STORAGE_KI = "121507304";
    /** Nine tenths, which the kubelet leaves after its eviction threshold, in bytes. */
    private static final String STORAGE_LEFT = "111981131199";

    private final Surroundings around;
    private final String name;
    private final ObjectKey key;
    private final int index;
    private final NodeBook book;
    private String written = "";
    private Instant reported = Instant.MIN;
    private Instant renewed = Instant.MIN;
    private boolean givenUp;

    NodeObject(Surroundings around, String name, int index, NodeBook book) {
        this.around = around;
        this.name = name;
        this.index = index;
        this.book = book;
        this.key = new ObjectKey(Resource.NODES, "", name);
    }

    String podNetwork(Machine machine) {
        return Distribution.of(around.distributions(), machine).podNetwork().replace("{index}", Integer.toString(index % 256));
    }

    /** The node joins the cluster, unless it is there. */
    void register(Machine machine, Instant now) {
        if (around.hand().find(key).isPresent()) {
            return;
        }
        Distribution kind = Distribution.of(around.distributions(), machine);
        Machine.Joining joining = Machine.Joining.of(around.world(), name);
        ObjectNode node = Json.object();
        ObjectNode metadata = node.putObject("metadata");
        ObjectNode labels = metadata.putObject("labels");
        for (String prefix : List.of("beta.kubernetes.io/", "kubernetes.io/")) {
            labels.put(prefix + "arch", "amd64").put(prefix + "os", "linux");
        }
        labels.put("kubernetes.io/hostname", name);
        fill(labels, kind.labels(), machine);
        fill(labels, machine.controlPlane() ? kind.controlPlaneLabels() : kind.workerLabels(), machine);
        fill(labels, joining.labels(), machine);
        fill(metadata.putObject("annotations"), kind.annotations(), machine);
        ObjectNode spec = node.putObject("spec");
        String network = podNetwork(machine) + ".0/24";
        spec.put("podCIDR", network).putArray("podCIDRs").add(network);
        if (!kind.providerId().isEmpty()) {
            spec.put("providerID", filled(kind.providerId(), machine));
        }
        taints(spec, machine.controlPlane() ? kind.controlPlaneTaints() : List.of(), joining.taints());
        status(node, machine, now);
        around.hand().as("system:node:" + name).create(key, node);
        written = digest(machine);
        reported = now;
    }

    private static void taints(ObjectNode spec, List<String> usual, List<String> own) {
        List<String> all = own.isEmpty() ? usual : own;
        if (all.isEmpty()) {
            return;
        }
        ArrayNode list = spec.putArray("taints");
        for (String text : all) {
            String[] parts = text.split("[=:]");
            ObjectNode taint = list.addObject().put("key", parts[0]);
            if (parts.length == 3) {
                taint.put("value", parts[1]);
            }
            taint.put("effect", parts[parts.length - 1]);
        }
    }

    private void fill(ObjectNode into, Map<String, String> values, Machine machine) {
        values.forEach((label, value) -> into.put(label, filled(value, machine)));
    }

    private String filled(String text, Machine machine) {
        return text.replace("{name}", name).replace("{address}", machine.address())
                .replace("{index}", Integer.toString(index));
    }

    /** The kubelet has started, after a boot or because it is heard of again. */
    void started(Machine machine, boolean booted, Instant now) {
        if (booted) {
            event(new Source("kubelet", name), Type.Normal, "Starting", "Starting kubelet.", now);
            event(new Source("kubelet", name), Type.Warning, "Rebooted", "Node " + name
                    + " has been rebooted, boot id: " + machine.bootId(), now);
        }
        boolean again = givenUp;
        givenUp = false;
        written = "";
        report(machine, now);
        if (again || booted) {
            event(new Source("kubelet", name), Type.Normal, "NodeReady",
                    "Node " + name + " status is now: NodeReady", now);
        }
    }

    /** Writes the status if it is another than before, or has not been written for long. */
    void report(Machine machine, Instant now) {
        String digest = digest(machine);
        if (!digest.equals(written) || isReportDue(now)) {
            written = digest;
            reported = now;
            around.hand().status(key, node -> status(node, machine, now));
        }
    }

    private boolean isReportDue(Instant now) {
        return !around.clock().isPast() && !reported.equals(Instant.MIN) && !reported.plus(REPORT).isAfter(now);
    }

    /** The lease, and the status if it is time. */
    void beat(Machine machine, Instant now) {
        if (around.clock().isPast()) {
            return;
        }
        report(machine, now);
        if (!nextRenewal().isAfter(now)) {
            renewed = now;
            renew(now);
        }
    }

    Instant nextBeat(Instant now) {
        if (around.clock().isPast()) {
            return Instant.MAX;
        }
        return Moments.earlier(nextRenewal(), reported.plus(REPORT));
    }

    private Instant nextRenewal() {
        if (renewed.equals(Instant.MIN)) {
            return Instant.MIN;
        }
        Duration real = around.world().clock().realTime(RENEW);
        return renewed.plus(real.compareTo(RENEW_REAL) >= 0 ? RENEW
                : RENEW.multipliedBy(Math.ceilDiv(RENEW_REAL.toMillis(), real.toMillis())));
    }

    private void renew(Instant now) {
        ObjectKey lease = new ObjectKey(Resource.LEASES, "kube-node-lease", name);
        String time = Timestamp.of(now).replace("Z", ".000000Z");
        boolean there = around.hand().status(lease,
                body -> body.withObjectProperty("spec").put("renewTime", time)).isPresent();
        Optional<StoredObject> node = around.hand().find(key);
        if (there || node.isEmpty()) {
            return;
        }
        ObjectNode body = Json.object();
        body.putObject("metadata").putArray("ownerReferences").addObject().put("apiVersion", "v1")
                .put("kind", "Node").put("name", name).put("uid", node.get().uid());
        body.putObject("spec").put("holderIdentity", name).put("leaseDurationSeconds", 40).put("renewTime", time);
        around.hand().as("system:node:" + name).create(lease, body);
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** The node lifecycle controller has waited long enough. @return false if it had given up before */
    boolean giveUp(Instant now) {
        if (givenUp) {
            return false;
        }
        givenUp = true;
        written = "";
        around.hand().as("system:serviceaccount:kube-system:node-controller")
                .status(key, node -> UnheardNode.write(node, now));
        event(UnheardNode.SOURCE, Type.Normal, "NodeNotReady",
                "Node " + name + " status is now: NodeNotReady", now);
        return true;
    }

    private String digest(Machine machine) {
        return machine.bootedAt() + machine.kernel() + machine.kubelet() + machine.runtime() + machine.osImage()
                + machine.address() + machine.cpus() + "/" + machine.memoryBytes() + book.capacity()
                + book.allocatable();
    }

    private void status(ObjectNode node, Machine machine, Instant now) {
        ObjectNode status = node.withObjectProperty("status");
        resources(status.withObjectProperty("capacity"), machine, 0, STORAGE_KI + "Ki", book.capacity());
        resources(status.withObjectProperty("allocatable"), machine, RESERVED_KI, STORAGE_LEFT, book.allocatable());
        conditions(node, now);
        ArrayNode addresses = status.putArray("addresses");
        addresses.addObject().put("type", "InternalIP").put("address", machine.address());
        addresses.addObject().put("type", "Hostname").put("address", name);
        status.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", 10250);
        status.putObject("nodeInfo").put("machineID", Digests.uuid(machine.systemUuid() + "machine").replace("-", ""))
                .put("systemUUID", machine.systemUuid()).put("bootID", machine.bootId())
                .put("kernelVersion", machine.kernel()).put("osImage", machine.osImage())
                .put("containerRuntimeVersion", machine.runtime()).put("kubeletVersion", machine.kubelet())
                .put("kubeProxyVersion", "").put("operatingSystem", "linux").put("architecture", "amd64");
    }

    private static void resources(ObjectNode into, Machine machine, long reservedKi, String storage,
                                  Map<String, Long> devices) {
        into.put("cpu", Integer.toString(machine.cpus())).put("ephemeral-storage", storage)
                .put("hugepages-1Gi", "0").put("hugepages-2Mi", "0")
                .put("memory", (machine.memoryBytes() >> 10) - reservedKi + "Ki").put("pods", "110");
        devices.forEach((resource, count) -> into.put(resource, Long.toString(count)));
    }

    private static void conditions(ObjectNode node, Instant now) {
        condition(node, "MemoryPressure", "False", "KubeletHasSufficientMemory",
                "kubelet has sufficient memory available", now);
        condition(node, "DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure", now);
        condition(node, "PIDPressure", "False", "KubeletHasSufficientPID",
                "kubelet has sufficient PID available", now);
        condition(node, "Ready", "True", "KubeletReady", "kubelet is posting ready status", now);
    }

    private static void condition(ObjectNode node, String type, String value, String reason, String message,
                                  Instant now) {
        Conditions.set(node, new Condition(type, value, reason, message), now)
                .put("lastHeartbeatTime", Timestamp.of(now));
    }

    private void event(Source source, Type type, String reason, String message, Instant now) {
        around.hand().find(key).ifPresent(node -> around.events().record(Subject.core(node, "Node"), source,
                type, reason, message, now));
    }
}
