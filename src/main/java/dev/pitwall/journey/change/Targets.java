package dev.pitwall.journey.change;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What changes alter, so that it can be told whether one goes with another. */
public final class Targets {
    private final Set<String> touched = new HashSet<>();
    private final Map<String, Content> files = new HashMap<>();

    /** Of changes that are made one after the other. */
    public static Targets of(List<Change> changes) {
        Targets targets = new Targets();
        changes.forEach(targets::add);
        return targets;
    }

    /** Adds a change that is made after all that are here. */
    public void add(Change change) {
        touched.addAll(contents(change));
        if (change instanceof FileChange file) {
            files.put(name(file), file.after());
        }
    }

    /** True if the changes can be made after those that are here, as they are. */
    public boolean takes(List<Change> changes) {
        return changes.stream().allMatch(this::takes);
    }

    private boolean takes(Change change) {
        return switch (change) {
            case FileChange f -> !files.containsKey(name(f)) || files.get(name(f)).equals(f.before());
            case VmConfigChange c -> contents(c).stream().noneMatch(touched::contains);
            case MappingChange c -> contents(c).stream().noneMatch(touched::contains);
            case VmCreation c -> contents(c).stream().noneMatch(touched::contains);
            case VmRemoval c -> contents(c).stream().noneMatch(touched::contains);
            case ManifestChange c -> contents(c).stream().noneMatch(touched::contains);
            case HelmChange c -> contents(c).stream().noneMatch(touched::contains);
            case TalosUpgrade c -> contents(c).stream().noneMatch(touched::contains);
            case TalosConfigChange c -> contents(c).stream().noneMatch(touched::contains);
            case PackageChange c -> contents(c).stream().noneMatch(touched::contains);
            case CommandChange c -> true;
            case PodRun c -> true;
            case ModelChange c -> contents(c).stream().noneMatch(touched::contains);
            case ModelAsk c -> true;
            case PodRestart c -> true;
            case VmPowerCycle c -> true;
            case HostReboot c -> true;
            case NodeReboot c -> true;
        };
    }

    /** True if the change is of a file that one of those here is of. */
    public boolean hasFileOf(Change change) {
        return change instanceof FileChange file && files.containsKey(name(file));
    }

    private static String name(FileChange file) {
        return "file " + file.host() + " " + file.path();
    }

    /** The contents that a change alters, each by a name: a file, a key of a VM, a whole VM, a mapping. */
    public static Set<String> contents(Change change) {
        return switch (change) {
            case FileChange c -> Set.of(name(c));
            case VmConfigChange c -> c.after().keySet().stream()
                    .map(key -> "vm " + c.node() + " " + c.vmid() + " " + key).collect(Collectors.toSet());
            case MappingChange c -> Set.of("mapping " + c.id());
            case VmCreation c -> Set.of("vm " + c.node() + " " + c.vmid());
            case VmRemoval c -> Set.of("vm " + c.node() + " " + c.vmid());
            case ManifestChange c -> Set.of("object " + c.cluster() + " " + c.object());
            case TalosUpgrade c -> Set.of("image " + c.node());
            case TalosConfigChange c -> Tree.leaves(c.after()).stream()
                    .map(field -> "machine configuration " + c.node() + " " + field).collect(Collectors.toSet());
            case HelmChange c -> Set.of("release " + c.cluster() + " " + c.namespace() + " " + c.release());
            case PackageChange c -> c.after().keySet().stream()
                    .map(name -> "package " + c.machine() + " " + name).collect(Collectors.toSet());
            case CommandChange c -> Set.of();
            case PodRun c -> Set.of();
            case ModelChange c -> Set.of("model " + c.cluster() + " " + c.service() + " " + c.model());
            case ModelAsk c -> Set.of();
            case PodRestart c -> Set.of();
            case VmPowerCycle c -> Set.of();
            case HostReboot c -> Set.of();
            case NodeReboot c -> Set.of();
        };
    }

    /**
     * The items whose changes have to be made: what several of them end in is there once, for the last.
     *
     * @param items in the order in which they are made
     */
    public static <T> List<T> once(List<T> items, Function<T, Change> change) {
        return IntStream.range(0, items.size()).filter(i -> items.subList(i + 1, items.size()).stream()
                .noneMatch(later -> doneByLater(change.apply(items.get(i)), change.apply(later)))).mapToObj(items::get)
                .toList();
    }

    /** True if it starts a VM anew, and the system in it with it. */
    private static boolean restarts(Change change, String vm) {
        return change instanceof VmPowerCycle c && vm.equals(c.node() + "/" + c.vmid()) || change instanceof HostReboot r
                && r.stops().stream().anyMatch(g -> g.onboot() && vm.equals(r.host() + "/" + g.id()));
    }

    /** True if a change need not be made because the later one does the same for both. */
    public static boolean doneByLater(Change change, Change later) {
        return switch (change) {
            case CommandChange c -> later instanceof CommandChange l && l.host().equals(c.host())
                    && l.arguments().equals(c.arguments());
            case HostReboot c -> later instanceof HostReboot l && l.host().equals(c.host());
            case NodeReboot c -> later instanceof NodeReboot l && l.machine().equals(c.machine()) || restarts(later, c.vm());
            case PackageChange c -> false;
            case VmPowerCycle c -> later instanceof VmPowerCycle l && l.node().equals(c.node()) && l.vmid() == c.vmid();
            case FileChange c -> false;
            case VmConfigChange c -> false;
            case MappingChange c -> false;
            case ManifestChange c -> false;
            case HelmChange c -> false;
            case TalosUpgrade c -> false;
            case TalosConfigChange c -> false;
            case PodRun c -> false;
            case ModelChange c -> false;
            case ModelAsk c -> false;
            case PodRestart c -> false;
            case VmCreation c -> false;
            case VmRemoval c -> false;
        };
    }
}
