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
 * <p>A value may also come from an earlier run of Pitwall, kept in its store: it has its own, old time, and it is never
 * {@link #live()}. Until the source has answered in this run it is {@link #pending()}, and floors that stand on it say
 * "was …"; if it fails, they say that too, with the trouble.
 *
 * <p>A source may answer although a part of it may not be read. Then its value is as fresh as any, the trouble says what
 * is missing, and the value itself says which parts are: it is {@link #live()} with a trouble.
 *
 * @param system  the name of the source in the site, for example {@code pve1}
 * @param value   the last good value, if there ever was one
 * @param at      when that value was read; present exactly when {@code value} is
 * @param trouble why the source fails now; empty while it answers
 * @param since   when the trouble began; present exactly when {@code trouble} is
 * @param grade   how good the value is
 */
public record Observed<T>(String system, Optional<T> value, Optional<Instant> at, Optional<Trouble> trouble,
                          Optional<Instant> since, Grade grade) {

    /** How good a value is. */
    public enum Grade {
        /** Read by this run of Pitwall. */
        READ,
        /** Read by this run, but for the part that the trouble names. */
        PARTLY_READ,
        /** Kept from an earlier run. */
        KEPT
    }

    public Observed {
        Objects.requireNonNull(system);
        Objects.requireNonNull(grade);
        if (value.isPresent() != at.isPresent() || trouble.isPresent() != since.isPresent()) {
            throw new IllegalArgumentException("a value needs its time, and a trouble its beginning");
        }
    }

    /** Knowledge of this run. */
    public Observed(String system, Optional<T> value, Optional<Instant> at, Optional<Trouble> trouble,
                    Optional<Instant> since) {
        this(system, value, at, trouble, since, Grade.READ);
    }

    /** Nothing read yet, and nothing wrong yet. */
    public static <T> Observed<T> reading(String system) {
        return new Observed<>(system, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** What an earlier run of Pitwall read, not confirmed by this one yet. */
    public static <T> Observed<T> kept(String system, T value, Instant at) {
        return new Observed<>(system, Optional.of(value), Optional.of(at), Optional.empty(), Optional.empty(),
                Grade.KEPT);
    }

    /** A fresh value without the part that the trouble names. */
    public static <T> Observed<T> partly(String system, T value, Instant at, Trouble missing, Instant since) {
        return new Observed<>(system, Optional.of(value), Optional.of(at), Optional.of(missing), Optional.of(since),
                Grade.PARTLY_READ);
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
        return new Observed<>(system, value, at, Optional.of(newTrouble), Optional.of(since.orElse(now)),
                grade == Grade.KEPT ? Grade.KEPT : Grade.READ);
    }

    /** True while the source answers and has given a value in this run, if only a part of it. */
    public boolean live() {
        return value.isPresent() && switch (grade) {
            case READ -> trouble.isEmpty();
            case PARTLY_READ -> true;
            case KEPT -> false;
        };
    }

    /** True while this run's first answer is still awaited. */
    public boolean pending() {
        return trouble.isEmpty() && !live();
    }

    /** Age of the value, never negative; empty without a value. */
    public Optional<Duration> age(Instant now) {
        return at.map(t -> t.isAfter(now) ? Duration.ZERO : Duration.between(t, now));
    }

    /** The same knowledge about a part of the value. */
    public <U> Observed<U> map(Function<? super T, ? extends U> part) {
        return of(system, value.map(part));
    }

    /** The same knowledge about a part of the value which is a system of its own, for example one node of a cluster. */
    public <U> Observed<U> of(String part, Optional<U> partOfValue) {
        return new Observed<>(part, partOfValue, partOfValue.isPresent() ? at : Optional.empty(), trouble, since, grade);
    }
}
