package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Watcher;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** Does something and tells a watcher what, how it ended and how long it took. */
final class Told {
    private final String system;
    private final Watcher watcher;
    private final InstantSource clock;

    Told(String system, Watcher watcher, InstantSource clock) {
        this.system = system;
        this.watcher = watcher;
        this.clock = clock;
    }

    <T> T tell(String text, Act<T> act, Function<T, String> outcome) throws TroubleException, InterruptedException {
        Instant begun = clock.instant();
        try {
            T result = act.perform();
            line(begun, text, outcome.apply(result));
            return result;
        } catch (TroubleException e) {
            line(begun, text, e.trouble().what());
            throw e;
        }
    }

    private void line(Instant begun, String text, String outcome) {
        watcher.line(new Watcher.Line(begun, system, text, Optional.of(outcome),
                Optional.of(Duration.between(begun, clock.instant()))));
    }
}
