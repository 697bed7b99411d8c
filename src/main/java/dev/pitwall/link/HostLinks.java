package dev.pitwall.link;

import dev.pitwall.card.MachineReport;
import dev.pitwall.card.ProxmoxReport;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.link.http.HttpAddress;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.UrlProbe;
import dev.pitwall.link.models.ModelServerProbe;
import dev.pitwall.link.prometheus.PrometheusProbe;
import dev.pitwall.link.proxmox.NodeDuty;
import dev.pitwall.link.proxmox.ProxmoxClient;
import dev.pitwall.link.proxmox.ProxmoxProbe;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.ssh.MachineProbe;
import dev.pitwall.link.ssh.SshEngine;
import dev.pitwall.link.ssh.SshMachine;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Service;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Probe;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.ShellAccess;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The part of {@link dev.pitwall.site.Links} that is not the cluster. Nothing is contacted before the first read. */
public final class HostLinks {
    private final Secrets secrets;
    private final SecondFactor secondFactor;
    private final InstantSource clock;
    private final TimeLimits limits;
    private final NetworkTrouble troubles;
    private final KnownHosts knownHosts;
    private final Optional<Path> agentSocket;
    private final SshEngine shells;

    /**
     * @param knownHosts  keys that machines without a pinned one are known by
     * @param agentSocket value of {@code SSH_AUTH_SOCK}
     */
    public HostLinks(Secrets secrets, SecondFactor secondFactor, InstantSource clock, TimeLimits limits,
                     NetworkTrouble troubles, KnownHosts knownHosts, Optional<Path> agentSocket) {
        this.secrets = secrets;
        this.secondFactor = secondFactor;
        this.clock = clock;
        this.limits = limits;
        this.troubles = troubles;
        this.knownHosts = knownHosts;
        this.agentSocket = agentSocket;
        this.shells = new SshEngine(limits.shell());
    }

    public Probe<ProxmoxReport> proxmox(ProxmoxAccess access) {
        return proxmox(access, new NodeDuty());
    }

    /** Those that turn out to be of one Proxmox cluster read each node once. */
    public List<Supplier<Probe<ProxmoxReport>>> proxmox(List<ProxmoxAccess> accesses) {
        NodeDuty duty = new NodeDuty();
        return accesses.stream().<Supplier<Probe<ProxmoxReport>>>map(access -> () -> proxmox(access, duty)).toList();
    }

    private Probe<ProxmoxReport> proxmox(ProxmoxAccess access, NodeDuty duty) {
        return new ProxmoxProbe(duty, access, secrets, secondFactor, clock, limits.proxmox(), troubles);
    }

    public Probe<MachineReport> shell(ShellAccess access) {
        return new MachineProbe(shells, access, secrets, knownHosts, agentSocket, limits.shell(), troubles);
    }

    /** The shell of a machine, to read and to change it. */
    public Machine machine(ShellAccess access) {
        return new SshMachine(shells, access, secrets, knownHosts, agentSocket, limits.shell(), troubles);
    }

    /**
     * A Proxmox API, to read and to change it.
     *
     * @throws TroubleException if the address cannot be one of a Proxmox API
     */
    public Proxmox api(ProxmoxAccess access) throws TroubleException {
        return new ProxmoxClient(access, secrets, secondFactor, clock, limits.proxmox(), troubles);
    }

    public Probe<TelemetryReport> metrics(Endpoint.Url endpoint) {
        return new UrlProbe<>(address(Service.PROMETHEUS, "prometheus", endpoint, limits.metrics()),
                PrometheusProbe::new);
    }

    public Probe<ServerReport> server(String name, Endpoint.Url endpoint) {
        return new UrlProbe<>(address(Service.MODELS, name, endpoint, limits.models()),
                http -> new ModelServerProbe(name, http));
    }

    private HttpAddress address(Service service, String name, Endpoint.Url endpoint, Limits limit) {
        return new HttpAddress(service, name, endpoint.url(), limit, troubles);
    }
}
