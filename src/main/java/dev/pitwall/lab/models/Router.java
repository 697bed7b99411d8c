package dev.pitwall.lab.models;

import dev.pitwall.lab.net.ClientPresence;
import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Download;
import dev.pitwall.lab.world.LabModelServer.Installed;
import dev.pitwall.lab.world.LabModelServer.Loaded;
import dev.pitwall.lab.world.LabModelServer.LoadTrouble;
import dev.pitwall.lab.world.World;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a llama-server router does with its models: each runs in a process of its own, a load is begun and followed, the
 * least recently used one goes when there are too many (facts: models.md 5.3).
 */
final class Router implements AutoCloseable {
    /** Weights come in at about this pace; the rest is the child's start. */
    private static final double LOAD_BYTES_PER_SECOND = 1L << 30;
    private static final Duration CHILD_START = Duration.ofMillis(800);
    private static final Duration TICK = Duration.ofMillis(60);

    private final World world;
    private final String name;
    private final ModelLibrary library;
    private final Pulls pulls;
    private final Set<Thread> downloading = ConcurrentHashMap.newKeySet();

    Router(World world, String name, ModelLibrary library) {
        this.world = world;
        this.name = name;
        this.library = library;
        this.pulls = new Pulls(world.clock());
    }

    /** @return empty once the server has gone */
    Optional<LabModelServer> server(World w) {
        return Optional.ofNullable(w.servers.get(name));
    }

    void settle() {
        Instant now = world.clock().instant();
        if (world.read(w -> server(w).filter(server -> server.isUnsettled(now)).isPresent())) {
            world.change(w -> server(w).ifPresent(server -> server.settle(now)));
        }
    }

    Optional<Installed> installed(String model) {
        return world.read(w -> server(w).flatMap(server -> server.installed.stream()
                .filter(m -> m.name().equals(model)).findFirst()));
    }

    /**
     * Begins a load and returns at once.
     *
     * @throws RouterRefusal 404 for a model it does not have, 400 for one that runs
     */
    void load(String model) throws RouterRefusal {
        Installed wanted = installed(model).orElseThrow(RouterRefusal::modelNotFound);
        settle();
        if (running(model).isPresent()) {
            throw RouterRefusal.bad("model is already running");
        }
        begin(wanted);
    }

    private Optional<Loaded> running(String model) {
        return world.read(w -> server(w).flatMap(server -> find(server, model)));
    }

    private static Optional<Loaded> find(LabModelServer server, String model) {
        return server.loaded.stream().filter(l -> l.model.name().equals(model)).findFirst();
    }

    private void begin(Installed model) {
        world.change(w -> server(w).filter(server -> find(server, model.name()).isEmpty()).ifPresent(server -> {
            Instant now = w.clock().instant();
            makeRoom(server);
            Loaded loaded = new Loaded(model);
            loaded.usedAt = now;
            loaded.expiresAt = Instant.MAX;
            loaded.fails = server.loadTrouble == LoadTrouble.FAILS;
            loaded.readyAt = now.plus(loadTime(model));
            if (server.loadTrouble == LoadTrouble.HANGS) {
                loaded.hang();
            }
            server.failed.remove(model.name());
            server.loaded.add(loaded);
            server.begun.merge(model.name(), 1, Integer::sum);
        }));
    }

    static Duration loadTime(Installed model) {
        return CHILD_START.plusMillis(Math.round(model.vramBytes() / LOAD_BYTES_PER_SECOND * 1000));
    }

    /** Sleeping and loading ones count as running; one that answers is spared while there is another. */
    private static void makeRoom(LabModelServer server) {
        while (server.mostLoaded > 0 && server.loaded.size() >= server.mostLoaded) {
            Loaded victim = server.loaded.stream().min(Comparator.comparing((Loaded l) -> l.busy > 0)
                    .thenComparing(l -> l.usedAt)).orElseThrow();
            server.loaded.remove(victim);
        }
    }

    /**
     * Ends a model's process, also in the middle of its load, or a download.
     *
     * @throws RouterRefusal 400 for a model that is unknown or does not run
     */
    void unload(String model) throws RouterRefusal {
        settle();
        boolean[] ended = new boolean[1];
        world.change(w -> server(w).ifPresent(server -> ended[0] =
                server.loaded.removeIf(l -> l.model.name().equals(model)) | server.downloads.remove(model) != null));
        if (!ended[0]) {
            throw RouterRefusal.bad(installed(model).isPresent() ? "model is not running" : "model is not found");
        }
    }

    /**
     * Waits until a model answers and marks it busy.
     *
     * @param autoload what is to be done with one that does not run
     * @throws RouterRefusal if it does not run and is not to be loaded, or its load fails
     */
    Loaded acquire(String model, Autoload autoload, ClientPresence client)
            throws RouterRefusal, InterruptedException {
        Installed wanted = installed(model).orElseThrow(() -> RouterRefusal.bad("model '" + model + "' not found"));
        settle();
        if (running(model).isEmpty()) {
            if (autoload == Autoload.NO) {
                throw RouterRefusal.bad("model is not loaded");
            }
            begin(wanted);
        }
        while (true) {
            settle();
            Loaded loaded = running(model).orElseThrow(() -> RouterRefusal.failed("model name=" + model
                    + " failed to load"));
            Instant now = world.clock().instant();
            if (world.read(w -> loaded.asleep)) {
                world.change(w -> {
                    loaded.asleep = false;
                    loaded.readyAt = now.plus(loadTime(loaded.model));
                });
            } else if (world.read(w -> loaded.isReady(now))) {
                world.change(w -> loaded.busy++);
                return loaded;
            }
            client.require();
            world.clock().await(now.plus(Duration.ofMillis(200)));
        }
    }

    /** Whether a request may load a model. */
    enum Autoload { YES, NO }

    void release(Loaded loaded) {
        world.change(w -> {
            loaded.busy = Math.max(0, loaded.busy - 1);
            loaded.usedAt = w.clock().instant();
        });
    }

    /**
     * Begins a download from the hub.
     *
     * @throws RouterRefusal 400 if it is there already, or the hub has no such model
     */
    void download(String model) throws RouterRefusal {
        ModelLibrary.Entry entry = library.onHub(model)
                .orElseThrow(() -> RouterRefusal.bad("model validation failed, unable to download"));
        boolean coming = world.read(w -> server(w).filter(s -> s.downloads.containsKey(model)).isPresent());
        if (coming || installed(model).isPresent()) {
            throw RouterRefusal.bad("model '" + model + "' already exists");
        }
        String url = "https://huggingface.co/" + model.replaceFirst(":.*", "") + "/resolve/main/"
                + model.replaceFirst(".*/", "").replace("-GGUF:", "-") + ".gguf";
        world.change(w -> server(w).ifPresent(s -> s.downloads.put(model, new Download(url, entry.diskBytes(), 0))));
        Thread thread = Thread.ofVirtual().name("lab-download").unstarted(() -> follow(model, entry, url));
        downloading.add(thread);
        thread.start();
    }

    private void follow(String model, ModelLibrary.Entry entry, String url) {
        pulls.join(model);
        try {
            for (long done = 0; done < entry.diskBytes();) {
                done = pulls.completed(model, entry.diskBytes());
                if (!step(model, new Download(url, entry.diskBytes(), done))) {
                    return;
                }
                Thread.sleep(TICK);
            }
            world.change(w -> server(w).ifPresent(server -> {
                server.downloads.remove(model);
                server.installed.add(new Installed(model, entry.digest(), entry.diskBytes(), entry.vramBytes(),
                        entry.family(), entry.parameterSize(), entry.quantization(), entry.contextLength(),
                        w.clock().instant()));
            }));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            pulls.leave(model, entry.diskBytes());
            downloading.remove(Thread.currentThread());
        }
    }

    /** @return false once it was cancelled */
    private boolean step(String model, Download at) {
        boolean[] goesOn = new boolean[1];
        world.change(w -> server(w).ifPresent(server -> goesOn[0] = server.downloads.replace(model, at) != null));
        return goesOn[0];
    }

    /**
     * Deletes a model that came from the hub.
     *
     * @throws RouterRefusal 404 for one it does not have, 400 for one of the owner's own
     */
    void delete(String model) throws RouterRefusal {
        installed(model).orElseThrow(RouterRefusal::modelNotFound);
        if (!isFromHub(model)) {
            throw RouterRefusal.bad("model is not removable");
        }
        world.change(w -> server(w).ifPresent(server -> {
            server.loaded.removeIf(l -> l.model.name().equals(model));
            server.installed.removeIf(m -> m.name().equals(model));
        }));
    }

    static boolean isFromHub(String model) {
        return model.contains("/");
    }

    @Override
    public void close() {
        for (Thread thread : Set.copyOf(downloading)) {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
