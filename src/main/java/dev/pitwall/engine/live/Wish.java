package dev.pitwall.engine.live;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a person wants done. */
public sealed interface Wish {

    /** Load it there, after the victims that the person was shown have gone. */
    record Place(ModelName model, ProviderId to) implements Wish {
    }

    /** Load it there, and once it is ready unload it where it was. */
    record Move(PlacementId what, ProviderId to) implements Wish {
    }

    /** Unload it; work in progress is waited for. */
    record Evict(PlacementId what) implements Wish {
    }

    /** The engine does not evict it and loads it again when it was lost. */
    record Pin(PlacementId what) implements Wish {
    }

    record Unpin(PlacementId what) implements Wish {
    }

    /** The engine puts nothing on it and takes nothing from it. @param until empty: until released */
    record Hold(ProviderId provider, Optional<Instant> until) implements Wish {
    }

    record Release(ProviderId provider) implements Wish {
    }

    /** Give up a load that is asked for or under way, or a measurement of its speed. */
    record Cancel(PlacementId what) implements Wish {
    }

    /** Bring the model's files to the server. A pull that was cut goes on where it was. */
    record Pull(ModelName model, ProviderId to) implements Wish {
    }

    record CancelPull(ModelName model, ProviderId to) implements Wish {
    }

    /** Find out how fast it is where it is, and on the processor: it is loaded anew for that, and again as it was. */
    record MeasureSpeed(PlacementId what) implements Wish {
    }

    record SetMode(Mode mode) implements Wish {
    }

    /** Some wishes as one; empty for none. */
    static Optional<Wish> together(List<Wish> wishes) {
        return switch (wishes.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(wishes.getFirst());
            default -> Optional.of(new All(wishes));
        };
    }

    /** Several at once, in this order; the preview of each counts with those before it. */
    record All(List<Wish> wishes) implements Wish {
        public All {
            wishes = List.copyOf(wishes);
            if (wishes.isEmpty()) {
                throw new IllegalArgumentException("several wishes are at least one");
            }
        }
    }
}
