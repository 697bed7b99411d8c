package dev.pitwall.journey.run;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What changes alter, so that it can be told whether one goes with another. */
final class Targets {
    private final Set<String> touched = new HashSet<>();
    private final Map<String, Content> files = new HashMap<>();

    static Targets of(List<CardPlan.Planned> steps) {
        Targets targets = new Targets();
        steps.forEach(s -> s.answer().changes().forEach(targets::add));
        return targets;
    }

    void add(Change change) {
        touched.addAll(contents(change));
        if (change instanceof FileChange file) {
            files.put(name(file), file.after());
        }
    }

    /** True if the changes can be made after those that are here, as they are. */
    boolean takes(List<Change> changes) {
        return changes.stream().allMatch(this::takes);
    }

    private boolean takes(Change change) {
        return switch (change) {
            case FileChange f -> !files.containsKey(name(f)) || files.get(name(f)).equals(f.before());
            case VmConfigChange c -> contents(c).stream().noneMatch(touched::contains);
            case MappingChange c -> contents(c).stream().noneMatch(touched::contains);
            case VmCreation c -> contents(c).stream().noneMatch(touched::contains);
            case VmRemoval c -> contents(c).stream().noneMatch(touched::contains);
            case CommandChange c -> true;
            case VmPowerCycle c -> true;
            case HostReboot c -> true;
        };
    }

    /** True if both steps write one and the same file. */
    static boolean sameFile(CardPlan.Planned one, CardPlan.Planned other) {
        Targets targets = of(List.of(one));
        return other.answer().changes().stream().anyMatch(targets::hasFileOf);
    }

    boolean hasFileOf(Change change) {
        return change instanceof FileChange file && files.containsKey(name(file));
    }

    private static String name(FileChange file) {
        return "file " + file.host() + " " + file.path();
    }

    /** The contents that a change alters, each by a name: a file, a key of a VM, a whole VM, a mapping. */
    static Set<String> contents(Change change) {
        return switch (change) {
            case FileChange c -> Set.of(name(c));
            case VmConfigChange c -> c.after().keySet().stream()
                    .map(key -> "vm " + c.node() + " " + c.vmid() + " " + key).collect(Collectors.toSet());
            case MappingChange c -> Set.of("mapping " + c.id());
            case VmCreation c -> Set.of("vm " + c.node() + " " + c.vmid());
            case VmRemoval c -> Set.of("vm " + c.node() + " " + c.vmid());
            case CommandChange c -> Set.of();
            case VmPowerCycle c -> Set.of();
            case HostReboot c -> Set.of();
        };
    }

    /** True if a change need not be made because the later one does the same for both. */
    static boolean doneByLater(Change change, Change later) {
        return switch (change) {
            case CommandChange c -> later instanceof CommandChange l && l.host().equals(c.host())
                    && l.arguments().equals(c.arguments());
            case HostReboot c -> later instanceof HostReboot l && l.host().equals(c.host());
            case VmPowerCycle c -> later instanceof VmPowerCycle l && l.node().equals(c.node()) && l.vmid() == c.vmid();
            case FileChange c -> false;
            case VmConfigChange c -> false;
            case MappingChange c -> false;
            case VmCreation c -> false;
            case VmRemoval c -> false;
        };
    }
}
