package dev.pitwall.engine.live;

import dev.pitwall.card.Sentences;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.charge.Charge;
import dev.pitwall.engine.figure.FigureLog;
import dev.pitwall.engine.figure.Figures;
import dev.pitwall.engine.figure.Measured;
import dev.pitwall.site.Connection;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.LiveSite;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of a connected site: brings what happens to the {@link LiveCore}, one thing at a time, and does what that
 * wants done. A thread for each server that is asked, and one for each load, unload and pull.
 */
public final class SiteEngine implements LiveEngine {
    private static final Logger LOG = LoggerFactory.getLogger(SiteEngine.class);
    private static final Duration LOOKS_FOR_OTHERS = Duration.ofMinutes(1);
    private static final Duration END = Duration.ofSeconds(5);

    private final LiveSite site;
    private final Drivers drivers;
    private final Supplier<EngineRecord> records;
    private final InstantSource clock;
    private final EnginePace pace;
    private final FigureLog figures;
    private final Charge charge;
    private final SiteReader reader = new SiteReader();
    private final ReentrantLock lock = new ReentrantLock();
    private final Semaphore dirty = new Semaphore(0);
    private final List<Consumer<WallView>> listeners = new CopyOnWriteArrayList<>();
    private final Map<ProviderId, Poller> pollers = new HashMap<>();
    private final Map<ProviderId, Endpoint> endpoints = new HashMap<>();
    private final Thread loop;
    private volatile WallView view;
    private volatile boolean closed;
    /** Guarded by the lock, as what it is told; empty until what an earlier run left has been read. */
    private Optional<LiveCore> core = Optional.empty();
    private Optional<Deeds> deeds = Optional.empty();
    private Instant lookedForOthers = Instant.MIN;
    /** Begun and ended by the engine's own thread and, once that has ended, by {@link #close}. */
    private volatile Optional<Thread> asking = Optional.empty();
    /** Written by the thread that asks. */
    private volatile List<String> others = List.of();

    /**
     * Starts nothing yet.
     *
     * @param drivers closed with the engine
     * @param records opened on a thread of the engine: it may have to be read from a disk
     * @param figures not started yet; closed with the engine
     * @param charge  whether this engine decides; claimed when there is something to decide. Not started yet, closed with the engine
     */
    public SiteEngine(LiveSite site, Drivers drivers, Supplier<EngineRecord> records, FigureLog figures,
                      Charge charge, InstantSource clock, EnginePace pace) {
        this.site = site;
        this.drivers = drivers;
        this.records = records;
        this.figures = figures;
        this.charge = charge;
        this.clock = clock;
        this.pace = pace;
        this.view = new WallView(clock.instant(), EngineRecord.Kept.NOTHING.mode(), List.of(), List.of(), List.of(), List.of(),
                List.of(), List.of());
        this.loop = Thread.ofVirtual().name("engine " + site.site().name()).unstarted(this::run);
    }

    public void start() {
        figures.start();
        charge.start();
        loop.start();
    }

    private void run() {
        try {
            begin(records.get());
            long next = System.nanoTime();
            while (!closed) {
                if (System.nanoTime() >= next) {
                    next = System.nanoTime() + pace.site().toNanos();
                    look();
                }
                publish();
                TimeUnit.NANOSECONDS.sleep(pace.views().toNanos());
                if (dirty.tryAcquire(Math.max(0, next - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    dirty.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("engine of {} ends", site.site().name());
        }
    }

    private void begin(EngineRecord record) {
        EngineRecord.Kept kept = EngineRecord.Kept.NOTHING;
        try {
            kept = record.read();
        } catch (TroubleException e) {
            LOG.warn("The engine begins without what it knew: {}", e.trouble().sentence());
        }
        // Its tables are read here, before anybody can wait for the lock.
        LiveCore begun = new LiveCore(kept);
        Deeds hands = new Deeds(this::driver, record, kept.away(), this::lookAtCard, this::lookAtServer, this::tell);
        lock.lock();
        try {
            core = Optional.of(begun);
            deeds = Optional.of(hands);
        } finally {
            lock.unlock();
        }
    }

    private void lookAtCard(ProviderId id) {
        site.facts().flatMap(facts -> reader.machine(id, site.view(), facts))
                .ifPresent(machine -> site.readAgain(Connection.Kind.SHELL, machine));
    }

    private void lookAtServer(ProviderId id) {
        synchronized (pollers) {
            Optional.ofNullable(pollers.get(id)).ifPresent(Poller::readNow);
        }
    }

    private Optional<ServerDriver> driver(ProviderId id) {
        synchronized (pollers) {
            return Optional.ofNullable(pollers.get(id)).map(Poller::driver);
        }
    }

    /** Something that happened. */
    interface Happening {
        void tell(LiveCore core, Instant now);
    }

    private void tell(Happening happening) {
        List<Effect> effects;
        Optional<Deeds> hands;
        lock.lock();
        try {
            if (core.isEmpty() || closed) {
                return;
            }
            // Asked at the last moment: what follows from this is decided only by who is in charge now.
            core.get().charge(charge.state(), clock.instant());
            happening.tell(core.get(), clock.instant());
            if (core.get().claims()) {
                charge.claim();
            }
            effects = core.get().take();
            hands = deeds;
        } finally {
            lock.unlock();
        }
        hands.orElseThrow().perform(effects);
        dirty.release();
    }

    private void look() {
        try {
            askForOthers();
            site.facts().ifPresent(facts -> {
                follow();
                SitePicture picture = reader.picture(site.view(), facts, others);
                tell((c, now) -> c.site(picture, now));
                figures.take(reader.measured(site.view(), facts));
                figures.take(speeds());
            });
            tell(LiveCore::tick);
        } catch (RuntimeException e) {
            // One bad answer must not end the engine.
            LOG.error("the engine of {} could not take in its site", site.site().name(), e);
        }
    }

    private List<Measured> speeds() {
        lock.lock();
        try {
            return core.map(LiveCore::speeds).orElse(List.of());
        } finally {
            lock.unlock();
        }
    }

    /** Kubemoot's own scheduler places models too; whether it is there is asked now and then. */
    private void askForOthers() {
        if (clock.instant().isBefore(lookedForOthers.plus(LOOKS_FOR_OTHERS)) || asking.filter(Thread::isAlive).isPresent()) {
            return;
        }
        lookedForOthers = clock.instant();
        asking = Optional.of(Thread.ofVirtual().name("engine others").start(() -> {
            try {
                OptionalInt providers = drivers.kubemoot();
                others = providers.isPresent() ? List.of(new Sentences("engine/live")
                        .say("others.kubemoot", providers.getAsInt())) : List.of();
            } catch (TroubleException e) {
                LOG.debug("not known whether Kubemoot is there: {}", e.trouble().sentence());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    /** Asks the servers that there are now, and no others. */
    private void follow() {
        Map<String, Endpoint> now = site.modelServers();
        synchronized (pollers) {
            endpoints.entrySet().removeIf(e -> {
                boolean gone = !e.getValue().equals(now.get(e.getKey().text()));
                if (gone) {
                    Optional.ofNullable(pollers.remove(e.getKey())).ifPresent(Poller::close);
                }
                return gone;
            });
            now.forEach((name, endpoint) -> {
                ProviderId id = new ProviderId(name);
                if (!closed && endpoints.putIfAbsent(id, endpoint) == null) {
                    Poller poller = new Poller(id, drivers.driver(name, endpoint), pace.servers(), this::tell, clock);
                    pollers.put(id, poller);
                    poller.start();
                }
            });
        }
    }

    private void publish() {
        lock.lock();
        try {
            core.ifPresent(c -> view = c.view(clock.instant()));
        } finally {
            lock.unlock();
        }
        listeners.forEach(listener -> listener.accept(view));
    }

    @Override
    public WallView view() {
        return view;
    }

    @Override
    public void listen(Consumer<WallView> listener) {
        listeners.add(listener);
    }

    @Override
    public Charge.State charge() {
        return charge.state();
    }

    @Override
    public Figures figures() {
        return figures;
    }

    @Override
    public Preview preview(Wish wish) {
        lock.lock();
        try {
            return core.map(c -> c.preview(wish, clock.instant())).orElseGet(SiteEngine::starting);
        } finally {
            lock.unlock();
        }
    }

    private static Preview starting() {
        return new Preview.Refused(Preview.Why.SERVER_DOWN, new Sentences("engine/live").say("starting"),
                Optional.empty());
    }

    @Override
    public Entry ask(Wish wish, Set<ModelName> mayGo) {
        Entry[] entry = new Entry[1];
        tell((c, now) -> {
            entry[0] = c.ask(wish, mayGo, now);
            view = c.view(now);
        });
        return Optional.ofNullable(entry[0]).orElseGet(() -> new Entry(0, clock.instant(), Entry.Kind.REFUSED, Optional.empty(),
                Optional.empty(), "", ((Preview.Refused) starting()).words(), Optional.of(wish)));
    }

    @Override
    public Optional<Wish> undo(Entry entry) {
        lock.lock();
        try {
            return core.flatMap(c -> c.undo(entry));
        } finally {
            lock.unlock();
        }
    }

    /** Ends every thread and connection; loads that are under way are given up by their servers with that. */
    @Override
    public void close() {
        closed = true;
        loop.interrupt();
        try {
            if (loop.getState() != Thread.State.NEW) {
                loop.join(END);
            }
            if (asking.isPresent()) {
                asking.get().interrupt();
                asking.get().join(END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
        Optional<Deeds> hands;
        try {
            hands = deeds;
        } finally {
            lock.unlock();
        }
        hands.ifPresent(Deeds::close);
        synchronized (pollers) {
            pollers.values().forEach(Poller::close);
            pollers.clear();
        }
        charge.close();
        figures.close();
        drivers.close();
    }

    static Trouble unforeseen(String where) {
        return new Trouble(Trouble.Kind.UNREADABLE, where, "its answer could not be understood",
                "Look into Pitwall's log for the details and report them.");
    }
}
