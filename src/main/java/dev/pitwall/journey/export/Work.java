package dev.pitwall.journey.export;

import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a plan would do, in the order of a run. What several steps end in is done once, for the last of them; a file that
 * several steps write one after the other is written once. A step that was planned on the same ground as one before it has
 * to be planned anew after that one, and ends the work.
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
        return new Work(gathering.changes, open);
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
        private final Set<String> touched = new HashSet<>();

        /** True if these changes can follow those that are here, as they are. */
        boolean takes(List<Change> more) {
            return more.stream().allMatch(change -> switch (change) {
                case FileChange c -> place(c) < 0 || ((FileChange) changes.get(place(c))).after().equals(c.before());
                default -> contents(change).stream().noneMatch(touched::contains);
            });
        }

        void add(Change change) {
            touched.addAll(contents(change));
            switch (change) {
                case FileChange c when place(c) >= 0 -> merge(c);
                default -> {
                    changes.removeIf(earlier -> repeats(earlier, change));
                    changes.add(change);
                }
            }
        }

        private void merge(FileChange later) {
            int place = place(later);
            FileChange first = (FileChange) changes.get(place);
            if (first.before().equals(later.after())) {
                changes.remove(place);
            } else {
                changes.set(place, new FileChange(first.host(), first.path(), first.before(), later.after(), later.summary()));
            }
        }

        private int place(FileChange file) {
            for (int i = 0; i < changes.size(); i++) {
                if (changes.get(i) instanceof FileChange f && f.host().equals(file.host()) && f.path().equals(file.path())) {
                    return i;
                }
            }
            return -1;
        }

        private static Set<String> contents(Change change) {
            return switch (change) {
                case VmConfigChange c -> c.after().keySet().stream().map(key -> c.target() + " " + key).collect(Collectors.toSet());
                case VmCreation c -> Set.of("/nodes/" + c.node() + "/qemu/" + c.vmid());
                case VmRemoval c -> Set.of(c.target());
                case MappingChange c -> Set.of(c.target());
                case FileChange c -> Set.of();
                case CommandChange c -> Set.of();
                case HostReboot c -> Set.of();
                case VmPowerCycle c -> Set.of();
            };
        }

        private static boolean repeats(Change change, Change later) {
            return switch (change) {
                case CommandChange c -> later instanceof CommandChange l && l.host().equals(c.host())
                        && l.arguments().equals(c.arguments());
                case HostReboot c -> later instanceof HostReboot l && l.host().equals(c.host());
                case VmPowerCycle c -> later instanceof VmPowerCycle l && l.node().equals(c.node()) && l.vmid() == c.vmid();
                case FileChange c -> false;
                case VmConfigChange c -> false;
                case VmCreation c -> false;
                case VmRemoval c -> false;
                case MappingChange c -> false;
            };
        }
    }
}
