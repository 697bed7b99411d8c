package dev.pitwall.link;

import dev.pitwall.card.MachineReport;
import dev.pitwall.card.ProxmoxReport;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.link.kube.ClusterWatch;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.ClusterLink;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Links;
import dev.pitwall.site.Probe;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.ShellAccess;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** Connections to the real systems. */
public final class SystemLinks implements Links {
    private final HostLinks hosts;
    private final TimeLimits limits;
    private final NetworkTrouble troubles;
    private final InstantSource clock;

    public SystemLinks(HostLinks hosts, TimeLimits limits, NetworkTrouble troubles, InstantSource clock) {
        this.hosts = hosts;
        this.limits = limits;
        this.troubles = troubles;
        this.clock = clock;
    }

    @Override
    public Probe<ProxmoxReport> proxmox(ProxmoxAccess access) {
        return hosts.proxmox(access);
    }

    @Override
    public List<Supplier<Probe<ProxmoxReport>>> proxmox(List<ProxmoxAccess> accesses) {
        return hosts.proxmox(accesses);
    }

    @Override
    public Probe<MachineReport> shell(ShellAccess access) {
        return hosts.shell(access);
    }

    @Override
    public ClusterLink cluster(ClusterAccess access) {
        return new ClusterWatch(access, limits, troubles, clock);
    }

    @Override
    public Probe<TelemetryReport> metrics(Endpoint.Url endpoint) {
        return hosts.metrics(endpoint);
    }

    @Override
    public Probe<ServerReport> server(String name, Endpoint.Url endpoint) {
        return hosts.server(name, endpoint);
    }
}
