package dev.pitwall.site;

import java.util.List;
import java.util.Optional;

/**
 * A saved set of connections: Proxmox hosts, shells, one cluster, Prometheus, model servers. It holds no secret, only
 * references to secrets.
 *
 * @param id      stable key in the store; a random UUID
 * @param name    what the person calls it; unique in the store
 * @param lab     true only for the title bar's badge; nothing else may ask
 */
public record Site(String id, String name, List<ProxmoxAccess> proxmox, List<ShellAccess> shells,
                   Optional<ClusterAccess> cluster, Optional<MetricsAccess> metrics, List<ServerAccess> servers,
                   boolean lab) {

    public Site {
        proxmox = List.copyOf(proxmox);
        shells = List.copyOf(shells);
        servers = List.copyOf(servers);
    }
}
