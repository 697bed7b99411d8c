package dev.pitwall.engine.live;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What others than its server use of a provider's cards: what the card says less what the server has. A card is sampled
 * up to 30 s late (DCGM), so a sample counts only if nothing has changed on the server since the one before it.
 */
final class Foreign {
    private static final int SAMPLES = 2;

    private Optional<Instant> last = Optional.empty();
    private int quiet;
    private long bytes;
    private long used;
    private Optional<Measuring> measuring = Optional.empty();

    /** A load whose memory is measured by the card. */
    private record Measuring(ModelName model, long before) {
    }

    /** What a measured load took. */
    record Measured(ModelName model, long bytes) {
    }

    long bytes() {
        return bytes;
    }

    /** What others use by a look at which nothing had moved for long enough. */
    Optional<Long> settled() {
        return quiet >= SAMPLES ? Optional.of(bytes) : Optional.empty();
    }

    /** Something was loaded or let go, so samples from before say nothing any more. */
    void changed() {
        quiet = 0;
        measuring = Optional.empty();
    }

    /** A load begins. Its memory can be measured if all was quiet before it and stays quiet but for it. */
    void loading(ModelName model) {
        Optional<Measuring> begun = quiet >= SAMPLES && measuring.isEmpty() ? Optional.of(new Measuring(model, used))
                : Optional.empty();
        quiet = 0;
        measuring = begun;
    }

    /** That load has ended well. */
    void loaded(ModelName model) {
        quiet = 0;
        measuring = measuring.filter(m -> m.model().equals(model));
    }

    /**
     * A look at the card.
     *
     * @param ours  bytes the server's placements have of it
     * @param still whether the server loads and unloads nothing now
     * @return a load that was measured by this sample
     */
    Optional<Measured> sample(SitePicture.Gauge gauge, long ours, boolean still) {
        OptionalLong usedNow = gauge.used();
        if (usedNow.isEmpty() || last.filter(gauge.sampledAt()::equals).isPresent()) {
            return Optional.empty();
        }
        boolean first = last.isEmpty();
        last = Optional.of(gauge.sampledAt());
        quiet = still ? quiet + 1 : 0;
        if (quiet < SAMPLES && !(first && still)) {
            return Optional.empty();
        }
        used = usedNow.getAsLong();
        if (measuring.isPresent()) {
            Measured measured = new Measured(measuring.get().model(), used - measuring.get().before());
            measuring = Optional.empty();
            return Optional.of(measured);
        }
        bytes = Math.max(0, used - ours);
        return Optional.empty();
    }
}
