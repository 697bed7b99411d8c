package dev.pitwall.journey.export;

import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.Targets;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
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

    /**
     * What takes it all back: contents last-first, then the commands again, then reboots and power cycles.
     *
     * @return by the number of the change that each takes back, from 1
     */
    SequencedMap<Integer, Change> undo() {
        SequencedMap<Integer, Change> undo = new LinkedHashMap<>();
        for (int i = changes.size() - 1; i >= 0; i--) {
            if (changes.get(i).turn() == Change.Turn.CONTENT) {
                int number = i + 1;
                inverse(changes.get(i)).ifPresent(change -> undo.put(number, change));
            }
        }
        for (Change.Turn turn : List.of(Change.Turn.REFRESH, Change.Turn.POWER)) {
            for (int i = 0; i < changes.size(); i++) {
                if (changes.get(i).turn() == turn && !isOfVmThatGoes(changes.get(i), undo.values())) {
                    undo.put(i + 1, changes.get(i));
                }
            }
        }
        return Collections.unmodifiableSequencedMap(undo);
    }

    /** The Proxmox hosts that it alters, in order; what is altered in a cluster is of none. */
    List<String> hosts() {
        return changes.stream().filter(Work::isOfHost).map(Change::system).distinct().toList();
    }

    private static boolean isOfHost(Change change) {
        return switch (change) {
            case FileChange c -> true;
            case CommandChange c -> true;
            case VmConfigChange c -> true;
            case VmCreation c -> true;
            case VmRemoval c -> true;
            case MappingChange c -> true;
            case HostReboot c -> true;
            case VmPowerCycle c -> true;
            case ManifestChange c -> false;
            case HelmChange c -> false;
            case TalosUpgrade c -> false;
            case TalosConfigChange c -> false;
            case PackageChange c -> true;
            case NodeReboot c -> true;
            case PodRun c -> false;
            case ModelChange c -> false;
            case ModelAsk c -> false;
            case PodRestart c -> false;
        };
    }

    /** Empty for a VM that is gone with its disks, and for what is made elsewhere. */
    private static Optional<Change> inverse(Change change) {
        return switch (change) {
            case FileChange c -> Optional.of(c.inverse());
            case VmConfigChange c -> Optional.of(c.inverse());
            case MappingChange c -> Optional.of(c.inverse());
            case VmCreation c -> Optional.of(c.inverse());
            case VmRemoval c -> Optional.empty();
            case CommandChange c -> Optional.of(c);
            case HostReboot c -> Optional.of(c);
            case VmPowerCycle c -> Optional.of(c);
            case ManifestChange c -> Optional.empty();
            case HelmChange c -> Optional.empty();
            case TalosUpgrade c -> Optional.empty();
            case TalosConfigChange c -> Optional.empty();
            case PackageChange c -> Optional.of(c.inverse());
            case NodeReboot c -> Optional.of(c);
            case PodRun c -> Optional.empty();
            case ModelChange c -> Optional.empty();
            case ModelAsk c -> Optional.empty();
            case PodRestart c -> Optional.empty();
        };
    }

    private static boolean isOfVmThatGoes(Change change, Collection<Change> undo) {
        return change instanceof VmPowerCycle cycle && undo.stream()
                .anyMatch(other -> other instanceof VmRemoval removal && removal.vmid() == cycle.vmid());
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
