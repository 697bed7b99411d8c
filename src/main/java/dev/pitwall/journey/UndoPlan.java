package dev.pitwall.journey;

import dev.pitwall.journey.change.Change;

import java.util.List;
import java.util.Optional;

/**
 * What the undo of a run would do now.
 *
 * @param refusal why it cannot be undone now, for example {@code run 36 first}; empty if it can
 * @param changes in the order in which they would be made; those that are so already are left out
 */
public record UndoPlan(long run, Optional<String> refusal, List<Change> changes) {
    public UndoPlan {
        changes = List.copyOf(changes);
    }
}
