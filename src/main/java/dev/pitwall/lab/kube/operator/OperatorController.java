package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The GPU Operator. It acts only while a pod of its Deployment is ready: it labels nodes with cards, brings the
 * operands' objects to what its ClusterPolicy says, and writes how they stand. Running operands go on without it.
 * (facts: cluster.md 1)
 */
public final class OperatorController implements Controller {
    static final Resource POLICIES = new Resource("nvidia.com", "clusterpolicies");
    private static final Map<String, String> POD = Map.of("app", "gpu-operator", "app.kubernetes.io/component",
            "gpu-operator");

    /** The rate limiter of its queue begins with this. */
    private static final Duration REST = Duration.ofMillis(100);
    private static final Set<Resource> WATCHED = Set.of(POLICIES, Resource.NODES, Resource.PODS,
            Resource.DAEMON_SETS, Resource.RUNTIME_CLASSES, Resource.SERVICES);

    private final ClusterHand hand;
    private final Pods pods;
    private final OperandList operands = OperandList.load();
    private final Map<String, StoredObject> nodes = new TreeMap<>();
    private Optional<DaemonSetMaker> maker = Optional.empty();
    private boolean dirty = true;
    private boolean wasReady;
    private Instant rested = Instant.MIN;

    public OperatorController(ClusterHand hand, Pods pods) {
        this.hand = hand.as("system:serviceaccount:gpu-operator:gpu-operator");
        this.pods = pods;
    }

    @Override
    public Set<Resource> watches() {
        return WATCHED;
    }

    @Override
    public void observe(Change change) {
        switch (change) {
            case Change.Added added -> note(Optional.empty(), added.now());
            case Change.Modified modified -> note(Optional.of(modified.before()), modified.now());
            case Change.Deleted deleted -> {
                nodes.remove(nodeName(deleted.before()));
                dirty |= concerns(deleted.before());
            }
        }
    }

    /** A node matters only by its labels, annotations aside: its heartbeats do not. */
    private void note(Optional<StoredObject> before, StoredObject now) {
        if (now.key().resource().equals(Resource.NODES)) {
            nodes.put(now.key().name(), now);
            dirty |= before.map(old -> !old.labels().equals(now.labels())).orElse(true);
        } else {
            dirty |= concerns(now);
        }
    }

    /** Of the pods, those of its own namespace and those on nodes with cards are looked at. */
    private boolean concerns(StoredObject object) {
        if (!object.key().resource().equals(Resource.PODS)) {
            return true;
        }
        PodFacts pod = pods.news().last();
        StoredObject node = nodes.get(pod.node());
        return pod.labels().entrySet().containsAll(POD.entrySet()) || pod.ownerKind().equals("DaemonSet")
                || node != null && "true".equals(node.labels().get(GpuNodes.PRESENT));
    }

    private static String nodeName(StoredObject object) {
        return object.key().resource().equals(Resource.NODES) ? object.key().name() : "";
    }

    @Override
    public Instant act(Instant now) {
        Optional<PodFacts> self = self();
        dirty |= self.isPresent() && !wasReady;
        wasReady = self.isPresent();
        if (self.isEmpty() || !dirty) {
            return Instant.MAX;
        }
        if (now.isBefore(rested)) {
            return rested;
        }
        dirty = false;
        rested = now.plus(REST);
        policies().ifPresent(policy -> reconcile(policy, self.get(), now));
        return Instant.MAX;
    }

    private Optional<PodFacts> self() {
        return pods.all().stream().filter(pod -> pod.ready() && pod.deletion().isEmpty()
                && pod.labels().entrySet().containsAll(POD.entrySet())).findFirst();
    }

    /** The oldest policy; all others are ignored. */
    private Optional<StoredObject> policies() {
        List<StoredObject> all = hand.store().list(POLICIES, "").objects().stream()
                .sorted(Comparator.comparing((StoredObject policy) -> policy.tree()
                        .at("/metadata/creationTimestamp").asText()).thenComparing(policy -> policy.key().name()))
                .toList();
        all.stream().skip(1).forEach(policy -> hand.status(policy.key(), object ->
                new PolicyStatus("ignored", "", "").write(object, "", Instant.EPOCH)));
        return all.stream().findFirst();
    }

    private void reconcile(StoredObject policy, PodFacts self, Instant now) {
        String namespace = self.key().namespace();
        PolicyStatus status = outcome(policy, namespace, release(self));
        hand.status(policy.key(), object -> status.write(object, namespace, now));
    }

    private PolicyStatus outcome(StoredObject policy, String namespace, String release) {
        try {
            return status(policy, namespace, release);
        } catch (AdmissionRefusal refused) {
            return new PolicyStatus("notReady", "ReconcileFailed", refused.getMessage());
        }
    }

    /** The operator's release, from its image's tag. */
    private static String release(PodFacts self) {
        String image = self.object().tree().at("/spec/containers/0/image").asText();
        return image.substring(image.lastIndexOf(':') + 1);
    }

    private PolicyStatus status(StoredObject policy, String namespace, String release) {
        GpuNodes gpus = new GpuNodes(hand, List.copyOf(nodes.values()));
        gpus.label();
        if (!gpus.haveFeatures()) {
            return new PolicyStatus("ready", "NFDLabelsMissing", operands.text("policyNoNfd", Map.of()));
        }
        JsonNode spec = policy.tree().path("spec");
        OperandObjects objects = new OperandObjects(hand, namespace, policy);
        objects.runtimeClasses(spec);
        if (gpus.withCards().isEmpty()) {
            return new PolicyStatus("ready", "NoGPUNodes", operands.text("policyNoGpu", Map.of()));
        }
        Optional<String> unknown = gpus.withoutSystem();
        if (unknown.isPresent()) {
            return new PolicyStatus("notReady", "ReconcileFailed", operands.text("policyNoOs",
                    Map.of("node", unknown.get())));
        }
        List<String> behind = deploy(spec, objects, gpus, release);
        return behind.isEmpty()
                ? new PolicyStatus("ready", "Reconciled", operands.text("policyReady", Map.of()))
                : new PolicyStatus("notReady", reason(behind), operands.text("policyNotReady",
                Map.of("states", String.join(" ", behind))));
    }

    private static String reason(List<String> behind) {
        return behind.contains("state-driver") ? "DriverNotReady"
                : behind.equals(List.of("state-node-status-exporter")) ? "NodeStatusExporterNotReady"
                : "OperandNotReady";
    }

    /** @return states that are not ready */
    private List<String> deploy(JsonNode spec, OperandObjects objects, GpuNodes gpus, String release) {
        DaemonSetMaker sets = maker(spec, release);
        String suffix = gpus.driverSuffix(spec.at("/driver/usePrecompiled").asBoolean(false));
        List<String> behind = new ArrayList<>();
        for (Operand operand : operands.all()) {
            boolean elsewhere = operand.isDriver() && spec.at("/driver/useNvidiaDriverCRD").asBoolean(false);
            if (!operand.isEnabled(spec) || elsewhere) {
                objects.remove(operand);
                continue;
            }
            objects.apply(operand, sets.make(operand, suffix));
            Optional<StoredObject> set = hand.find(objects.key(operand));
            if (set.filter(OperatorController::isReady).isEmpty()) {
                behind.add(operand.state());
            }
            if (operand.isDriver() && spec.at("/driver/upgradePolicy/autoUpgrade").asBoolean(false)) {
                set.ifPresent(daemonSet -> new DriverUpgrade(hand, pods, spec.at("/driver/upgradePolicy"), daemonSet)
                        .act(gpus.withCards()));
            }
        }
        objects.exporter(spec);
        return behind;
    }

    /** What it makes lasts as long as the policy says the same. */
    private DaemonSetMaker maker(JsonNode spec, String release) {
        DaemonSetMaker sets = maker.filter(known -> known.isFor(spec, release))
                .orElseGet(() -> new DaemonSetMaker(operands, spec, release));
        maker = Optional.of(sets);
        return sets;
    }

    /** All pods that ought to run are available; none that ought to counts too. (facts: cluster.md 1.4) */
    private static boolean isReady(StoredObject daemonSet) {
        JsonNode status = daemonSet.tree().path("status");
        return status.has("desiredNumberScheduled")
                && status.path("numberReady").asInt() >= status.path("desiredNumberScheduled").asInt();
    }

    /** Where an object of the operator is kept, for those who ask for its policy. */
    public static ObjectKey policy(String name) {
        return new ObjectKey(POLICIES, "", name);
    }
}
