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
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All sources of one site: those the person named, and the model servers and metrics found in the cluster. They begin
 * with what an earlier run kept of them.
 */
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
    private Memory memory = Memory.none();
    private Optional<Observed<ClusterReport>> keptCluster = Optional.empty();
    private Optional<ProbeLoop<TelemetryReport>> metrics = Optional.empty();
    private Map<String, ServicesFound.FoundServer> found = Map.of();
    private Optional<ServicesFound.FoundMetrics> foundMetrics = Optional.empty();
    /** Hosts as they were at the last look, so that one that falls silent keeps its last report. */
    private Map<String, Observed<HostReport>> lastHosts = Map.of();

    SiteSources(Site site, Links links, ReadIntervals intervals, InstantSource clock, Runnable dirty) {
        this.site = site;
        this.links = links;
        this.intervals = intervals;
        this.clock = clock;
        this.dirty = dirty;
        Iterator<Supplier<Probe<ProxmoxReport>>> probes = links.proxmox(site.proxmox()).iterator();
        site.proxmox().forEach(a -> proxmox.put(a.name(),
                loop(Connection.Kind.PROXMOX, a.name(), probes.next(), intervals.proxmox())));
        site.shells().stream().filter(a -> a.role() != ShellAccess.Role.JUMP).forEach(a -> shells.put(a.name(),
                loop(Connection.Kind.SHELL, a.name(), () -> links.shell(a), intervals.shells())));
        this.cluster = site.cluster().map(links::cluster);
        site.metrics().flatMap(m -> metricsProbe(m.endpoint())).ifPresent(p ->
                metrics = Optional.of(loop(Connection.Kind.PROMETHEUS, METRICS, p, intervals.metrics())));
        site.servers().forEach(a -> serverProbe(a.name(), a.endpoint()).ifPresent(p -> servers.put(a.name(),
                loop(Connection.Kind.MODELS, a.name(), p, intervals.models()))));
    }

    private <T> ProbeLoop<T> loop(Connection.Kind kind, String name, Supplier<Probe<T>> probes, Duration interval) {
        return new ProbeLoop<>(kind, name, probes, interval, clock, dirty);
    }

    private Optional<Supplier<Probe<TelemetryReport>>> metricsProbe(Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Url url -> Optional.of(() -> links.metrics(url));
            case Endpoint.Service s -> cluster.map(c -> () -> c.metrics(s));
            case Endpoint.Pod p -> cluster.map(c -> () -> c.metrics(p));
        };
    }

    private Optional<Supplier<Probe<ServerReport>>> serverProbe(String name, Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Url url -> Optional.of(() -> links.server(name, url));
            case Endpoint.Service s -> cluster.map(c -> () -> c.server(name, s));
            case Endpoint.Pod p -> cluster.map(c -> () -> c.server(name, p));
        };
    }

    /** Begins with what is remembered and asks every source. Reads the store, so not for a thread that must not wait. */
    synchronized void start(Memory remembered) {
        memory = remembered;
        proxmox.forEach(this::recallHosts);
        shells.values().forEach(l -> recall(l, MachineReport.class));
        servers.values().forEach(l -> recall(l, ServerReport.class));
        metrics.ifPresent(l -> recall(l, TelemetryReport.class));
        keptCluster = cluster.flatMap(c -> memory.of(Connection.Kind.CLUSTER, CLUSTER, ClusterReport.class))
                .map(kept -> Observed.kept(CLUSTER, kept.report(), kept.at()));
        cluster.ifPresent(c -> c.start(dirty));
        loops().forEach(ProbeLoop::start);
    }

    private <T> void recall(ProbeLoop<T> loop, Class<T> report) {
        Connection connection = loop.connection();
        memory.of(connection.kind(), connection.name(), report).ifPresent(loop::recall);
    }

    private void recallHosts(String access, ProbeLoop<ProxmoxReport> loop) {
        List<KeptHost> kept = memory.listOf(Connection.Kind.PROXMOX, access, KeptHost.class);
        Map<String, Observed<HostReport>> hosts = new LinkedHashMap<>(lastHosts);
        kept.forEach(host -> hosts.put(host.report().node(), host.observed()));
        lastHosts = hosts;
        kept.stream().map(KeptHost::at).max(Comparator.naturalOrder()).ifPresent(at -> loop.recall(
                new LastGood.Answer<>(new ProxmoxReport(kept.stream().map(KeptHost::report).toList(), Map.of()), at)));
    }

    /** Keeps the newest answer of every source in the store. */
    void keep() {
        answers().forEach(a -> memory.keep(a.kind(), a.source(), a.report(), a.at()));
    }

    private record Answer(Connection.Kind kind, String source, Object report, Instant at) {
    }

    private synchronized List<Answer> answers() {
        List<Answer> answers = new ArrayList<>();
        proxmox.forEach((name, loop) -> newest(Connection.Kind.PROXMOX, name, loop.current())
                .map(a -> new Answer(a.kind(), name, keptHosts(loop.current()), a.at())).ifPresent(answers::add));
        shells.forEach((name, loop) -> newest(Connection.Kind.SHELL, name, loop.current()).ifPresent(answers::add));
        cluster.flatMap(c -> newest(Connection.Kind.CLUSTER, CLUSTER, c.current())).ifPresent(answers::add);
        metrics.flatMap(l -> newest(Connection.Kind.PROMETHEUS, METRICS, l.current())).ifPresent(answers::add);
        servers.forEach((name, loop) -> newest(Connection.Kind.MODELS, name, loop.current()).ifPresent(answers::add));
        return answers;
    }

    private static Optional<Answer> newest(Connection.Kind kind, String source, Observed<?> observed) {
        return observed.grade() != Observed.Grade.KEPT
                ? observed.value().map(report -> new Answer(kind, source, report, observed.at().orElseThrow()))
                : Optional.empty();
    }

    /** A node that is silent now keeps what it said last, with the time of that. */
    private List<KeptHost> keptHosts(Observed<ProxmoxReport> access) {
        ProxmoxReport report = access.value().orElseThrow();
        Stream<KeptHost> answering = report.hosts().stream().map(h -> new KeptHost(h, access.at().orElseThrow()));
        Stream<KeptHost> silent = report.silent().keySet().stream().map(lastHosts::get).filter(Objects::nonNull)
                .flatMap(h -> h.value().map(v -> new KeptHost(v, h.at().orElseThrow())).stream());
        return Stream.concat(answering, silent).toList();
    }

    /** The cluster as it is watched; until it has been read once, as an earlier run left it. */
    private Optional<Observed<ClusterReport>> clusterNow() {
        Optional<Observed<ClusterReport>> watched = cluster.map(ClusterLink::current);
        boolean readOnce = watched.flatMap(Observed::value).isPresent();
        return readOnce || keptCluster.isEmpty() ? watched : watched.map(w -> w.trouble()
                .map(t -> keptCluster.get().failed(t, w.since().orElseThrow())).orElse(keptCluster.get()));
    }

    /** Connects to what the cluster has now and the site does not name, and lets go of what has gone. */
    synchronized void followCluster() {
        Optional<ClusterReport> report = clusterNow().flatMap(Observed::value);
        if (report.isEmpty()) {
            return;
        }
        found = ServicesFound.modelServers(report.get());
        found.forEach((name, server) -> {
            if (!servers.containsKey(name)) {
                ProbeLoop<ServerReport> loop = loop(Connection.Kind.MODELS, name,
                        () -> cluster.get().server(name, server.endpoint()), intervals.models());
                recall(loop, ServerReport.class);
                servers.put(name, loop);
                loop.start();
            }
        });
        List<String> gone = servers.keySet().stream()
                .filter(n -> !found.containsKey(n) && site.servers().stream().noneMatch(s -> s.name().equals(n)))
                .toList();
        gone.forEach(name -> servers.remove(name).close());
        if (site.metrics().isEmpty()) {
            ServicesFound.metrics(report.get()).filter(m -> !m.equals(foundMetrics.orElse(null)))
                    .ifPresent(this::followMetrics);
        }
    }

    private void followMetrics(ServicesFound.FoundMetrics place) {
        foundMetrics = Optional.of(place);
        metrics.ifPresent(ProbeLoop::close);
        ProbeLoop<TelemetryReport> loop = loop(Connection.Kind.PROMETHEUS, METRICS, () -> switch (place) {
            case ServicesFound.Prometheus(Endpoint endpoint) -> cluster.orElseThrow().metrics(endpoint);
            case ServicesFound.Exporters() -> cluster.orElseThrow().exporters();
        }, intervals.metrics());
        recall(loop, TelemetryReport.class);
        metrics = Optional.of(loop);
        loop.start();
    }

    /** True if an earlier run left answers to begin with. */
    synchronized boolean remember() {
        return keptCluster.isPresent() || loops().anyMatch(l -> l.current().grade() == Observed.Grade.KEPT);
    }

    synchronized SiteFacts facts() {
        Map<String, Observed<MachineReport>> machines = new LinkedHashMap<>();
        shells.forEach((name, loop) -> machines.put(name, loop.current()));
        Map<String, Observed<ServerReport>> serverReports = new LinkedHashMap<>();
        servers.forEach((name, loop) -> serverReports.put(name, loop.current()));
        return new SiteFacts(clock.instant(), hosts(), machines, clusterNow(),
                metrics.map(ProbeLoop::current), serverReports, places(), Map.of());
    }

    /** Several accesses may see the same Proxmox cluster; a host is taken from the first that knows it live. */
    private Map<String, Observed<HostReport>> hosts() {
        Map<String, Observed<HostReport>> hosts = new LinkedHashMap<>();
        proxmox.forEach((name, loop) -> {
            Observed<ProxmoxReport> access = loop.current();
            if (access.value().isEmpty()) {
                hosts.putIfAbsent(name, access.of(name, Optional.empty()));
                return;
            }
            ProxmoxReport report = access.value().get();
            report.hosts().forEach(host -> add(hosts, hostNow(access, host)));
            report.silent().forEach((node, trouble) -> add(hosts, lastHosts
                    .getOrDefault(node, Observed.reading(node)).failed(trouble, access.at().orElseThrow())));
        });
        lastHosts = hosts;
        return hosts;
    }

    /** A host that only an earlier run has seen keeps the time of its own last answer. */
    private Observed<HostReport> hostNow(Observed<ProxmoxReport> access, HostReport host) {
        Observed<HostReport> now = access.of(host.node(), Optional.of(host));
        return access.grade() != Observed.Grade.KEPT ? now : Optional.ofNullable(lastHosts.get(host.node()))
                .map(kept -> new Observed<>(host.node(), kept.value(), kept.at(), now.trouble(), now.since(),
                        Observed.Grade.KEPT)).orElse(now);
    }

    private static void add(Map<String, Observed<HostReport>> hosts, Observed<HostReport> host) {
        hosts.merge(host.system(), host, (first, second) -> first.live() || !second.live() && first.value().isPresent()
                ? first : second);
    }

    private Map<String, SiteFacts.ServerPlace> places() {
        Map<String, SiteFacts.ServerPlace> places = new LinkedHashMap<>();
        Optional<ClusterReport> report = clusterNow().flatMap(Observed::value);
        found.forEach((name, server) -> places.put(name, server.place()));
        site.servers().forEach(s -> {
            SiteFacts.ServerPlace seen = report.flatMap(r -> ServicesFound.place(s.name(), r))
                    .orElse(new SiteFacts.ServerPlace(Optional.empty(), Optional.empty(), Optional.empty()));
            places.put(s.name(), new SiteFacts.ServerPlace(s.node().or(seen::node), seen.namespace(), seen.pod()));
        });
        return places;
    }

    /** The person's own word on a server counts before what was found under its name. */
    synchronized Map<String, Endpoint> modelServers() {
        Map<String, Endpoint> all = new LinkedHashMap<>();
        site.servers().stream().filter(s -> servers.containsKey(s.name())).forEach(s -> all.put(s.name(), s.endpoint()));
        found.forEach((name, server) -> all.putIfAbsent(name, server.endpoint()));
        return all;
    }

    synchronized List<Connection> connections() {
        List<Connection> connections = new ArrayList<>();
        proxmox.values().forEach(l -> connections.add(l.connection()));
        shells.values().forEach(l -> connections.add(l.connection()));
        clusterNow().ifPresent(c -> connections.add(Connection.of(Connection.Kind.CLUSTER, c, Optional.empty(),
                Duration.ofSeconds(10))));
        metrics.ifPresent(l -> connections.add(l.connection()));
        servers.values().forEach(l -> connections.add(l.connection()));
        return connections;
    }

    synchronized void readAgain() {
        cluster.ifPresent(ClusterLink::readAgain);
        loops().forEach(ProbeLoop::readAgain);
    }

    synchronized void readAgain(Connection.Kind kind, String name) {
        cluster.filter(c -> kind == Connection.Kind.CLUSTER).ifPresent(ClusterLink::readAgain);
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
