package dev.pitwall.engine.live;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What would come of a wish, before anything is done. */
public sealed interface Preview {

    /** The models that would go for it. */
    default Set<ModelName> going() {
        return switch (this) {
            case Possible possible -> possible.victims().stream().map(Victim::model).collect(Collectors.toUnmodifiableSet());
            case Refused _ -> Set.of();
        };
    }

    /** It can be done at once. @param figures empty where no memory is asked for; @param interrupts what a person is asked about first, in words: what would be broken off, and what is written besides */
    record Possible(Optional<Figures> figures, List<Victim> victims, Optional<Duration> about, List<String> interrupts)
            implements Preview {
        public Possible {
            victims = List.copyOf(victims);
            interrupts = List.copyOf(interrupts);
        }
    }

    /** @param why by name; @param words the sentence with its figures */
    record Refused(Why why, String words, Optional<Figures> figures) implements Preview {
    }

    /** Bytes. @param lacking how much more than free it needs, 0 if it fits; @param left free afterwards */
    record Figures(Memory need, long free, long lacking, long left) {
    }

    /** What has to go. */
    record Victim(ModelName model, long bytes, Optional<Duration> idle) {
    }

    /** Named reasons. */
    enum Why {
        /** Not even on the empty card. */
        TOO_LARGE,
        /** What would have to go is busy. */
        BUSY,
        /** What would have to go is pinned. */
        PINNED,
        HELD,
        SERVER_DOWN,
        /** Nobody tells how much memory there is. */
        ROOM_UNKNOWN,
        /** The server has not the model's files. */
        NOT_INSTALLED,
        ALREADY_THERE,
        NOT_THERE,
        /** Others would have to go than the person was shown. */
        NOT_AS_SHOWN,
        /** The server cannot do that. */
        UNSUPPORTED,
        /** Another engine decides for this site. */
        NOT_IN_CHARGE
    }
}
