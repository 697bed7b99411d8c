package dev.pitwall.link;

import dev.pitwall.card.TroubleException;
import dev.pitwall.link.http.HttpAddress;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.models.ServerReach;
import dev.pitwall.link.prometheus.MetricsReach;
import dev.pitwall.link.proxmox.ProxmoxReach;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.ssh.ShellReach;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Service;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Hop;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.Reachability.Outcome;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.ShellAccess;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The part of {@link dev.pitwall.site.Reachability} that does not go through the cluster. */
public final class HostReach {
    private final TimeLimits limits;
    private final NetworkTrouble troubles;
    private final ProxmoxReach proxmox;
    private final ShellReach shells;

    /**
     * @param secrets     for the stored secrets of jump hosts
     * @param agentSocket value of {@code SSH_AUTH_SOCK}
     */
    public HostReach(Secrets secrets, InstantSource clock, TimeLimits limits, NetworkTrouble troubles,
                     KnownHosts knownHosts, Optional<Path> agentSocket) {
        this.limits = limits;
        this.troubles = troubles;
        this.proxmox = new ProxmoxReach(clock, limits.proxmox(), troubles);
        this.shells = new ShellReach(secrets, knownHosts, agentSocket, limits.shell(), troubles);
    }

    public Outcome proxmox(ProxmoxAccess access, String secret, SecondFactor secondFactor,
                           Consumer<List<Hop>> progress) {
        return proxmox.test(access, secret, secondFactor, progress);
    }

    public Outcome shell(ShellAccess access, Optional<String> secret, Consumer<List<Hop>> progress) {
        return shells.test(access, secret, progress);
    }

    /** A Prometheus at a URL. */
    public Outcome metrics(Endpoint.Url endpoint, Consumer<List<Hop>> progress) {
        MetricsReach metrics = new MetricsReach(troubles.words());
        return http(new HttpAddress(Service.PROMETHEUS, "prometheus", endpoint.url(), limits.metrics(), troubles),
                progress, metrics::plan, metrics::go);
    }

    /** A model server at a URL. */
    public Outcome server(String name, Endpoint.Url endpoint, Consumer<List<Hop>> progress) {
        ServerReach server = new ServerReach(troubles.words());
        return http(new HttpAddress(Service.MODELS, name, endpoint.url(), limits.models(), troubles), progress,
                server::plan, (run, http) -> server.go(run, name, http));
    }

    @FunctionalInterface
    private interface Hops {
        void go(HopRun run, HttpReader http) throws TroubleException, InterruptedException;
    }

    private Outcome http(HttpAddress address, Consumer<List<Hop>> progress, Consumer<HopRun> plan, Hops hops) {
        HopRun run = new HopRun(progress);
        Way way = new Way(troubles, address.limits());
        way.plan(run, address.place());
        if (address.tls()) {
            way.planTls(run);
        }
        plan.accept(run);
        try {
            InetAddress found = way.go(run, address.place());
            if (address.tls()) {
                way.tls(run, found, address.place());
            }
            try (HttpAddress.Connection connection = address.connect()) {
                hops.go(run, connection.http());
            }
        } catch (TroubleException e) {
            // Its hop shows it; the ones after it stay to do.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return run.outcome(Optional.empty(), List.of());
    }
}
