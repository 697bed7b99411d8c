package dev.pitwall.link;

import dev.pitwall.card.Trouble;
import dev.pitwall.link.kube.ClusterReach;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Hop;
import dev.pitwall.site.MetricsAccess;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Reachability;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.ServerAccess;
import dev.pitwall.site.ShellAccess;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Tests connections to the real systems: hosts and servers at addresses of their own, and what is in the cluster. */
public final class SystemReach implements Reachability {
    private final HostReach hosts;
    private final ClusterReach clusters;

    public SystemReach(HostReach hosts, ClusterReach clusters) {
        this.hosts = hosts;
        this.clusters = clusters;
    }

    @Override
    public Outcome proxmox(ProxmoxAccess access, String secret, SecondFactor secondFactor,
                           Consumer<List<Hop>> progress) {
        return hosts.proxmox(access, secret, secondFactor, progress);
    }

    @Override
    public Outcome shell(ShellAccess access, Optional<String> secret, Consumer<List<Hop>> progress) {
        return hosts.shell(access, secret, progress);
    }

    @Override
    public Outcome cluster(ClusterAccess access, Consumer<List<Hop>> progress) {
        return clusters.cluster(access, progress);
    }

    @Override
    public Outcome metrics(MetricsAccess access, Optional<ClusterAccess> cluster, Consumer<List<Hop>> progress) {
        return switch (access.endpoint()) {
            case Endpoint.Url url -> hosts.metrics(url, progress);
            case Endpoint.Service service -> inCluster(service, cluster, progress,
                    c -> clusters.metrics(service, c, progress));
            case Endpoint.Pod pod -> inCluster(pod, cluster, progress, c -> clusters.metrics(pod, c, progress));
        };
    }

    @Override
    public Outcome server(ServerAccess access, Optional<ClusterAccess> cluster, Consumer<List<Hop>> progress) {
        return switch (access.endpoint()) {
            case Endpoint.Url url -> hosts.server(access.name(), url, progress);
            case Endpoint.Service service -> inCluster(service, cluster, progress,
                    c -> clusters.server(access.name(), service, c, progress));
            case Endpoint.Pod pod -> inCluster(pod, cluster, progress,
                    c -> clusters.server(access.name(), pod, c, progress));
        };
    }

    @FunctionalInterface
    private interface Inside {
        Outcome test(ClusterAccess cluster);
    }

    private static Outcome inCluster(Endpoint endpoint, Optional<ClusterAccess> cluster,
                                     Consumer<List<Hop>> progress, Inside inside) {
        return cluster.map(inside::test).orElseGet(() -> noCluster(endpoint, progress));
    }

    private static Outcome noCluster(Endpoint endpoint, Consumer<List<Hop>> progress) {
        List<Hop> hops = List.of(Hop.refused("Cluster", new Trouble(Trouble.Kind.MISSING, name(endpoint),
                "it is inside a cluster, and this site has none",
                "Choose a kubeconfig for the cluster first, or write a URL."), Duration.ZERO));
        progress.accept(hops);
        return new Outcome(hops, Optional.empty(), List.of());
    }

    private static String name(Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Url url -> url.url().toString();
            case Endpoint.Service service -> service.namespace() + "/" + service.name();
            case Endpoint.Pod pod -> pod.namespace() + "/" + pod.name();
        };
    }
}
