package dev.pitwall.link.kube;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.ClusterReport.DaemonSetReport;
import dev.pitwall.card.ClusterReport.NamedPort;
import dev.pitwall.card.ClusterReport.Part;
import dev.pitwall.card.ClusterReport.PolicyReport;
import dev.pitwall.card.ClusterReport.ServiceReport;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.PodReport;

/**
 * What the watches have gathered, reduced to what cards hang on. Of pods only those that matter are kept; which ones do
 * depends on nodes and DaemonSets, so when more come to matter the pods have to be listed again.
 */
final class ClusterState {
    private final Supplier<Workloads> workloads;
    private final NodeReader nodeReader;
    private final Runnable dirty;
    private final Runnable morePodsMatter;
    private final AtomicLong version = new AtomicLong();
    private volatile Set<String> gpuNodes = Set.of();
    private volatile Set<String> operandNamespaces = Set.of();
    private volatile Built built = new Built(-1, Set.of(), null);

    final Shelf<NodeReport> nodes;
    final Shelf<DaemonSetReport> daemonSets;
    final Shelf<PodSeen> pods;
    final Shelf<PolicyReport> policies;
    final Shelf<ServiceSeen> services;

    /** @param counts false for a pod that is kept only since a service may point at it */
    record PodSeen(PodReport report, Map<String, String> labels, boolean counts) {
    }

    record ServiceSeen(String namespace, String name, List<NamedPort> ports, Map<String, String> selector) {
    }

    private record Built(long version, Set<Part> unseen, ClusterReport report) {
    }

    /**
     * @param dirty          called after every change that shows
     * @param morePodsMatter called when pods that were passed over have come to matter
     */
    ClusterState(Supplier<Workloads> workloads, Runnable dirty, Runnable morePodsMatter) {
        this.workloads = workloads;
        this.nodeReader = new NodeReader(workloads);
        this.dirty = dirty;
        this.morePodsMatter = morePodsMatter;
        this.nodes = new Shelf<>(nodeReader::read, this::nodesChanged);
        this.daemonSets = new Shelf<>(this::daemonSet, this::daemonSetsChanged);
        this.pods = new Shelf<>(this::pod, this::changed);
        this.policies = new Shelf<>(PolicyReader::read, this::changed);
        this.services = new Shelf<>(this::service, this::changed);
    }

    /**
     * The report; the same object until something changes.
     *
     * @param unseen what may not be read now; what was once read of it says nothing any more
     */
    ClusterReport report(String serverVersion, Set<Part> unseen) {
        long now = version.get();
        Built last = built;
        if (last.version() == now && last.unseen().equals(unseen) && last.report().version().equals(serverVersion)) {
            return last.report();
        }
        boolean podsSeen = !unseen.contains(Part.PODS);
        ClusterReport report = new ClusterReport(serverVersion,
                unseen.contains(Part.NODES) ? List.of() : List.copyOf(nodes.kept()),
                podsSeen ? pods.kept().stream().filter(PodSeen::counts).map(PodSeen::report).toList() : List.of(),
                podsSeen ? pods.count() : 0,
                unseen.contains(Part.DAEMON_SETS) ? List.of() : List.copyOf(daemonSets.kept()),
                policies.kept().stream().filter(policy -> !unseen.contains(Part.POLICIES))
                        .filter(policy -> !policy.state().equals("ignored")).findFirst(),
                unseen.contains(Part.SERVICES) ? List.of() : services.kept().stream().map(this::report).toList(),
                unseen);
        built = new Built(now, unseen, report);
        return report;
    }

    /** Running exporters of the cards' own figures. */
    List<PodReport> exporters() {
        return pods.kept().stream()
                .filter(pod -> Workloads.labelled(workloads.get().exporters().names(), pod.labels()))
                .map(PodSeen::report).filter(pod -> pod.ready() && !pod.deleting()).toList();
    }

    /** TCP port of an exporter's pod; neither chart changes it. */
    int exporterPort() {
        return workloads.get().exporters().ports().getFirst();
    }

    private void changed() {
        version.incrementAndGet();
        dirty.run();
    }

    private void nodesChanged() {
        Set<String> now = nodes.kept().stream().filter(nodeReader::hasGpu).map(NodeReport::name)
                .collect(Collectors.toUnmodifiableSet());
        boolean more = !gpuNodes.containsAll(now);
        gpuNodes = now;
        changed();
        if (more) {
            morePodsMatter.run();
        }
    }

    private void daemonSetsChanged() {
        Set<String> now = daemonSets.kept().stream().map(DaemonSetReport::namespace)
                .filter(namespace -> !workloads.get().sharedNamespaces().contains(namespace))
                .collect(Collectors.toUnmodifiableSet());
        boolean more = !operandNamespaces.containsAll(now);
        operandNamespaces = now;
        changed();
        if (more) {
            morePodsMatter.run();
        }
    }

    private Optional<DaemonSetReport> daemonSet(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        String name = metadata.path("name").asText("");
        if (!workloads.get().operand(Fields.labels(object), name)) {
            return Optional.empty();
        }
        JsonNode status = object.path("status");
        return Optional.of(new DaemonSetReport(metadata.path("namespace").asText(""), name,
                status.path("desiredNumberScheduled").asInt(0), status.path("numberReady").asInt(0),
                status.path("updatedNumberScheduled").asInt(0)));
    }

    private Optional<PodSeen> pod(JsonNode object) {
        Map<String, String> labels = Fields.labels(object);
        Map<String, Long> gpus = GpuRequests.of(object.path("spec"));
        String namespace = object.path("metadata").path("namespace").asText("");
        boolean counts = !gpus.isEmpty()
                || gpuNodes.contains(object.path("spec").path("nodeName").asText(""))
                || operandNamespaces.contains(namespace)
                || Workloads.labelled(workloads.get().operands(), labels);
        if (!counts && !workloads.get().served(labels)) {
            return Optional.empty();
        }
        return Optional.of(new PodSeen(PodReader.read(object, labels, gpus), Map.copyOf(labels), counts));
    }

    private Optional<ServiceSeen> service(JsonNode object) {
        JsonNode spec = object.path("spec");
        List<NamedPort> ports = new ArrayList<>();
        spec.path("ports").forEach(port -> {
            if (port.path("protocol").asText("TCP").equals("TCP")) {
                ports.add(new NamedPort(port.path("name").asText(""), port.path("port").asInt()));
            }
        });
        boolean looks = workloads.get().served(Fields.labels(object))
                || ports.stream().anyMatch(port -> workloads.get().servedPort(port.port()));
        if (!looks || ports.isEmpty()) {
            return Optional.empty();
        }
        JsonNode metadata = object.path("metadata");
        return Optional.of(new ServiceSeen(metadata.path("namespace").asText(""), metadata.path("name").asText(""),
                ports, Fields.texts(spec.path("selector"))));
    }

    private ServiceReport report(ServiceSeen service) {
        List<String> names = pods.kept().stream()
                .filter(pod -> pod.report().namespace().equals(service.namespace()))
                .filter(pod -> !service.selector().isEmpty()
                        && pod.labels().entrySet().containsAll(service.selector().entrySet()))
                .map(pod -> pod.report().name()).toList();
        return new ServiceReport(service.namespace(), service.name(), service.ports(), names);
    }
}
