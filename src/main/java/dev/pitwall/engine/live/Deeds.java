package dev.pitwall.engine.live;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.engine.vram.ModelFacts;
import dev.pitwall.engine.vram.ModelFile;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what the core wants done, each thing that may take long on a thread of its own, and tells what came of it. */
final class Deeds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deeds.class);
    /** An unload is looked after for that long (facts: models.md 8). */
    private static final Duration UNLOAD = Duration.ofSeconds(8);
    private static final Duration END = Duration.ofSeconds(5);
    /** What is on the processor when Pitwall is closed has that long to get back; else the next run sees to it. */
    private static final Duration BACK = Duration.ofSeconds(5);

    private final Function<ProviderId, Optional<ServerDriver>> drivers;
    private final EngineRecord record;
    private final Consumer<ProviderId> lookAtCard;
    private final Consumer<ProviderId> lookAtServer;
    private final Consumer<SiteEngine.Happening> told;
    private final ModelFile files = new ModelFile();
    private final Map<Object, Thread> cancellable = new ConcurrentHashMap<>();
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    /** Guarded by itself. */
    private final Map<PlacementId, Away> away = new LinkedHashMap<>();
    /** Threads that put something back, which closing does not cut off at once; guarded by {@link #away}. */
    private final Set<Thread> puttingBack = new HashSet<>();
    private final LinkedBlockingQueue<Effect> writes = new LinkedBlockingQueue<>();
    private final Thread writer;
    private volatile boolean closed;

    /**
     * @param left       what an earlier run did not put back
     * @param lookAtCard   asks the card of a server how full it is, and does not wait for it
     * @param lookAtServer asks a server what it has in memory, and does not wait for it
     */
    Deeds(Function<ProviderId, Optional<ServerDriver>> drivers, EngineRecord record, List<Away> left,
          Consumer<ProviderId> lookAtCard, Consumer<ProviderId> lookAtServer, Consumer<SiteEngine.Happening> told) {
        this.drivers = drivers;
        this.record = record;
        left.forEach(a -> away.put(a.what(), a));
        this.lookAtCard = lookAtCard;
        this.lookAtServer = lookAtServer;
        this.told = told;
        this.writer = Thread.ofVirtual().name("engine writes").start(this::write);
    }

    void perform(List<Effect> effects) {
        effects.forEach(this::perform);
    }

    private void perform(Effect effect) {
        switch (effect) {
            case Effect.Load load -> start(thread("loads " + load.what().model(), () -> load(load)), load.ticket());
            case Effect.CancelLoad cancel -> Optional.ofNullable(cancellable.get(cancel.ticket())).ifPresent(Thread::interrupt);
            case Effect.Unload(PlacementId what) -> start(thread("unloads " + what.model(), () -> unload(what)));
            case Effect.Keep(PlacementId what, ServerDriver.Stay stay) -> start(thread("keeps " + what.model(), () -> keep(what, stay)));
            case Effect.Pull(PlacementId what) -> start(thread("pulls " + what.model(), () -> pull(what)), what);
            case Effect.CancelPull(PlacementId what) -> Optional.ofNullable(cancellable.get(what)).ifPresent(Thread::interrupt);
            case Effect.Show(PlacementId what, String digest) -> start(thread("shows " + what.model(), () -> show(what, digest)));
            case Effect.MeasureSpeed(PlacementId what, ServerDriver.Course course, ServerDriver.Stay stay) ->
                    start(thread("measures " + what.model(), () -> measure(what, course, stay)), new MeasureKey(what));
            case Effect.CancelMeasure(PlacementId what) -> Optional.ofNullable(cancellable.get(new MeasureKey(what)))
                    .ifPresent(Thread::interrupt);
            case Effect.PutBack(Away what) -> start(thread("puts back " + what.what().model(), () -> putBack(what)));
            case Effect.IsBack _ -> writes.add(effect);
            case Effect.LookAtCard(ProviderId provider) -> lookAtCard.accept(provider);
            case Effect.LookAtServer(ProviderId provider) -> lookAtServer.accept(provider);
            case Effect.Decided _, Effect.Measured _, Effect.Speeds _, Effect.Logged _ -> writes.add(effect);
        }
    }

    private record MeasureKey(PlacementId what) {
    }

    private Thread thread(String name, Runnable deed) {
        return Thread.ofVirtual().name("engine " + name).unstarted(() -> {
            try {
                deed.run();
            } finally {
                running.remove(Thread.currentThread());
            }
        });
    }

    private void start(Thread thread) {
        running.add(thread);
        if (!closed) {
            thread.start();
        }
    }

    /** @param key by which it can be interrupted; known before it runs */
    private void start(Thread thread, Object key) {
        cancellable.put(key, thread);
        start(thread);
    }

    /** Something that is asked of a server. */
    private interface Asking {
        void of(ServerDriver driver) throws TroubleException, InterruptedException;
    }

    /** @return why it did not come about */
    private Optional<Trouble> ask(ProviderId id, Asking asking) {
        Optional<ServerDriver> driver = drivers.apply(id);
        if (driver.isEmpty()) {
            return Optional.of(new Trouble(Trouble.Kind.MISSING, id.text(), "it is no longer there", "Look at the site's servers."));
        }
        try {
            asking.of(driver.get());
            return Optional.empty();
        } catch (TroubleException e) {
            LOG.info("{}", e.trouble().sentence());
            return Optional.of(e.trouble());
        } catch (InterruptedException e) {
            return Optional.of(new Trouble(Trouble.Kind.BUSY, id.text(), "it was given up", "Ask for it again."));
        } catch (RuntimeException e) {
            LOG.error("{} could not be asked", id, e);
            return Optional.of(SiteEngine.unforeseen(id.text()));
        }
    }

    private void load(Effect.Load load) {
        PlacementId what = load.what();
        Optional<Trouble> failure = ask(what.provider(), driver -> driver.load(what.model(), load.stay(), progress ->
                told.accept((core, _) -> core.loadProgress(what, load.ticket(), progress))));
        cancellable.remove(load.ticket());
        told.accept((core, now) -> core.loadEnded(what, load.ticket(), failure, now));
    }

    private void unload(PlacementId what) {
        Optional<Trouble> failure = ask(what.provider(), driver -> driver.unload(what.model(), UNLOAD));
        told.accept((core, now) -> core.unloadEnded(what, failure, now));
    }

    /**
     * Whatever comes of it, a model that was loaded for the processor is loaded again as it was. That it has to be is kept
     * before it goes: should Pitwall end before it is back, the next run puts it back.
     */
    private void measure(PlacementId what, ServerDriver.Course course, ServerDriver.Stay stay) {
        OptionalDouble[] paces = {OptionalDouble.empty(), OptionalDouble.empty()};
        boolean[] moved = new boolean[1];
        Optional<Trouble> failure = ask(what.provider(), driver -> {
            paces[0] = OptionalDouble.of(driver.measure(what.model(), ServerDriver.Where.AS_LOADED).tokensPerSecond());
            if (course == ServerDriver.Course.BOTH) {
                keepAway(what, Optional.of(new Away(what, stay)));
                moved[0] = true;
                paces[1] = OptionalDouble.of(driver.measure(what.model(), ServerDriver.Where.PROCESSOR).tokensPerSecond());
            }
        });
        cancellable.remove(new MeasureKey(what));
        Optional<Trouble> notBack = moved[0] ? back(new Away(what, stay)) : Optional.empty();
        told.accept((core, now) -> core.speedEnded(what, new SpeedOutcome(paces[0], paces[1], failure, notBack), now));
    }

    private void putBack(Away what) {
        Optional<Trouble> notBack = back(what);
        told.accept((core, now) -> core.speedEnded(what.what(), new SpeedOutcome(OptionalDouble.empty(), OptionalDouble.empty(),
                Optional.empty(), notBack), now));
    }

    /** @return why it is not back; it is kept then that it has to be */
    private Optional<Trouble> back(Away what) {
        synchronized (away) {
            puttingBack.add(Thread.currentThread());
            Thread.interrupted();
        }
        try {
            Optional<Trouble> notBack = ask(what.what().provider(), driver -> driver.load(what.what().model(), what.stay(), _ -> { }));
            if (notBack.isEmpty()) {
                isBack(what.what());
            }
            return notBack;
        } finally {
            synchronized (away) {
                puttingBack.remove(Thread.currentThread());
            }
        }
    }

    private void isBack(PlacementId what) {
        try {
            keepAway(what, Optional.empty());
        } catch (TroubleException e) {
            LOG.warn("The next run looks after {} again: {}", what.model(), e.trouble().sentence());
        }
    }

    private void keepAway(PlacementId what, Optional<Away> gone) throws TroubleException {
        synchronized (away) {
            away.remove(what);
            gone.ifPresent(a -> away.put(what, a));
            record.away(List.copyOf(away.values()));
        }
    }

    private void keep(PlacementId what, ServerDriver.Stay stay) {
        ask(what.provider(), driver -> driver.load(what.model(), stay, _ -> { }));
    }

    private void pull(PlacementId what) {
        Optional<Trouble> failure = ask(what.provider(), driver -> driver.pull(what.model(), progress ->
                told.accept((core, _) -> core.pullProgress(what, progress))));
        cancellable.remove(what);
        told.accept((core, now) -> core.pullEnded(what, failure, now));
    }

    private void show(PlacementId what, String digest) {
        ask(what.provider(), driver -> {
            Optional<String> answer = driver.show(what.model());
            if (answer.isPresent()) {
                ModelFacts facts = files.read(what.model().text(),
                        new ByteArrayInputStream(answer.get().getBytes(StandardCharsets.UTF_8)));
                told.accept((core, _) -> core.shown(digest, facts));
            }
        });
    }

    private void write() {
        try {
            while (true) {
                keep(writes.take());
            }
        } catch (InterruptedException e) {
            writes.forEach(this::keep);
        }
    }

    private void keep(Effect effect) {
        try {
            switch (effect) {
                case Effect.Decided(Mode mode, Set<PlacementId> pins, Map<ProviderId, ProviderView.Hold> holds) ->
                        record.decided(mode, pins, holds);
                case Effect.Measured(var all) -> record.measured(all);
                case Effect.Speeds(var all) -> record.speeds(all);
                case Effect.Logged(Entry entry) -> record.logged(entry);
                case Effect.IsBack(PlacementId what) -> keepAway(what, Optional.empty());
                default -> throw new IllegalArgumentException("nothing to keep: " + effect);
            }
        } catch (TroubleException e) {
            LOG.warn("What the engine knows holds until Pitwall is closed: {}", e.trouble().sentence());
        }
    }

    private static Duration left(Instant until) {
        Duration left = Duration.between(Instant.now(), until);
        return left.isPositive() ? left : Duration.ofMillis(1);
    }

    @Override
    public void close() {
        closed = true;
        List<Thread> ending = List.copyOf(running);
        synchronized (away) {
            ending.stream().filter(t -> !puttingBack.contains(t)).forEach(Thread::interrupt);
        }
        writer.interrupt();
        try {
            Instant until = Instant.now().plus(BACK);
            for (Thread thread : ending) {
                if (thread.getState() != Thread.State.NEW && !thread.join(left(until))) {
                    thread.interrupt();
                    thread.join(END);
                }
            }
            writer.join(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
