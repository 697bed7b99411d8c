package dev.pitwall.link.kube;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.TimeLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.ClusterLink;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.Probe;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster that is followed by watches. One virtual thread a resource, and one that looks now and then whether the
 * server still answers, so that a quiet cluster can be told from a dead connection.
 */
public final class ClusterWatch implements ClusterLink {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
    private static final String SYSTEM = "cluster";

    private final OpenServer open;
    private final InClusterProbes probes;
    private final Pace pace;
    private final InstantSource clock;
    private final ClusterState state;
    private final Reflector nodes;
    private final Reflector daemonSets;
    private final Reflector pods;
    private final List<Reflector> reflectors;
    private final List<Thread> threads = new ArrayList<>();
    private final Health version;
    private final Semaphore wake = new Semaphore(0);
    private volatile Runnable dirty = () -> { };
    private volatile String serverVersion = "";
    private final AtomicReference<Optional<Trouble>> logged = new AtomicReference<>(Optional.empty());
    private volatile boolean podsWanted;
    private Instant lastRelist = Instant.MIN;

    /** Contacts nothing before {@link #start}. */
    public ClusterWatch(ClusterAccess access, TimeLimits limits, NetworkTrouble troubles, InstantSource clock) {
        this(access, limits, troubles, clock, Pace.USUAL);
    }

    ClusterWatch(ClusterAccess access, TimeLimits limits, NetworkTrouble troubles, InstantSource clock, Pace pace) {
        this.open = new OpenServer(access, troubles, clock);
        this.pace = pace;
        this.clock = clock;
        this.state = new ClusterState(Workloads.whenNeeded(), this::tell, this::podsAgain);
        this.probes = new InClusterProbes(open, state, limits, troubles, clock);
        this.nodes = reflector(WatchedResource.NODES, state.nodes);
        this.daemonSets = reflector(WatchedResource.DAEMON_SETS, state.daemonSets);
        this.pods = reflector(WatchedResource.PODS, state.pods);
        this.reflectors = List.of(nodes, daemonSets, pods, reflector(WatchedResource.SERVICES, state.services),
                reflector(WatchedResource.POLICIES, state.policies));
        this.version = new Health("/version", this::healthChanged);
    }

    private Reflector reflector(WatchedResource resource, Shelf<?> shelf) {
        Health health = new Health(resource.inSentence(), this::healthChanged);
        return new Reflector(resource, open::server, shelf, health, pace, clock);
    }

    private void tell() {
        dirty.run();
    }

    private void healthChanged() {
        Optional<Trouble> now = trouble().flatMap(Health.State::trouble);
        if (!now.equals(logged.getAndSet(now))) {
            now.ifPresent(trouble -> LOG.warn("{}", trouble.sentence()));
        }
        tell();
    }

    private void podsAgain() {
        if (pods.begun()) {
            podsWanted = true;
            wake.release();
        }
    }

    @Override
    public void start(Runnable listener) {
        synchronized (threads) {
            if (!threads.isEmpty()) {
                throw new IllegalStateException("already started");
            }
            this.dirty = listener;
            for (Reflector reflector : reflectors) {
                threads.add(Thread.ofVirtual().name("watch-" + reflector.health().resource())
                        .unstarted(reflector == pods ? this::followPods : reflector));
            }
            threads.add(Thread.ofVirtual().name("watch-pulse").unstarted(this::pulse));
            threads.forEach(Thread::start);
        }
    }

    /** Which pods matter is known only when nodes and DaemonSets are. */
    private void followPods() {
        try {
            nodes.health().awaitFirst();
            daemonSets.health().awaitFirst();
            pods.run();
        } catch (InterruptedException closed) {
            LOG.debug("closed before the first list of pods");
        }
    }

    private void pulse() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                askVersion();
                reflectors.forEach(Reflector::tick);
                relistPods();
                if (wake.tryAcquire(pace.pulse().toMillis(), TimeUnit.MILLISECONDS)) {
                    wake.drainPermits();
                }
                if (trouble().isPresent()) {
                    open.reopenIfChanged();
                }
            }
        } catch (InterruptedException closed) {
            LOG.debug("pulse closed");
        }
    }

    /** At most once in a while: when an operator is installed, node after node comes to matter. */
    private void relistPods() {
        Instant now = clock.instant();
        if (podsWanted && !now.isBefore(lastRelist.plus(pace.relist()))) {
            podsWanted = false;
            lastRelist = now;
            pods.relist();
        }
    }

    private void askVersion() throws InterruptedException {
        try {
            serverVersion = open.server().get("/version", "read its version").path("gitVersion").asText("");
            version.working(clock.instant());
        } catch (ApiRefusal refusal) {
            if (refusal.forbidden() || refusal.absent()) {
                // It answers, which is what is asked here; who may not read the version can still read the rest.
                version.working(clock.instant());
            } else {
                version.failed(refusal.trouble(), clock.instant(), false);
            }
        } catch (TroubleException failed) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            version.failed(failed.trouble(), clock.instant(), false);
        }
    }

    @Override
    public Observed<ClusterReport> current() {
        Optional<Health.State> trouble = trouble();
        Optional<Instant> at = at();
        boolean complete = at.isPresent() && reflectors.stream().allMatch(reflector -> reflector.health().settled());
        Optional<ClusterReport> report = complete ? Optional.of(state.report(serverVersion, unseen()))
                : Optional.empty();
        boolean part = complete && trouble.filter(Health.State::forbidden).isPresent();
        return new Observed<>(SYSTEM, report, complete ? at : Optional.empty(), trouble.flatMap(Health.State::trouble),
                trouble.flatMap(Health.State::since), part ? Observed.Grade.PARTLY_READ : Observed.Grade.READ);
    }

    private Set<ClusterReport.Part> unseen() {
        return reflectors.stream().filter(reflector -> reflector.health().state().forbidden())
                .map(Reflector::part).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * When what is shown was last known to be true: while all goes well, when the server was last heard; else when the
     * resource that has been failing longest was.
     */
    private Optional<Instant> at() {
        Optional<Instant> stale = reflectors.stream().map(reflector -> reflector.health().state())
                .filter(health -> health.trouble().isPresent() && !health.forbidden())
                .flatMap(health -> health.good().stream()).min(Comparator.naturalOrder());
        return stale.or(() -> healths().flatMap(health -> health.state().good().stream())
                .max(Comparator.naturalOrder())).filter(at -> anyListed());
    }

    private boolean anyListed() {
        return reflectors.stream().anyMatch(reflector -> reflector.health().state().good().isPresent());
    }

    private Stream<Health> healths() {
        return Stream.concat(reflectors.stream().map(Reflector::health), Stream.of(version));
    }

    /** The trouble to show: one that stops everything before one that stops a part; missing rights in one sentence. */
    private Optional<Health.State> trouble() {
        List<Health.State> failing = healths().map(Health::state).filter(health -> health.trouble().isPresent())
                .toList();
        Optional<Health.State> whole = failing.stream().filter(health -> !health.forbidden())
                .min(Comparator.comparing(health -> health.since().orElse(Instant.MAX)));
        return whole.or(this::missingRights);
    }

    private Optional<Health.State> missingRights() {
        List<Health> forbidden = healths().filter(health -> health.state().forbidden()).toList();
        if (forbidden.isEmpty()) {
            return Optional.empty();
        }
        Health.State first = forbidden.getFirst().state();
        if (forbidden.size() == 1) {
            return Optional.of(first);
        }
        List<String> names = forbidden.stream().map(Health::resource).toList();
        Optional<Trouble> all = first.trouble().map(trouble -> new Trouble(trouble.kind(), trouble.where(),
                "not allowed to list and watch " + Rights.sentence(names), trouble.next()));
        return Optional.of(new Health.State(first.good(), all, first.since(), true));
    }

    @Override
    public void readAgain() {
        wake.release();
        reflectors.forEach(Reflector::hurry);
    }

    @Override
    public Probe<TelemetryReport> metrics(Endpoint endpoint) {
        return probes.metrics(endpoint);
    }

    @Override
    public Probe<TelemetryReport> exporters() {
        return probes.exporters();
    }

    @Override
    public Probe<ServerReport> server(String name, Endpoint endpoint) {
        return probes.server(name, endpoint);
    }

    @Override
    public void close() {
        dirty = () -> { };
        reflectors.forEach(Reflector::stop);
        synchronized (threads) {
            threads.forEach(Thread::interrupt);
        }
        open.close();
        synchronized (threads) {
            threads.forEach(ClusterWatch::awaitEnd);
            threads.clear();
        }
        open.close();
    }

    private static void awaitEnd(Thread thread) {
        try {
            if (!thread.join(Duration.ofSeconds(2))) {
                LOG.warn("{} has not ended", thread.getName());
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
