package dev.pitwall.lab.models;

import dev.pitwall.lab.net.ClientPresence;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Derived;
import dev.pitwall.lab.world.LabModelServer.Installed;
import dev.pitwall.lab.world.LabModelServer.Loaded;
import dev.pitwall.lab.world.LabModelServer.LoadTrouble;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Loads and unloads the models of one Ollama. Loads are strictly one at a time; a request for a model that is there, with
 * the options it was loaded with, does not wait for them. The card's memory follows what stands in the world's list of
 * loaded models.
 */
final class Runner {
    /** Weights come in at about this pace; the rest is the child's start. */
    private static final double LOAD_BYTES_PER_SECOND = 1L << 30;
    private static final Duration CHILD_START = Duration.ofMillis(800);
    private static final Duration ROOM_CHECK = Duration.ofMillis(200);

    private final World world;
    private final String name;
    private final ModelLibrary library;
    private final ReentrantLock loading = new ReentrantLock(true);
    private final AtomicInteger queued = new AtomicInteger();
    /** What each model was last told to be kept for. */
    private final Map<String, KeepAlive> kept = new HashMap<>();

    Runner(World world, String name, ModelLibrary library) {
        this.world = world;
        this.name = name;
        this.library = library;
    }

    /**
     * A model held for one request.
     *
     * @param loadTime zero if it was there
     */
    record Lease(Loaded model, Duration loadTime) {
    }

    /**
     * Waits until the model is in memory with these options and marks it busy. One that is there with other options goes
     * first, once nobody uses it: two that ask with different options take turns in throwing it out (facts: models.md
     * 5.2, the placement trap).
     *
     * @throws InterruptedException if the client went away; a load that was in progress is given up, as the real one
     *                              does
     * @throws OllamaRefusal        503 if too many wait already, 500 if the child dies
     */
    Lease acquire(Installed model, RunnerOptions options, Optional<KeepAlive> keepAlive, ClientPresence client)
            throws InterruptedException, OllamaRefusal {
        keepAlive.ifPresent(k -> remember(model.name(), k));
        Instant asked = world.clock().instant();
        Optional<Loaded> there = hold(model, options);
        Loaded loaded = there.isPresent() ? there.get() : queue(model, options, client);
        try {
            while (world.clock().instant().isBefore(readyAt(loaded))) {
                client.require();
                Instant soon = world.clock().instant().plus(ROOM_CHECK);
                Instant ready = readyAt(loaded);
                world.clock().await(ready.isBefore(soon) ? ready : soon);
                expire();
            }
        } catch (InterruptedException e) {
            giveUp(loaded);
            throw e;
        }
        if (world.read(w -> loaded.fails)) {
            giveUp(loaded);
            throw new OllamaRefusal(500, "llama-server process has terminated: exit status 1");
        }
        return new Lease(loaded, Duration.between(asked, world.clock().instant()));
    }

    private Loaded queue(Installed model, RunnerOptions options, ClientPresence client)
            throws InterruptedException, OllamaRefusal {
        if (queued.incrementAndGet() > world.read(w -> server(w).longestQueue)) {
            queued.decrementAndGet();
            throw new OllamaRefusal(503, "server busy, please try again.  maximum pending requests exceeded");
        }
        try {
            while (!loading.tryLock(ROOM_CHECK.toMillis(), TimeUnit.MILLISECONDS)) {
                client.require();
            }
            try {
                Optional<Loaded> there = hold(model, options);
                return there.isPresent() ? there.get() : load(model, options, client);
            } finally {
                loading.unlock();
            }
        } finally {
            queued.decrementAndGet();
        }
    }

    /** Ends a request: the time to stay begins, and a model that was told to go goes. */
    void release(Loaded loaded) {
        KeepAlive keep = keepOf(loaded.model.name());
        world.change(w -> {
            Instant now = w.clock().instant();
            loaded.busy = Math.max(0, loaded.busy - 1);
            loaded.usedAt = now;
            if (loaded.busy == 0) {
                loaded.expiresAt = keep.from(now);
                loaded.told = false;
                if (keep.isNow()) {
                    server(w).loaded.remove(loaded);
                }
            }
        });
    }

    /** Lets a model go once no request uses it; answers at once, like the real one. */
    void unload(String model) {
        remember(model, new KeepAlive(Duration.ZERO));
        world.change(w -> server(w).loaded.removeIf(l -> {
            if (l.model.name().equals(model)) {
                l.expiresAt = w.clock().instant();
                l.told = true;
            }
            return l.model.name().equals(model) && l.busy == 0;
        }));
    }

    /** The lab's life lets expired models go a few times a second; an answer must not be late by that. */
    void expire() {
        Instant now = world.clock().instant();
        if (world.read(w -> server(w).isUnsettled(now))) {
            world.change(w -> server(w).settle(now));
        }
    }

    private Optional<Loaded> hold(Installed model, RunnerOptions options) {
        Loaded[] found = new Loaded[1];
        world.change(w -> onWeightsOf(w, model).filter(l -> l.options.equals(options.values())).ifPresent(l -> {
            l.busy++;
            found[0] = l;
        }));
        return Optional.ofNullable(found[0]);
    }

    /** The runner is known by the file of its weights, so a model shares it with those that were made from it. */
    private Optional<Loaded> onWeightsOf(World w, Installed model) {
        return server(w).loaded.stream().filter(l -> !l.fails && weights(w, l.model.name()).equals(weights(w, model.name())))
                .findFirst();
    }

    private String weights(World w, String model) {
        return Optional.ofNullable(server(w).derived.get(model)).map(Derived::from).orElse(model);
    }

    private Instant readyAt(Loaded loaded) {
        return world.read(w -> loaded.readyAt);
    }

    /** Makes room, waiting for busy models where it must, and begins a load. */
    private Loaded load(Installed model, RunnerOptions options, ClientPresence client) throws InterruptedException {
        Installed sized = options.sized(model, library);
        Loaded loaded = new Loaded(sized);
        loaded.options = options.values();
        loaded.cardShare = options.cardShare(model, library);
        while (!world.read(w -> mayBegin(w, loaded))) {
            client.require();
            world.clock().await(world.clock().instant().plus(ROOM_CHECK));
        }
        world.change(w -> {
            LabModelServer server = server(w);
            server.loaded.removeAll(victims(w, loaded));
            loaded.busy = 1;
            Instant now = w.clock().instant();
            loaded.usedAt = now;
            loaded.readyAt = now.plus(CHILD_START)
                    .plusMillis(Math.round(sized.vramBytes() / LOAD_BYTES_PER_SECOND * 1000));
            loaded.expiresAt = keepOf(model.name()).from(loaded.readyAt);
            loaded.fails = server.loadTrouble == LoadTrouble.FAILS;
            if (server.loadTrouble == LoadTrouble.HANGS) {
                loaded.hang();
            }
            server.loaded.add(loaded);
            server.begun.merge(model.name(), 1, Integer::sum);
        });
        return loaded;
    }

    private void giveUp(Loaded loaded) {
        world.change(w -> {
            loaded.busy = Math.max(0, loaded.busy - 1);
            if (loaded.busy == 0) {
                server(w).loaded.remove(loaded);
            }
        });
    }

    private boolean mayBegin(World w, Loaded loaded) {
        List<Loaded> victims = victims(w, loaded);
        boolean replaced = onWeightsOf(w, loaded.model).filter(l -> !victims.contains(l)).isEmpty();
        return replaced && fits(w, loaded, victims);
    }

    /**
     * Ollama's order: shortest promised stay first, then by name; idle ones only (facts: models.md 2.1). One with the same
     * weights and other options goes in any case.
     */
    private List<Loaded> victims(World w, Loaded loaded) {
        List<Loaded> victims = new ArrayList<>();
        onWeightsOf(w, loaded.model).filter(l -> l.busy == 0).ifPresent(victims::add);
        List<Loaded> idle = server(w).loaded.stream().filter(l -> l.busy == 0 && !victims.contains(l))
                .sorted(Comparator.comparing((Loaded l) -> keepOf(l.model.name()).time())
                        .thenComparing(l -> l.model.name())).toList();
        for (Loaded next : idle) {
            if (!fits(w, loaded, victims)) {
                victims.add(next);
            }
        }
        return victims;
    }

    /** A model that is alone always loads: what does not fit the card runs on the processor. */
    private boolean fits(World w, Loaded loaded, List<Loaded> leaving) {
        long others = server(w).loaded.stream().filter(l -> !leaving.contains(l)).mapToLong(Loaded::cardBytes).sum();
        return others == 0 || others + loaded.cardBytes() <= CardRoom.bytes(w, server(w));
    }

    LabModelServer server(World w) {
        return w.servers.get(name);
    }

    private synchronized void remember(String model, KeepAlive keepAlive) {
        kept.put(model, keepAlive);
    }

    private synchronized KeepAlive keepOf(String model) {
        return kept.getOrDefault(model, KeepAlive.USUAL);
    }

    /** A later request that says nothing keeps what was said, except that an unload is over with it. */
    synchronized void forgetUnload(String model) {
        if (kept.getOrDefault(model, KeepAlive.USUAL).isNow()) {
            kept.remove(model);
        }
    }
}
