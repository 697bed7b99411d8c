package dev.pitwall.link;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Hop;
import dev.pitwall.site.Identity;
import dev.pitwall.site.Reachability;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * The hops of one connection test, in order, and what is known of each. After every change the whole list is told to
 * the listener, from the thread that runs the test. A step's work runs on a virtual thread, so that an interrupt of the
 * test ends it wherever it waits.
 */
public final class HopRun {
    private final Consumer<List<Hop>> progress;
    private final List<Hop> hops = new ArrayList<>();

    public HopRun(Consumer<List<Hop>> progress) {
        this.progress = progress;
    }

    /** One step's work. */
    @FunctionalInterface
    public interface Attempt<T> {
        Found<T> go() throws TroubleException, InterruptedException;
    }

    /** @param text what the hop shows */
    public record Found<T>(T value, String text) {
    }

    /** Announces a hop that will follow. */
    public HopRun plan(String name, String waits) {
        hops.add(Hop.toDo(name, waits));
        return this;
    }

    /**
     * Makes a step: the hop runs, then is ok or refused. A hop that was not planned is added at the end.
     *
     * @throws TroubleException after the hop was marked as refused; the test ends there
     */
    public <T> T step(String name, String running, Attempt<T> attempt) throws TroubleException, InterruptedException {
        Hop before = find(name).orElse(Hop.toDo(name, running));
        show(Hop.running(name, running));
        long start = System.nanoTime();
        try {
            Found<T> found = elsewhere(attempt);
            show(Hop.ok(name, found.text(), since(start)));
            return found.value();
        } catch (TroubleException e) {
            show(Hop.refused(name, e.trouble(), since(start)));
            throw e;
        } catch (InterruptedException e) {
            show(before);
            throw e;
        }
    }

    /** Marks a hop that waits for the person. */
    public void asks(String name, String text) {
        show(Hop.asks(name, text));
    }

    /** Ends the test. */
    public Reachability.Outcome outcome(Optional<Identity> identity, List<String> notes) {
        return new Reachability.Outcome(hops, identity, notes);
    }

    /** Ends the test of a system that has told of its peers. */
    public Reachability.Outcome outcome(Optional<Identity> identity, List<String> notes,
                                        List<Reachability.Peer> peers) {
        return new Reachability.Outcome(hops, identity, notes, peers);
    }

    private Optional<Hop> find(String name) {
        return hops.stream().filter(hop -> hop.name().equals(name)).findFirst();
    }

    private void show(Hop hop) {
        int place = find(hop.name()).map(hops::indexOf).orElse(hops.size());
        if (place == hops.size()) {
            hops.add(hop);
        } else {
            hops.set(place, hop);
        }
        progress.accept(List.copyOf(hops));
    }

    private static <T> Found<T> elsewhere(Attempt<T> attempt) throws TroubleException, InterruptedException {
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Found<T>> future = thread.submit((Callable<Found<T>>) attempt::go);
            try {
                return future.get();
            } catch (InterruptedException e) {
                future.cancel(true);
                throw e;
            } catch (ExecutionException e) {
                switch (e.getCause()) {
                    case TroubleException trouble -> throw trouble;
                    case InterruptedException interrupted -> throw interrupted;
                    case RuntimeException bug -> throw bug;
                    case Throwable other -> throw new IllegalStateException(other);
                }
            }
        }
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
