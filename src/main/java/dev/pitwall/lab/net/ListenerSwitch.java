package dev.pitwall.lab.net;

import dev.pitwall.lab.world.World;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Keeps ports open or silent as the world says, from a thread of its own, so that a change never waits for a socket. */
public final class ListenerSwitch implements AutoCloseable {
    /** One thing that can answer or be silent. */
    private static final class Position {
        private final Predicate<World> wanted;
        private final Consumer<Boolean> apply;
        private boolean open = true;

        Position(Predicate<World> wanted, Consumer<Boolean> apply) {
            this.wanted = wanted;
            this.apply = apply;
        }
    }

    private final World world;
    private final Map<String, Position> positions = new LinkedHashMap<>();
    private final Semaphore changes = new Semaphore(0);
    private Thread thread;
    private volatile boolean closed;

    public ListenerSwitch(World world) {
        this.world = world;
    }

    /**
     * Adds something that is open now.
     *
     * @param wanted whether it should answer; called inside {@link World#read}
     * @param apply  opens it for true, silences it for false; never called twice in a row with the same
     */
    public void add(String name, Predicate<World> wanted, Consumer<Boolean> apply) {
        positions.put(name, new Position(wanted, apply));
    }

    /** Adds a listener of a lab's HTTP servers. */
    public void add(LabHttp http, String listener, Predicate<World> wanted) {
        add(listener, wanted, open -> {
            if (open) {
                http.answer(listener);
            } else {
                http.silence(listener);
            }
        });
    }

    /** Applies what the world says now, and from here on whenever it changes. */
    public void start() {
        update();
        world.onChange(changes::release);
        thread = Thread.ofVirtual().name("lab-listener-switch").start(this::watch);
    }

    private void watch() {
        try {
            while (!closed) {
                changes.acquire();
                changes.drainPermits();
                update();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void update() {
        for (Position position : positions.values()) {
            boolean wanted = world.read(position.wanted::test);
            if (wanted != position.open && !closed) {
                position.open = wanted;
                position.apply.accept(wanted);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
