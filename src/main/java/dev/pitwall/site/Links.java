package dev.pitwall.site;

import dev.pitwall.card.HostReport;
import dev.pitwall.card.MachineReport;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;

import java.util.List;

/** Makes connections. Nothing is contacted before the first read or start. */
public interface Links {

    /** Every node this Proxmox API sees. */
    Probe<List<HostReport>> proxmox(ProxmoxAccess access);

    Probe<MachineReport> shell(ShellAccess access);

    ClusterLink cluster(ClusterAccess access);

    /** A Prometheus at a URL. */
    Probe<TelemetryReport> metrics(Endpoint.Url endpoint);

    /** A model server at a URL. */
    Probe<ServerReport> server(String name, Endpoint.Url endpoint);
}
