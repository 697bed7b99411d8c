package dev.pitwall.journey.export;

import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.Targets;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What a plan would do, in the order of a run. What several steps end in is done once, for the last of them; a file
 * that several steps write one after the other is written once. A step that was planned on the same ground as one
 * before it has to be planned anew after that one, and ends the work.
 *
 * @param changes in order
 * @param open    the steps that are not in it, each with the reason: they need another plan later
 */
record Work(List<Change> changes, List<String> open) {

    Work {
        changes = List.copyOf(changes);
        open = List.copyOf(open);
    }

    static Work of(CardPlan plan) {
        Gathering gathering = new Gathering();
        List<String> open = new ArrayList<>();
        boolean over = false;
        for (Planned step : plan.steps()) {
            boolean ready = step.answer().state() == State.READY;
            over = over || ready && !gathering.takes(step.answer().changes());
            if (ready && !over) {
                step.answer().changes().forEach(gathering::add);
            } else if (ready) {
                open.add(step.text().title() + ": to be planned when what comes before it is done");
            } else if (isOpen(step)) {
                open.add(step.text().title() + ": " + step.answer().why());
            }
        }
        return new Work(Targets.once(gathering.changes, change -> change), open);
    }

    private static boolean isOpen(Planned step) {
        return switch (step.answer().state()) {
            case WAITING, BLOCKED, UNKNOWN -> true;
            case DONE, READY, NOT_APPLICABLE, SKIPPED -> false;
        };
    }

    /** The first line of every form. */
    static String title(CardPlan plan) {
        return plan.card().name() + " in " + plan.card().host() + " (" + plan.card().slot() + "), planned by Pitwall "
                + plan.at();
    }

    private static final class Gathering {
        private final List<Change> changes = new ArrayList<>();
        private final Targets targets = new Targets();

        /** True if these changes can follow those that are here, as they are. */
        boolean takes(List<Change> more) {
            return targets.takes(more);
        }

        void add(Change change) {
            targets.add(change);
            switch (change) {
                case FileChange later -> place(later)
                        .ifPresentOrElse(place -> merge(place, later), () -> changes.add(later));
                default -> changes.add(change);
            }
        }

        private void merge(int place, FileChange later) {
            ((FileChange) changes.get(place)).with(later)
                    .ifPresentOrElse(whole -> changes.set(place, whole), () -> changes.remove(place));
        }

        private OptionalInt place(FileChange file) {
            return IntStream.range(0, changes.size()).filter(i -> Targets.of(List.of(changes.get(i))).hasFileOf(file))
                    .findFirst();
        }
    }
}
