package dev.pitwall.lab.models;

import dev.pitwall.lab.net.ClientPresence;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Installed;
import dev.pitwall.lab.world.LabModelServer.Loaded;
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
import java.util.concurrent.locks.ReentrantLock;

/**
 * Loads and unloads the models of one server. Loads are strictly one at a time; a request for a model that is there
 * does not wait for them. The card's memory follows what stands in the world's list of loaded models.
 */
final class Runner {
    /** Weights come in at about this pace; the rest is the child's start. */
    private static final double LOAD_BYTES_PER_SECOND = 1L << 30;
    private static final Duration CHILD_START = Duration.ofMillis(800);
    private static final Duration ROOM_CHECK = Duration.ofMillis(200);

    private final World world;
    private final String name;
    private final ReentrantLock loading = new ReentrantLock(true);
    /** What each model was last told to be kept for. */
    private final Map<String, KeepAlive> kept = new HashMap<>();

    Runner(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /**
     * A model held for one request.
     *
     * @param loadTime zero if it was there
     */
    record Lease(Loaded model, Duration loadTime) {
    }

    /**
     * Waits until the model is in memory and marks it busy.
     *
     * @throws InterruptedException if the client went away; a load that was in progress is given up, as the real one
     *                              does
     */
    Lease acquire(Installed model, Optional<KeepAlive> keepAlive, ClientPresence client) throws InterruptedException {
        keepAlive.ifPresent(k -> remember(model.name(), k));
        Instant asked = world.clock().instant();
        Optional<Loaded> there = hold(model.name());
        if (there.isEmpty()) {
            while (!loading.tryLock(ROOM_CHECK.toMillis(), TimeUnit.MILLISECONDS)) {
                client.require();
            }
            try {
                there = hold(model.name());
                if (there.isEmpty()) {
                    there = Optional.of(load(model, client));
                }
            } finally {
                loading.unlock();
            }
        }
        Loaded loaded = there.get();
        try {
            while (world.clock().instant().isBefore(readyAt(loaded))) {
                client.require();
                Instant soon = world.clock().instant().plus(ROOM_CHECK);
                Instant ready = readyAt(loaded);
                world.clock().await(ready.isBefore(soon) ? ready : soon);
            }
        } catch (InterruptedException e) {
            giveUp(loaded);
            throw e;
        }
        return new Lease(loaded, Duration.between(asked, world.clock().instant()));
    }

    /** Ends a request: the time to stay begins, and a model that was told to go goes. */
    void release(Loaded loaded) {
        KeepAlive keep = keepOf(loaded.model.name());
        world.change(w -> {
            loaded.busy = Math.max(0, loaded.busy - 1);
            if (loaded.busy == 0) {
                loaded.expiresAt = keep.from(w.clock().instant());
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
            l.expiresAt = l.model.name().equals(model) ? w.clock().instant() : l.expiresAt;
            return l.model.name().equals(model) && l.busy == 0;
        }));
    }

    /** The lab's life lets expired models go a few times a second; an answer must not be late by that. */
    void expire() {
        Instant now = world.clock().instant();
        if (world.read(w -> server(w).loaded.stream().anyMatch(l -> l.isOver(now)))) {
            world.change(w -> server(w).dropExpired(now));
        }
    }

    private Optional<Loaded> hold(String model) {
        Loaded[] found = new Loaded[1];
        world.change(w -> server(w).loaded.stream().filter(l -> l.model.name().equals(model)).findFirst()
                .ifPresent(l -> {
                    l.busy++;
                    found[0] = l;
                }));
        return Optional.ofNullable(found[0]);
    }

    private Instant readyAt(Loaded loaded) {
        return world.read(w -> loaded.readyAt);
    }

    /** Makes room, waiting for busy models where it must, and begins a load. */
    private Loaded load(Installed model, ClientPresence client) throws InterruptedException {
        while (!world.read(w -> fits(w, model, victims(w, model)))) {
            client.require();
            world.clock().await(world.clock().instant().plus(ROOM_CHECK));
        }
        Loaded loaded = new Loaded(model);
        world.change(w -> {
            server(w).loaded.removeAll(victims(w, model));
            loaded.busy = 1;
            loaded.readyAt = w.clock().instant().plus(CHILD_START)
                    .plusMillis(Math.round(model.vramBytes() / LOAD_BYTES_PER_SECOND * 1000));
            loaded.expiresAt = keepOf(model.name()).from(loaded.readyAt);
            server(w).loaded.add(loaded);
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

    /** Ollama's order: shortest promised stay first, then by name; idle ones only (facts: models.md 2.1). */
    private List<Loaded> victims(World w, Installed model) {
        List<Loaded> idle = server(w).loaded.stream().filter(l -> l.busy == 0)
                .sorted(Comparator.comparing((Loaded l) -> keepOf(l.model.name()).time())
                        .thenComparing(l -> l.model.name())).toList();
        List<Loaded> victims = new ArrayList<>();
        for (Loaded next : idle) {
            if (!fits(w, model, victims)) {
                victims.add(next);
            }
        }
        return victims;
    }

    /** A model that is alone always loads: what does not fit the card runs on the processor. */
    private boolean fits(World w, Installed model, List<Loaded> leaving) {
        long others = server(w).loaded.stream().filter(l -> !leaving.contains(l)).mapToLong(l -> l.model.vramBytes())
                .sum();
        return others == 0 || others + model.vramBytes() <= room(w);
    }

    /** Bytes of the card that models can have. */
    long room(World w) {
        LabCard card = w.cards.get(server(w).card);
        return card == null ? 0 : card.vramMiB - card.memoryReservedMiB << 20;
    }

    /** How much of a model is on the card: the ones that came first have theirs. */
    long onCard(World w, Loaded loaded) {
        long left = room(w);
        for (Loaded l : server(w).loaded) {
            long share = Math.min(left, l.model.vramBytes());
            if (l == loaded) {
                return share;
            }
            left -= share;
        }
        return 0;
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
