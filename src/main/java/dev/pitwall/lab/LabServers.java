package dev.pitwall.lab;

import dev.pitwall.lab.kube.KubeServer;
import dev.pitwall.lab.kube.ProxyBackends;
import dev.pitwall.lab.models.OllamaServers;
import dev.pitwall.lab.prometheus.PrometheusServer;
import dev.pitwall.lab.proxmox.ProxmoxServers;
import dev.pitwall.lab.ssh.SshServers;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Every server a lab has. This is the one place that names them. */
final class LabServers {
    private LabServers() {
    }

    /**
     * In the order they start; they stop in the other. The API server comes last: its proxy hands on to Prometheus, the
     * exporters and the model servers.
     */
    static List<LabServer.Starter> all() {
        ProxyBackends backends = new ProxyBackends();
        return List.of(ProxmoxServers::start, SshServers::start, lab -> metrics(lab, backends),
                lab -> models(lab, backends), lab -> KubeServer.start(lab, backends));
    }

    private static LabServer metrics(LabContext lab, ProxyBackends backends) {
        PrometheusServer prometheus = PrometheusServer.start(lab);
        backends.service("monitoring", "kube-prometheus-stack-prometheus", 9090, prometheus.uri());
        backends.pods("gpu-operator", "nvidia-dcgm-exporter", 9400, prometheus.exporters()::backend);
        return prometheus;
    }

    private static LabServer models(LabContext lab, ProxyBackends backends) {
        OllamaServers servers = OllamaServers.start(lab);
        Map<String, String> namespaces = lab.world().read(w -> w.servers.values().stream()
                .collect(Collectors.toMap(s -> s.name, s -> s.namespace)));
        namespaces.forEach((name, namespace) -> servers.backend(name)
                .ifPresent(uri -> backends.service(namespace, name, 11434, uri)));
        return servers;
    }
}
