package dev.pitwall.journey;

import dev.pitwall.card.Floor;

import java.util.Set;

/**
 * A part of a card's way up. It answers from what was read and does nothing itself: whether it applies, may run, is
 * done, and what it would change are all in its {@link Answer}; undo is in the changes.
 */
public interface Step {

    /** Stable name, for example {@code bind}; its texts are in {@code journey/steps.yaml} under it. */
    String id();

    /** The floor it brings up, or a part of it. */
    Floor floor();

    /** The keys of all questions that it may ask, and of what can be chosen beside them. */
    default Set<String> keys() {
        return Set.of();
    }

    Answer look(Situation situation);

    /** A step that only checks never changes anything, so a later step that may run need not wait until it can tell. */
    default Nature nature() {
        return Nature.CHANGES;
    }

    /** What a step is for. */
    enum Nature { CHANGES, CHECKS }
}
