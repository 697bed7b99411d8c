package dev.pitwall.site;

import dev.pitwall.card.Card;
import dev.pitwall.card.CardAssembler;
import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.SiteFacts;
import dev.pitwall.card.SystemUuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A connected site: its sources mark it dirty, one paced drain assembles the cards and hands out a view. What the
 * sources said is kept now and then and at the end, so that the next run can begin with it.
 */
final class SiteSession implements LiveSite {
    private static final Logger LOG = LoggerFactory.getLogger(SiteSession.class);
    /** At most five views a second. */
    private static final Duration PACE = Duration.ofMillis(200);
    /** Waits show their running time, so the cards are looked at again even if nothing has come. */
    private static final Duration TICK = Duration.ofSeconds(1);

    /** How long the cards wait for the slowest of the first answers. */
    private static final Duration FIRST_ANSWERS = Duration.ofSeconds(4);

    /** An answer that is lost when the process is killed is at most this old. */
    private static final Duration KEEP = Duration.ofMinutes(1);

    /** The journal is read that often: another process may prove a card. */
    private static final Duration PROOFS = Duration.ofSeconds(3);

    private final Site site;
    private final InstantSource clock;
    private final Consumer<SiteView> listener;
    private final CardAssembler assembler = new CardAssembler();
    private final SiteSources sources;
    private final Semaphore dirty = new Semaphore(1);
    private final Supplier<Optional<LastGood>> store;
    private final Proofs proofs;
    private Map<String, SiteFacts.ProofResult> proved = Map.of();
    private Instant provedAt = Instant.MIN;
    private final Thread drain;
    private final Thread keeper;

    private final Instant openedAt;
    private boolean settled;
    private volatile SiteView view;
    private volatile boolean closed;

    SiteSession(Site site, Links links, ReadIntervals intervals, InstantSource clock,
                Supplier<Optional<LastGood>> store, Proofs proofs, Consumer<SiteView> listener) {
        this.site = site;
        this.clock = clock;
        this.openedAt = clock.instant();
        this.listener = listener;
        this.sources = new SiteSources(site, links, intervals, clock, this::markDirty);
        this.view = new SiteView(site, clock.instant(), List.of(), sources.connections());
        this.store = store;
        this.proofs = proofs;
        this.drain = Thread.ofVirtual().name("site " + site.name()).unstarted(this::run);
        this.keeper = Thread.ofVirtual().name("keep " + site.name()).unstarted(this::keepNowAndThen);
    }

    void start() {
        drain.start();
    }

    private void markDirty() {
        if (dirty.availablePermits() == 0) {
            dirty.release();
        }
    }

    private void run() {
        sources.start(new Memory(store.get(), site.id()));
        keeper.start();
        try {
            while (!closed) {
                dirty.tryAcquire(TICK.toMillis(), TimeUnit.MILLISECONDS);
                dirty.drainPermits();
                refresh();
                TimeUnit.NANOSECONDS.sleep(PACE.toNanos());
            }
        } catch (InterruptedException e) {
            LOG.debug("site {} closed", site.name());
        }
    }

    private void keepNowAndThen() {
        try {
            while (!closed) {
                TimeUnit.NANOSECONDS.sleep(KEEP.toNanos());
                sources.keep();
            }
        } catch (InterruptedException e) {
            LOG.debug("site {} keeps no more", site.name());
        }
    }

    private void refresh() {
        try {
            sources.followCluster();
            List<Connection> connections = sources.connections();
            List<Card> cards = settled(connections) ? assembler.assemble(sources.facts().with(proved())) : List.of();
            SiteView next = new SiteView(site, clock.instant(), cards, connections);
            boolean changed = !next.cards().equals(view.cards()) || !next.connections().equals(view.connections());
            view = next;
            if (changed) {
                listener.accept(next);
            }
        } catch (RuntimeException e) {
            // One bad answer must not end the view of all the others.
            LOG.error("assembling the cards of {} failed", site.name(), e);
        }
    }

    private Map<String, SiteFacts.ProofResult> proved() {
        Instant now = clock.instant();
        if (provedAt.isBefore(now.minus(PROOFS))) {
            provedAt = now;
            proved = proofs.read();
        }
        return proved;
    }

    /**
     * Half of the first answers make cards that change their names and places with the other half, so cards wait for
     * all, but not for long: a source that hangs must not hide the others.
     */
    private boolean settled(List<Connection> connections) {
        settled = settled || sources.remember()
                || connections.stream().noneMatch(c -> c.state() == Connection.State.READING)
                || !clock.instant().isBefore(openedAt.plus(FIRST_ANSWERS));
        return settled;
    }

    @Override
    public Site site() {
        return site;
    }

    @Override
    public SiteView view() {
        return view;
    }

    @Override
    public Map<String, String> nodes() {
        Map<String, String> names = new HashMap<>();
        sources.facts().cluster().flatMap(Observed::value).ifPresent(cluster -> cluster.nodes().forEach(node ->
                node.systemUuid().ifPresent(uuid -> {
                    names.put(uuid.toLowerCase(Locale.ROOT), node.name());
                    names.put(SystemUuid.otherByteOrder(uuid).toLowerCase(Locale.ROOT), node.name());
                })));
        return Map.copyOf(names);
    }

    @Override
    public Optional<Observed<ClusterReport>> cluster() {
        return sources.facts().cluster();
    }

    @Override
    public Optional<SiteFacts> facts() {
        return Optional.of(sources.facts());
    }

    @Override
    public Map<String, Endpoint> modelServers() {
        return sources.modelServers();
    }

    @Override
    public void readAgain() {
        sources.readAgain();
    }

    @Override
    public void readAgain(Connection.Kind kind, String name) {
        sources.readAgain(kind, name);
    }

    @Override
    public void close() {
        closed = true;
        drain.interrupt();
        awaitEnd(drain);
        keeper.interrupt();
        awaitEnd(keeper);
        sources.close();
        sources.keep();
    }

    private static void awaitEnd(Thread thread) {
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(Duration.ofSeconds(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
