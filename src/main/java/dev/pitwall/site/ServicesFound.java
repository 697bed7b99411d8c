package dev.pitwall.site;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.PodReport;
import dev.pitwall.card.SiteFacts;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can be told from a cluster's services: model servers by Ollama's port, Prometheus by its own. */
final class ServicesFound {
    private static final int OLLAMA_PORT = 11434;
    private static final int PROMETHEUS_PORT = 9090;

    /** A model server found in the cluster, and the pod behind it. */
    record FoundServer(Endpoint.Service endpoint, SiteFacts.ServerPlace place) {
    }

    /** Where the cards' figures come from. */
    sealed interface FoundMetrics {
    }

    record Prometheus(Endpoint endpoint) implements FoundMetrics {
    }

    /** Every node's DCGM exporter, one by one: the cluster has no Prometheus. */
    record Exporters() implements FoundMetrics {
    }

    private ServicesFound() {
    }

    /** By name; a name that two namespaces use gets its namespace before it. */
    static Map<String, FoundServer> modelServers(ClusterReport report) {
        Map<String, FoundServer> servers = new LinkedHashMap<>();
        report.services().stream()
                .sorted(Comparator.comparing(ClusterReport.ServiceReport::name)
                        .thenComparing(ClusterReport.ServiceReport::namespace))
                .forEach(service -> service.ports().stream().filter(p -> p.port() == OLLAMA_PORT).findFirst()
                        .ifPresent(port -> servers.put(servers.containsKey(service.name())
                                        ? service.namespace() + "/" + service.name() : service.name(),
                                new FoundServer(new Endpoint.Service(service.namespace(), service.name(), port.port(),
                                        "http"), place(service, report)))));
        return servers;
    }

    /** Where a server runs that a site names as its Service is named; empty if no one Service has that name. */
    static Optional<SiteFacts.ServerPlace> place(String server, ClusterReport report) {
        List<ClusterReport.ServiceReport> named = report.services().stream()
                .filter(service -> service.name().equals(server)).toList();
        return named.size() == 1 ? Optional.of(place(named.getFirst(), report)) : Optional.empty();
    }

    private static SiteFacts.ServerPlace place(ClusterReport.ServiceReport service, ClusterReport report) {
        Optional<PodReport> pod = report.pods().stream()
                .filter(p -> p.namespace().equals(service.namespace()) && service.podNames().contains(p.name()))
                .filter(PodReport::holdsResources)
                .min(Comparator.comparing(PodReport::deleting).thenComparing(PodReport::name));
        return new SiteFacts.ServerPlace(pod.flatMap(PodReport::node), Optional.of(service.namespace()),
                pod.map(PodReport::name));
    }

    static Optional<FoundMetrics> metrics(ClusterReport report) {
        return prometheus(report).<FoundMetrics>map(Prometheus::new)
                .or(() -> hasExporters(report) ? Optional.of(new Exporters()) : Optional.empty());
    }

    private static Optional<Endpoint> prometheus(ClusterReport report) {
        return report.services().stream()
                .filter(s -> s.name().contains("prometheus"))
                .flatMap(s -> s.ports().stream().filter(p -> p.port() == PROMETHEUS_PORT || p.name().equals("http-web"))
                        .map(p -> (Endpoint) new Endpoint.Service(s.namespace(), s.name(), p.port(), "http")))
                .findFirst();
    }

    private static boolean hasExporters(ClusterReport report) {
        return report.daemonSets().stream().anyMatch(d -> d.name().contains("dcgm-exporter") && d.ready() > 0);
    }
}
