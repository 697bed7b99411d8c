package dev.pitwall.site;

import dev.pitwall.card.MachineReport;
import dev.pitwall.card.ProxmoxReport;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;

import java.util.List;
import java.util.function.Supplier;

/** Makes connections. Nothing is contacted before the first read or start. */
public interface Links {

    /** Every node this Proxmox API sees. A read fails only if no node at all gave a usable answer. */
    Probe<ProxmoxReport> proxmox(ProxmoxAccess access);

    /**
     * All accesses of one site, in their order. Several may see one Proxmox cluster; a node is then in the report of one of
     * them, and in another's as soon as that one fails. Each makes a probe anew whenever it is asked.
     */
    default List<Supplier<Probe<ProxmoxReport>>> proxmox(List<ProxmoxAccess> accesses) {
        return accesses.stream().<Supplier<Probe<ProxmoxReport>>>map(access -> () -> proxmox(access)).toList();
    }

    Probe<MachineReport> shell(ShellAccess access);

    ClusterLink cluster(ClusterAccess access);

    /** A Prometheus at a URL. */
    Probe<TelemetryReport> metrics(Endpoint.Url endpoint);

    /** A model server at a URL. */
    Probe<ServerReport> server(String name, Endpoint.Url endpoint);
}
