package dev.pitwall.engine.live;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Memory that has to come back to a card after its server has let models go: the server's list proves nothing of it, the
 * card does (facts: models.md 5.1, 8). What does not come back is held by somebody, as a rule by a process that did not end.
 */
final class Returning {
    /** It is looked after for that long where the card can be asked at once; 0.5 to 1.5 s is usual. */
    static final Duration LIMIT = Duration.ofSeconds(8);
    /** A card that is sampled by others has shown it by then. */
    private static final Duration SLOW_LIMIT = Duration.ofMinutes(2);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    /** Of what should come back. Less is within what estimates and buffers are wrong by. */
    private static final double HELD = 0.5;
    private static final long WORTH_SAYING = 256L << 20;

    /** Models whose memory is not back. */
    record Held(List<ModelName> models, long bytes) {
    }

    private final List<ModelName> models = new ArrayList<>();
    private final long othersBefore;
    private long bytes;
    private Instant since;
    private Instant lookedAt;

    /** @param othersBefore bytes that others had while the models were there */
    Returning(long othersBefore, Instant now) {
        this.othersBefore = othersBefore;
        this.since = now;
        this.lookedAt = now;
    }

    void add(ModelName model, long more, Instant now) {
        models.add(model);
        bytes += more;
        since = now;
    }

    /** Whether a card that can be asked is to be asked now. */
    boolean looks(Instant now) {
        boolean due = !now.isBefore(lookedAt.plus(LOOK_AGAIN));
        lookedAt = due ? now : lookedAt;
        return due;
    }

    /** What a settled look at the card says. */
    sealed interface Verdict {
        /** All is back, as far as can be told. */
        record Back() implements Verdict {
        }

        /** It may still come. */
        record NotYet() implements Verdict {
        }

        record Stays(Held held) implements Verdict {
        }
    }

    /**
     * @param others by the newest settled look since the models went; empty where there is none yet
     * @param prompt the card can be asked at once
     */
    Verdict verdict(Optional<Long> others, boolean prompt, Instant now) {
        boolean over = now.isAfter(since.plus(prompt ? LIMIT : SLOW_LIMIT));
        if (others.isEmpty()) {
            // Nobody could look; nothing is claimed then.
            return over ? new Verdict.Back() : new Verdict.NotYet();
        }
        long held = others.get() - othersBefore;
        if (held < Math.max(WORTH_SAYING, Math.round(bytes * HELD))) {
            return new Verdict.Back();
        }
        return over || !prompt ? new Verdict.Stays(new Held(List.copyOf(models), held)) : new Verdict.NotYet();
    }
}
