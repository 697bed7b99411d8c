package dev.pitwall.journey;

import dev.pitwall.card.TroubleException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** Tells a watcher of calls. */
record Watching(Watcher watcher, InstantSource clock) {

    @FunctionalInterface
    interface Work<T> {
        T run() throws TroubleException, InterruptedException;
    }

    /**
     * Makes a call and tells of it when it has ended.
     *
     * @param outcome what is said of a call that ended well
     */
    <T> T call(String system, String text, Work<T> work, Function<T, String> outcome)
            throws TroubleException, InterruptedException {
        Instant start = clock.instant();
        try {
            T result = work.run();
            ended(start, system, text, outcome.apply(result));
            return result;
        } catch (TroubleException e) {
            ended(start, system, text, e.trouble().what());
            throw e;
        } catch (InterruptedException e) {
            ended(start, system, text, "interrupted");
            throw e;
        }
    }

    private void ended(Instant start, String system, String text, String outcome) {
        Instant end = clock.instant();
        watcher.line(new Watcher.Line(end, system, text, Optional.of(outcome),
                Optional.of(Duration.between(start, end))));
    }

    void printed(String system, String text) {
        watcher.line(new Watcher.Line(clock.instant(), system, text, Optional.empty(), Optional.empty()));
    }
}
