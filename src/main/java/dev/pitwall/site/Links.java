package dev.pitwall.site;

import dev.pitwall.card.MachineReport;
import dev.pitwall.card.ProxmoxReport;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;

/** Makes connections. Nothing is contacted before the first read or start. */
public interface Links {

    /** Every node this Proxmox API sees. A read fails only if no node at all gave a usable answer. */
    Probe<ProxmoxReport> proxmox(ProxmoxAccess access);

    Probe<MachineReport> shell(ShellAccess access);

    ClusterLink cluster(ClusterAccess access);

    /** A Prometheus at a URL. */
    Probe<TelemetryReport> metrics(Endpoint.Url endpoint);

    /** A model server at a URL. */
    Probe<ServerReport> server(String name, Endpoint.Url endpoint);
}
