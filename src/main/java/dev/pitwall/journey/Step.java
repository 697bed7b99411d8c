package dev.pitwall.journey;

import dev.pitwall.card.Floor;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.VmPowerCycle;

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

    /**
     * What has to be read so that it can answer; it is asked again with what was read for it, since what it would change tells
     * whether it has to know more: pods of the nodes that go down.
     */
    default Set<Survey> needs(Situation known) {
        Set<Survey> needs = Survey.of(floor());
        if (needs.stream().allMatch(known::knows) && look(known).intended().stream().anyMatch(Step::takesNodesDown)) {
            needs.add(Survey.HOST_NODES);
        }
        return needs;
    }

    private static boolean takesNodesDown(Change change) {
        return change instanceof HostReboot || change instanceof VmPowerCycle;
    }

    /** A step that only checks never changes anything, so a later step that may run need not wait until it can tell. */
    default Nature nature() {
        return Nature.CHANGES;
    }

    /** What a step is for. */
    enum Nature { CHANGES, CHECKS }
}
