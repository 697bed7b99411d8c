package dev.pitwall.card;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The latest knowledge from one source: its last good value with its time, and the trouble if it fails now. A source
 * that fails keeps its last value, so that what was known is shown as old instead of vanishing.
 *
 * @param system  the name of the source in the site, for example {@code pve1}
 * @param value   the last good value, if there ever was one
 * @param at      when that value was read; present exactly when {@code value} is
 * @param trouble why the source fails now; empty while it answers
 * @param since   when the trouble began; present exactly when {@code trouble} is
 */
public record Observed<T>(String system, Optional<T> value, Optional<Instant> at, Optional<Trouble> trouble,
                          Optional<Instant> since) {

    public Observed {
        Objects.requireNonNull(system);
        if (value.isPresent() != at.isPresent() || trouble.isPresent() != since.isPresent()) {
            throw new IllegalArgumentException("a value needs its time, and a trouble its beginning");
        }
    }

    /** Nothing read yet, and nothing wrong yet. */
    public static <T> Observed<T> reading(String system) {
        return new Observed<>(system, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** A fresh value. */
    public static <T> Observed<T> fresh(String system, T value, Instant at) {
        return new Observed<>(system, Optional.of(value), Optional.of(at), Optional.empty(), Optional.empty());
    }

    /** This knowledge after a good read. */
    public Observed<T> read(T newValue, Instant now) {
        return fresh(system, newValue, now);
    }

    /** This knowledge after a failed read: the value stays, the trouble keeps its first time. */
    public Observed<T> failed(Trouble newTrouble, Instant now) {
        return new Observed<>(system, value, at, Optional.of(newTrouble), Optional.of(since.orElse(now)));
    }

    /** True while the source answers and has given a value. */
    public boolean live() {
        return value.isPresent() && trouble.isEmpty();
    }

    /** True while a first answer is still awaited. */
    public boolean pending() {
        return value.isEmpty() && trouble.isEmpty();
    }

    /** Age of the value, never negative; empty without a value. */
    public Optional<Duration> age(Instant now) {
        return at.map(t -> t.isAfter(now) ? Duration.ZERO : Duration.between(t, now));
    }

    /** The same knowledge about a part of the value. */
    public <U> Observed<U> map(Function<? super T, ? extends U> part) {
        return new Observed<>(system, value.map(part), at, trouble, since);
    }
}
