package dev.pitwall.site;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A saved set of connections: Proxmox hosts, shells, one cluster, Prometheus, model servers. It holds no secret, only
 * references to secrets.
 *
 * @param id      stable key in the store; a random UUID
 * @param name    what the person calls it; unique in the store
 * @param sources where charts and images are fetched that do not come from their makers' own address, by the name of
 *                what is fetched, for example {@code gpu-operator-charts}
 * @param talos   how the machine API of Talos nodes is reached
 * @param lab     true only for the title bar's badge; nothing else may ask
 */
public record Site(String id, String name, List<ProxmoxAccess> proxmox, List<ShellAccess> shells,
                   Optional<ClusterAccess> cluster, Optional<MetricsAccess> metrics, List<ServerAccess> servers,
                   Map<String, URI> sources, Optional<TalosAccess> talos, boolean lab) {

    /** A site without Talos. */
    public Site(String id, String name, List<ProxmoxAccess> proxmox, List<ShellAccess> shells,
                Optional<ClusterAccess> cluster, Optional<MetricsAccess> metrics, List<ServerAccess> servers,
                Map<String, URI> sources, boolean lab) {
        this(id, name, proxmox, shells, cluster, metrics, servers, sources, Optional.empty(), lab);
    }

    /** A site that fetches from the makers' own addresses. */
    public Site(String id, String name, List<ProxmoxAccess> proxmox, List<ShellAccess> shells,
                Optional<ClusterAccess> cluster, Optional<MetricsAccess> metrics, List<ServerAccess> servers,
                boolean lab) {
        this(id, name, proxmox, shells, cluster, metrics, servers, Map.of(), lab);
    }

    public Site {
        proxmox = List.copyOf(proxmox);
        shells = List.copyOf(shells);
        servers = List.copyOf(servers);
        sources = Map.copyOf(sources);
    }
}
