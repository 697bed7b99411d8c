package dev.pitwall.journey.export;

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

import java.util.ArrayList;
import java.util.List;

/**
 * What a plan would do, in the order of a run: what several steps end in is done once, for the last of them.
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
        List<Change> all = plan.changes();
        List<Change> once = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Change change = all.get(i);
            if (all.subList(i + 1, all.size()).stream().noneMatch(later -> repeats(change, later))) {
                once.add(change);
            }
        }
        return new Work(once, plan.steps().stream().filter(Work::open).map(s -> s.text().title() + ": " + s.answer().why())
                .toList());
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
            case MappingChange c -> false;
        };
    }

    private static boolean open(Planned step) {
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
}
