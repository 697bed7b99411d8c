package dev.pitwall.engine.live;

import dev.pitwall.card.Sentences;
import dev.pitwall.engine.charge.Charge;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Whether this engine decides, as its core knows it. */
final class InCharge {

    /** What has changed for this engine. */
    enum Change { TAKEN, LOST }

    /** A first look that takes no longer is not worth a word. */
    private static final Duration A_MOMENT = Duration.ofSeconds(3);

    private final Sentences words;
    private final Diary diary;
    private Charge.State state = new Charge.State.Looking();
    private Instant since = Instant.MAX;
    /** It is this engine's matter until it is known that it is not: an answer that is late takes nothing from it. */
    private boolean ours;
    /** The log says last that it does not decide. */
    private boolean owesWord;

    InCharge(Sentences words, Diary diary) {
        this.words = words;
        this.diary = diary;
    }

    boolean here() {
        return isHere(state);
    }

    /** It is not settled: what is asked for waits until it is. */
    boolean open() {
        return switch (state) {
            case Charge.State.Free _, Charge.State.Looking _ -> true;
            case Charge.State.Here _, Charge.State.Elsewhere _, Charge.State.Unknown _ -> false;
        };
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
    Optional<String> notice(Instant now) {
        return switch (state) {
            case Charge.State.Here _, Charge.State.Free _ -> Optional.empty();
            case Charge.State.Looking _ -> Optional.of(words()).filter(_ -> ours || now.isAfter(since.plus(A_MOMENT)));
            case Charge.State.Elsewhere _, Charge.State.Unknown _ -> Optional.of(words());
        };
    }

    /** @return what that changes; the log has it, but for who begins at once */
    Optional<Change> turn(Charge.State next, Instant now) {
        boolean before = here();
        since = since.equals(Instant.MAX) || !next.equals(state) ? now : since;
        state = next;
        return switch (next) {
            case Charge.State.Here _ -> taken(now);
            case Charge.State.Looking _ -> late(before, now);
            case Charge.State.Free _ -> {
                Optional<Change> change = late(before, now);
                owesWord = true;
                yield change;
            }
            case Charge.State.Elsewhere _, Charge.State.Unknown _ -> lost(now);
        };
    }

    private Optional<Change> taken(Instant now) {
        if (owesWord) {
            say(now, Entry.Kind.MODE, ours ? "charge.again.title" : "charge.taken.title", words.say("charge.taken.words"));
        }
        boolean fresh = !ours;
        owesWord = false;
        ours = true;
        return fresh ? Optional.of(Change.TAKEN) : Optional.empty();
    }

    /** The Lease could not be renewed in time; nobody else is known to have it. */
    private Optional<Change> late(boolean before, Instant now) {
        if (before) {
            say(now, Entry.Kind.WAITED, "charge.late.title", words.say("charge.late.words"));
            owesWord = true;
        }
        return Optional.empty();
    }

    private Optional<Change> lost(Instant now) {
        boolean lost = ours;
        ours = false;
        owesWord = true;
        if (lost) {
            say(now, Entry.Kind.MODE, "charge.lost.title", words());
        }
        return lost ? Optional.of(Change.LOST) : Optional.empty();
    }

    private void say(Instant now, Entry.Kind kind, String title, String text) {
        diary.add(now, kind, Optional.empty(), Optional.empty(), words.say(title), text, Optional.empty());
    }
}
