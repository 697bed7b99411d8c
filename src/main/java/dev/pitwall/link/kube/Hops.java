package dev.pitwall.link.kube;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Hop;

/** The list of hops of one connection test: each is tried in order, and after a refusal the rest stays to do. */
final class Hops {
    private final List<Hop> hops = new ArrayList<>();
    private final Consumer<List<Hop>> progress;
    private int next;

    /** What a hop does. */
    @FunctionalInterface
    interface Try {
        /** @return what was found, in a few words */
        String found() throws TroubleException, InterruptedException;
    }

    Hops(Consumer<List<Hop>> progress) {
        this.progress = progress;
    }

    /** Announces a hop that comes later. */
    Hops plan(String name, String text) {
        hops.add(Hop.toDo(name, text));
        return this;
    }

    void show() {
        progress.accept(all());
    }

    /** Tries the next planned hop. */
    Outcome run(Try hop) {
        return run(hops.get(next).name(), hop);
    }

    /** Tries the next planned hop under a name that is known only now. */
    Outcome run(String name, Try hop) {
        hops.set(next, Hop.running(name, hops.get(next).text()));
        show();
        long began = System.nanoTime();
        Hop done;
        try {
            String found = hop.found();
            done = Hop.ok(name, found, since(began));
        } catch (TroubleException refused) {
            done = Hop.refused(name, refused.trouble(), since(began));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            done = Hop.refused(name, new Trouble(Trouble.Kind.TIMEOUT, name, "the test was stopped",
                    "Test again."), since(began));
        }
        hops.set(next++, done);
        show();
        return done.state() == Hop.State.OK ? Outcome.PASSED : Outcome.REFUSED;
    }

    enum Outcome { PASSED, REFUSED }

    List<Hop> all() {
        return List.copyOf(hops);
    }

    private static Duration since(long began) {
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
