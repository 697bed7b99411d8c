package dev.pitwall.engine.live;

import dev.pitwall.card.Sentences;
import dev.pitwall.engine.charge.Charge;
import java.time.Instant;
import java.util.Optional;

/** Whether this engine decides, as its core knows it. */
final class InCharge {

    /** What has changed for this engine. */
    enum Change { TAKEN, LOST }

    private final Sentences words;
    private final Diary diary;
    private Charge.State state = new Charge.State.Looking();

    InCharge(Sentences words, Diary diary) {
        this.words = words;
        this.diary = diary;
    }

    boolean here() {
        return isHere(state);
    }

    /** Nobody decides, and this engine may. */
    boolean free() {
        return switch (state) {
            case Charge.State.Free _ -> true;
            case Charge.State.Here _, Charge.State.Elsewhere _, Charge.State.Looking _, Charge.State.Unknown _ -> false;
        };
    }

    private static boolean isHere(Charge.State state) {
        return switch (state) {
            case Charge.State.Here _ -> true;
            case Charge.State.Free _, Charge.State.Elsewhere _, Charge.State.Looking _, Charge.State.Unknown _ -> false;
        };
    }

    /** Why nothing is decided here. */
    String words() {
        return switch (state) {
            case Charge.State.Here _ -> "";
            case Charge.State.Elsewhere(String holder) -> words.say("charge.elsewhere", holder);
            case Charge.State.Free _ -> words.say("charge.free");
            case Charge.State.Looking _ -> words.say("charge.looking");
            case Charge.State.Unknown(var why) -> words.say("charge.unknown", why.sentence(), why.next());
        };
    }

    /** What everybody is to see all the time; a first look that takes a moment is none of it. */
    Optional<String> notice() {
        return switch (state) {
            case Charge.State.Here _, Charge.State.Free _, Charge.State.Looking _ -> Optional.empty();
            case Charge.State.Elsewhere _, Charge.State.Unknown _ -> Optional.of(words());
        };
    }

    /** @return what that changes; the log has it, but for who begins at once */
    Optional<Change> turn(Charge.State next, Instant now) {
        boolean before = here();
        boolean waited = switch (state) {
            case Charge.State.Free _, Charge.State.Elsewhere _, Charge.State.Unknown _ -> true;
            case Charge.State.Here _, Charge.State.Looking _ -> false;
        };
        state = next;
        if (before == here()) {
            return Optional.empty();
        }
        if (before || waited) {
            diary.add(now, Entry.Kind.MODE, Optional.empty(), Optional.empty(), words.say(before ? "charge.lost.title"
                    : "charge.taken.title"), before ? words() : words.say("charge.taken.words"), Optional.empty());
        }
        return Optional.of(before ? Change.LOST : Change.TAKEN);
    }
}
