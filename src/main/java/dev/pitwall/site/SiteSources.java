package dev.pitwall.site;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.HostReport;
import dev.pitwall.card.MachineReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.ProxmoxReport;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.SiteFacts;
import dev.pitwall.card.TelemetryReport;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All sources of one site: those the person named, and the model servers and metrics found in the cluster. */
final class SiteSources implements AutoCloseable {
    private static final String CLUSTER = "cluster";
    private static final String METRICS = "prometheus";

    private final Site site;
    private final Links links;
    private final ReadIntervals intervals;
    private final InstantSource clock;
    private final Runnable dirty;

    private final Map<String, ProbeLoop<ProxmoxReport>> proxmox = new LinkedHashMap<>();
    private final Map<String, ProbeLoop<MachineReport>> shells = new LinkedHashMap<>();
    private final Map<String, ProbeLoop<ServerReport>> servers = new LinkedHashMap<>();
    private final Optional<ClusterLink> cluster;
    private Optional<ProbeLoop<TelemetryReport>> metrics = Optional.empty();
    private Map<String, ServicesFound.FoundServer> found = Map.of();
    /** Hosts as they were at the last look, so that one that falls silent keeps its last report. */
    private Map<String, Observed<HostReport>> lastHosts = Map.of();

    SiteSources(Site site, Links links, ReadIntervals intervals, InstantSource clock, Runnable dirty) {
        this.site = site;
        this.links = links;
        this.intervals = intervals;
        this.clock = clock;
        this.dirty = dirty;
        Iterator<Probe<ProxmoxReport>> probes = links.proxmox(site.proxmox()).iterator();
        site.proxmox().forEach(a -> proxmox.put(a.name(),
                loop(Connection.Kind.PROXMOX, a.name(), probes.next(), intervals.proxmox())));
        site.shells().stream().filter(a -> a.role() != ShellAccess.Role.JUMP).forEach(a -> shells.put(a.name(),
                loop(Connection.Kind.SHELL, a.name(), links.shell(a), intervals.shells())));
        this.cluster = site.cluster().map(links::cluster);
        site.metrics().flatMap(m -> metricsProbe(m.endpoint())).ifPresent(p ->
                metrics = Optional.of(loop(Connection.Kind.PROMETHEUS, METRICS, p, intervals.metrics())));
        site.servers().forEach(a -> serverProbe(a.name(), a.endpoint()).ifPresent(p -> servers.put(a.name(),
                loop(Connection.Kind.MODELS, a.name(), p, intervals.models()))));
    }

    private <T> ProbeLoop<T> loop(Connection.Kind kind, String name, Probe<T> probe, Duration interval) {
        return new ProbeLoop<>(kind, name, probe, interval, clock, dirty);
    }

    private Optional<Probe<TelemetryReport>> metricsProbe(Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Url url -> Optional.of(links.metrics(url));
            case Endpoint.Service s -> cluster.map(c -> c.metrics(s));
            case Endpoint.Pod p -> cluster.map(c -> c.metrics(p));
        };
    }

    private Optional<Probe<ServerReport>> serverProbe(String name, Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Url url -> Optional.of(links.server(name, url));
            case Endpoint.Service s -> cluster.map(c -> c.server(name, s));
            case Endpoint.Pod p -> cluster.map(c -> c.server(name, p));
        };
    }

    void start() {
        cluster.ifPresent(c -> c.start(dirty));
        loops().forEach(ProbeLoop::start);
    }

    /** Connects to what the cluster has now and the site does not name, and lets go of what has gone. */
    synchronized void followCluster() {
        Optional<ClusterReport> report = cluster.flatMap(c -> c.current().value());
        if (report.isEmpty()) {
            return;
        }
        found = ServicesFound.modelServers(report.get());
        found.forEach((name, server) -> {
            if (!servers.containsKey(name)) {
                ProbeLoop<ServerReport> loop = loop(Connection.Kind.MODELS, name,
                        cluster.get().server(name, server.endpoint()), intervals.models());
                servers.put(name, loop);
                loop.start();
            }
        });
        List<String> gone = servers.keySet().stream()
                .filter(n -> !found.containsKey(n) && site.servers().stream().noneMatch(s -> s.name().equals(n)))
                .toList();
        gone.forEach(name -> servers.remove(name).close());
        if (metrics.isEmpty()) {
            ServicesFound.prometheus(report.get()).map(cluster.get()::metrics)
                    .or(() -> ServicesFound.hasExporters(report.get())
                            ? Optional.of(cluster.get().exporters()) : Optional.empty())
                    .ifPresent(this::startMetrics);
        }
    }

    private void startMetrics(Probe<TelemetryReport> probe) {
        ProbeLoop<TelemetryReport> loop = loop(Connection.Kind.PROMETHEUS, METRICS, probe, intervals.metrics());
        metrics = Optional.of(loop);
        loop.start();
    }

    synchronized SiteFacts facts() {
        Map<String, Observed<MachineReport>> machines = new LinkedHashMap<>();
        shells.forEach((name, loop) -> machines.put(name, loop.current()));
        Map<String, Observed<ServerReport>> serverReports = new LinkedHashMap<>();
        servers.forEach((name, loop) -> serverReports.put(name, loop.current()));
        return new SiteFacts(clock.instant(), hosts(), machines, cluster.map(ClusterLink::current),
                metrics.map(ProbeLoop::current), serverReports, places(), Map.of());
    }

    /** Several accesses may see the same Proxmox cluster; a host is taken from the first that knows it live. */
    private Map<String, Observed<HostReport>> hosts() {
        Map<String, Observed<HostReport>> hosts = new LinkedHashMap<>();
        proxmox.forEach((name, loop) -> {
            Observed<ProxmoxReport> access = loop.current();
            Optional<ProxmoxReport> report = access.value();
            report.map(ProxmoxReport::hosts).orElse(List.of()).forEach(host -> add(hosts, new Observed<>(host.node(),
                    Optional.of(host), access.at(), access.trouble(), access.since())));
            report.map(ProxmoxReport::silent).orElse(Map.of()).forEach((node, trouble) -> add(hosts, lastHosts
                    .getOrDefault(node, Observed.reading(node)).failed(trouble, access.at().orElseThrow())));
            if (report.isEmpty()) {
                hosts.putIfAbsent(name, new Observed<>(name, Optional.empty(), Optional.empty(), access.trouble(),
                        access.since()));
            }
        });
        lastHosts = hosts;
        return hosts;
    }

    private static void add(Map<String, Observed<HostReport>> hosts, Observed<HostReport> host) {
        hosts.merge(host.system(), host, (first, second) -> first.live() || !second.live() && first.value().isPresent()
                ? first : second);
    }

    private Map<String, SiteFacts.ServerPlace> places() {
        Map<String, SiteFacts.ServerPlace> places = new LinkedHashMap<>();
        site.servers().forEach(s -> places.put(s.name(),
                new SiteFacts.ServerPlace(s.node(), Optional.empty(), Optional.empty())));
        found.forEach((name, server) -> places.merge(name, server.place(), (named, seen) ->
                new SiteFacts.ServerPlace(named.node().or(seen::node), seen.namespace(), seen.pod())));
        return places;
    }

    synchronized List<Connection> connections() {
        List<Connection> connections = new ArrayList<>();
        proxmox.values().forEach(l -> connections.add(l.connection()));
        shells.values().forEach(l -> connections.add(l.connection()));
        cluster.map(ClusterLink::current).ifPresent(c -> connections.add(new Connection(Connection.Kind.CLUSTER,
                CLUSTER, c.at(), c.trouble(), c.since(), Optional.<Instant>empty(), Duration.ofSeconds(10))));
        metrics.ifPresent(l -> connections.add(l.connection()));
        servers.values().forEach(l -> connections.add(l.connection()));
        return connections;
    }

    synchronized void readAgain() {
        loops().forEach(ProbeLoop::readAgain);
    }

    synchronized void readAgain(Connection.Kind kind, String name) {
        loops().filter(l -> l.connection().kind() == kind && l.connection().name().equals(name))
                .forEach(ProbeLoop::readAgain);
    }

    private Stream<ProbeLoop<?>> loops() {
        return Stream.<Collection<? extends ProbeLoop<?>>>of(proxmox.values(), shells.values(),
                metrics.stream().toList(), servers.values()).flatMap(Collection::stream);
    }

    @Override
    public synchronized void close() {
        List<ProbeLoop<?>> all = loops().<ProbeLoop<?>>map(l -> l).toList();
        List<Thread> closing = all.stream().map(l -> Thread.ofVirtual().start(l::close)).toList();
        for (Thread t : closing) {
            try {
                t.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        cluster.ifPresent(ClusterLink::close);
    }
}
