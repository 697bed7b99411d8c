package dev.pitwall.card;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the cluster says: discovery and device plugin. */
final class ClusterFloors {
    private static final String PRODUCT = "nvidia.com/gpu.product";
    private static final String MEMORY = "nvidia.com/gpu.memory";
    private static final String PLUGIN_SELECTOR = "nvidia.com/gpu.deploy.device-plugin";

    private final FloorTexts texts;
    private final OperandWords words;
    private final NodeFloors nodes;

    ClusterFloors(FloorTexts texts, NodeFloors nodes) {
        this.texts = texts;
        this.words = new OperandWords(texts);
        this.nodes = nodes;
    }

    Finding discovery(CardPlace place, Optional<Observed<ClusterReport>> cluster, Instant now) {
        if (place.node().isEmpty() || cluster.flatMap(Observed::value).isEmpty()) {
            return nodes.aboveMissingNode(place, cluster, Floor.DRIVER);
        }
        Operand operand = Operand.of(cluster.get(), place);
        NodeReport node = operand.node();
        String product = node.labels().get(PRODUCT);
        if (product != null) {
            String memory = node.labels().get(MEMORY);
            return Finding.ok(memory == null ? product : texts.say("discovery.ok", product, memory))
                    .with(label(operand, PRODUCT), label(operand, MEMORY)).on(cluster.get());
        }
        Optional<String> nfd = GpuNodes.nfdLabel(node);
        if (nfd.isPresent()) {
            return withoutGfd(operand, nfd.get(), now);
        }
        return withoutNfd(operand, now);
    }

    /** NFD has seen the card on the bus; GFD can only speak once the driver does. */
    private Finding withoutGfd(Operand operand, String nfdLabel, Instant now) {
        String shortLabel = nfdLabel.substring(nfdLabel.indexOf('/') + 1);
        Optional<PodReport> gfd = operand.pod(Operand.GFD);
        if (gfd.isPresent() && PodHealth.of(gfd.get()) instanceof PodHealth.Initialising) {
            return Finding.ok(texts.say("discovery.gfdWaits", shortLabel)).with(label(operand, nfdLabel),
                    NodeFloors.podReading(operand, gfd.get())).on(operand.cluster());
        }
        return gfd.map(pod -> words.operand(operand, pod, Floor.DRIVER, "discovery", now))
                .orElseGet(() -> Finding.ok(operand.report().unseen().contains(ClusterReport.Part.PODS) ? shortLabel
                        : texts.say("discovery.nfdOnly", shortLabel))
                        .with(label(operand, nfdLabel)).on(operand.cluster()));
    }

    private Finding withoutNfd(Operand operand, Instant now) {
        Optional<PodReport> worker = operand.pod(Operand.NFD_WORKER);
        boolean anyNfd = worker.isPresent() || operand.daemonSet(Operand.NFD_WORKER).isPresent();
        if (!anyNfd) {
            return Finding.own(FloorState.NOT_APPLICABLE, texts.say("discovery.none")).on(operand.cluster());
        }
        if (worker.isEmpty()) {
            return Finding.failing("nfd-worker-missing-toleration", texts.say("discovery.noWorker"))
                    .with(taints(operand)).on(operand.cluster());
        }
        if (!(PodHealth.of(worker.get()) instanceof PodHealth.Ready)) {
            return words.operand(operand, worker.get(), Floor.DRIVER, "discovery", now);
        }
        FloorStatus.Progress wait = new FloorStatus.Progress(PodHealth.elapsed(worker.get().startedAt(), now),
                NodeFloors.usual(texts, "discovery"));
        boolean firstScan = wait.elapsed().compareTo(wait.usual().multipliedBy(2)) <= 0;
        return (firstScan
                ? Finding.own(FloorState.WAITING, texts.say("discovery.firstScan")).trapped("nfd-first-scan-pending")
                        .lasting(wait)
                : Finding.own(FloorState.FAILING, texts.say("discovery.noLabel")))
                .with(NodeFloors.podReading(operand, worker.get())).on(operand.cluster());
    }

    Finding plugin(CardPlace place, Optional<Observed<ClusterReport>> cluster, Instant now) {
        if (place.node().isEmpty() || cluster.flatMap(Observed::value).isEmpty()) {
            return nodes.aboveMissingNode(place, cluster, Floor.RUNTIME);
        }
        Operand operand = Operand.of(cluster.get(), place);
        long allocatable = GpuNodes.sum(operand.node().allocatable());
        if (allocatable > 0) {
            return afterXid(place, advertised(operand, allocatable), allocatable);
        }
        return operand.pod(Operand.PLUGIN).map(pod -> afterXid(place, pluginPod(operand, pod, now), 0))
                .orElseGet(() -> noPluginPod(operand));
    }

    /**
     * Devices are also withdrawn while a plugin that died is missed (the kubelet's grace is five minutes), so an Xid is named
     * as the cause only where DCGM has seen one.
     */
    private static Finding afterXid(CardPlace place, Finding finding, long allocatable) {
        boolean failing = finding.verdict() instanceof Finding.Own own && own.state() == FloorState.FAILING;
        boolean withdrawn = place.node().filter(n -> GpuNodes.sum(n.capacity()) > allocatable).isPresent();
        boolean xid = place.sample().map(sample -> sample.gpu().lastXid())
                .filter(x -> x.isPresent() && x.getAsInt() > 0).isPresent();
        return failing && withdrawn && xid && finding.trap().isEmpty()
                ? finding.trapped("plugin-marked-unhealthy-by-xid") : finding;
    }

    private Finding advertised(Operand operand, long allocatable) {
        List<PodReport> holders = operand.pods().stream()
                .filter(p -> p.holdsResources() && p.node().isPresent())
                .filter(p -> GpuNodes.sum(p.gpuRequests()) > 0)
                .sorted(Comparator.comparing(PodReport::namespace).thenComparing(PodReport::name)).toList();
        long held = holders.stream().mapToLong(p -> GpuNodes.sum(p.gpuRequests())).sum();
        List<Reading> readings = new ArrayList<>(List.of(
                Reading.of("allocatable", counts(operand.node().allocatable()), operand.nodeSource(), at(operand)),
                Reading.of("capacity", counts(operand.node().capacity()), operand.nodeSource(), at(operand))));
        holders.forEach(p -> readings.add(Reading.of("held by", p.namespace() + "/" + p.name()
                + (p.deleting() ? ", terminating" : ""), operand.source(p), at(operand))));
        return pluginSentence(operand, allocatable, holders, held).with(readings).on(operand.cluster());
    }

    private Finding pluginSentence(Operand operand, long allocatable, List<PodReport> holders, long held) {
        if (operand.node().unschedulable()) {
            return Finding.own(FloorState.BLOCKED, texts.say("plugin.cordoned", operand.node().name()))
                    .trapped("node-cordoned");
        }
        long unhealthy = GpuNodes.sum(operand.node().capacity()) - allocatable;
        if (unhealthy > 0) {
            return Finding.own(FloorState.FAILING, texts.say("plugin.someUnhealthy", unhealthy, allocatable + unhealthy));
        }
        if (operand.report().unseen().contains(ClusterReport.Part.PODS)) {
            return Finding.ok(texts.say("plugin.advertised", allocatable));
        }
        if (holders.isEmpty()) {
            return Finding.ok(texts.say("plugin.free", allocatable, allocatable));
        }
        return Finding.ok(holders.size() == 1
                ? texts.say("plugin.heldBy", held, allocatable, workload(holders.getFirst()))
                : texts.say("plugin.held", held, allocatable, holders.size()));
    }

    /** A pod of a Deployment is called after it; the two hashes behind say nothing. */
    private static String workload(PodReport pod) {
        return pod.owner().filter(o -> o.startsWith("ReplicaSet/"))
                .map(o -> o.substring("ReplicaSet/".length()).replaceFirst("-[a-z0-9]{5,10}$", ""))
                .orElse(pod.name());
    }

    private Finding pluginPod(Operand operand, PodReport pod, Instant now) {
        return switch (PodHealth.of(pod)) {
            case PodHealth.Unscheduled u -> unscheduled(operand, pod, u.why());
            case PodHealth.Ready r when GpuNodes.sum(operand.node().capacity()) > 0 ->
                    Finding.own(FloorState.FAILING, texts.say("plugin.unhealthy"))
                            .with(NodeFloors.podReading(operand, pod)).on(operand.cluster());
            case PodHealth.Ready r -> Finding.own(FloorState.WAITING, texts.say("plugin.registering"))
                    .lasting(new FloorStatus.Progress(PodHealth.elapsed(pod.startedAt(), now),
                            NodeFloors.usual(texts, "plugin")))
                    .with(NodeFloors.podReading(operand, pod)).on(operand.cluster());
            case PodHealth.Crashing c when c.message().filter(m -> m.contains("configmap")).isPresent() ->
                    words.operand(operand, pod, Floor.RUNTIME, "plugin", now).trapped("time-slicing-config-missing");
            default -> words.operand(operand, pod, Floor.RUNTIME, "plugin", now);
        };
    }

    private Finding unscheduled(Operand operand, PodReport pod, String why) {
        List<Reading> readings = List.of(Reading.of("scheduler", why.isEmpty() ? "no message" : why,
                operand.source(pod), at(operand)), taints(operand));
        return (why.contains("untolerated taint")
                ? Finding.failing("device-plugin-missing-toleration", texts.say("plugin.taint"))
                : Finding.own(FloorState.FAILING, texts.say("pod.unscheduled"))).with(readings).on(operand.cluster());
    }

    /** The DaemonSet controller makes no pod for a node whose taint it does not tolerate: it just wants fewer. */
    private Finding noPluginPod(Operand operand) {
        Optional<ClusterReport.DaemonSetReport> set = operand.daemonSet(Operand.PLUGIN);
        if (set.isEmpty()) {
            return Finding.own(FloorState.FAILING, texts.say("plugin.none")).with(taints(operand)).on(operand.cluster());
        }
        long labelled = operand.report().nodes().stream()
                .filter(n -> "true".equals(n.labels().get(PLUGIN_SELECTOR))).count();
        List<Reading> readings = List.of(
                Reading.of("daemonset/" + set.get().name(), texts.say("plugin.desired", set.get().desired(), labelled),
                        new Source(Source.Kind.CLUSTER, operand.cluster().system(), "daemonset/" + set.get().namespace()
                                + "/" + set.get().name()), at(operand)),
                taints(operand));
        boolean wanted = "true".equals(operand.node().labels().get(PLUGIN_SELECTOR));
        boolean repels = operand.node().taints().stream().anyMatch(t -> !t.effect().equals("PreferNoSchedule"));
        if (wanted && repels) {
            return Finding.failing("device-plugin-missing-toleration", texts.say("plugin.taint"))
                    .with(readings).on(operand.cluster());
        }
        return wanted
                ? Finding.own(FloorState.FAILING, texts.say("plugin.noPod")).with(readings).on(operand.cluster())
                : Finding.waitsFor(Floor.RUNTIME).with(readings).on(operand.cluster());
    }

    private Reading taints(Operand operand) {
        String taints = operand.node().taints().stream()
                .map(t -> t.key() + t.value().map(v -> "=" + v).orElse("") + ":" + t.effect())
                .collect(Collectors.joining(", "));
        return Reading.of("taints", taints.isEmpty() ? "none" : taints, operand.nodeSource(), at(operand));
    }

    private static Reading label(Operand operand, String label) {
        return new Reading(label, Optional.ofNullable(operand.node().labels().get(label)), operand.nodeSource(),
                at(operand));
    }

    private static String counts(Map<String, Long> resources) {
        return resources.entrySet().stream().filter(e -> GpuNodes.isGpuResource(e.getKey()))
                .sorted(Map.Entry.comparingByKey()).map(e -> e.getKey() + ": " + e.getValue())
                .collect(Collectors.joining(", "));
    }

    private static Instant at(Operand operand) {
        return operand.cluster().at().orElse(Instant.EPOCH);
    }
}
