package dev.pitwall.journey.run;

import dev.pitwall.journey.Journal.Intended;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a run has made of contents altogether: a file that it wrote twice is one change from the bytes of before the
 * first to those after the last. So undo goes back in one move, and finds what the run has left.
 */
final class Net {
    private final Map<String, Intended> byPlace = new LinkedHashMap<>();

    /** Adds what was made after all that is here. Changes of other turns leave no contents. */
    void add(Intended made) {
        place(made.change()).ifPresent(place -> {
            Optional<Intended> earlier = Optional.ofNullable(byPlace.remove(place));
            Optional<Change> whole = earlier.isEmpty() ? Optional.of(made.change())
                    : joined(earlier.get().change(), made.change());
            whole.ifPresent(change -> byPlace.put(place, new Intended(made.step(), change)));
        });
    }

    private static Optional<String> place(Change change) {
        return switch (change) {
            case FileChange c -> Optional.of("file " + c.host() + " " + c.path());
            case VmConfigChange c -> Optional.of("vm " + c.node() + " " + c.vmid());
            case MappingChange c -> Optional.of("mapping " + c.id());
            case ManifestChange c -> Optional.of("object " + c.cluster() + " " + c.object());
            case HelmChange c -> Optional.of("release " + c.cluster() + " " + c.namespace() + " " + c.release());
            case TalosUpgrade c -> Optional.of("image " + c.node());
            case TalosConfigChange c -> Optional.of("machine configuration " + c.node());
            case ModelChange c -> Optional.of("model " + c.cluster() + " " + c.service() + " " + c.model());
            case PackageChange c -> Optional.of("packages " + c.machine());
            case PodRun c -> Optional.of("pod " + c.cluster() + " " + c.pod());
            case VmCreation c -> Optional.of("new vm " + c.node() + " " + c.vmid());
            default -> Optional.empty();
        };
    }

    /** @return empty if the second took the first back */
    private static Optional<Change> joined(Change first, Change second) {
        return switch (second) {
            case FileChange b when first instanceof FileChange a -> a.with(b).map(Change.class::cast);
            case MappingChange b when first instanceof MappingChange a -> a.before().equals(b.after())
                    ? Optional.empty()
                    : Optional.of(new MappingChange(a.node(), a.id(), a.before(), b.after(), b.summary()));
            case VmConfigChange b when first instanceof VmConfigChange a -> joined(a, b);
            case PodRun b -> Optional.of(b);
            case ManifestChange b when first instanceof ManifestChange a -> a.with(b).map(Change.class::cast);
            case HelmChange b when first instanceof HelmChange a -> a.with(b).map(Change.class::cast);
            case TalosUpgrade b when first instanceof TalosUpgrade a -> a.with(b).map(Change.class::cast);
            case TalosConfigChange b when first instanceof TalosConfigChange a -> a.with(b).map(Change.class::cast);
            case ModelChange b when first instanceof ModelChange a -> a.after() == b.after() ? Optional.of(a)
                    : Optional.empty();
            case PackageChange b when first instanceof PackageChange a -> a.with(b).map(Change.class::cast);
            default -> throw new IllegalStateException("one place holds one kind of contents");
        };
    }

    private static Optional<Change> joined(VmConfigChange a, VmConfigChange b) {
        SortedMap<String, Optional<String>> before = new TreeMap<>(b.before());
        before.putAll(a.before());
        SortedMap<String, Optional<String>> after = new TreeMap<>(a.after());
        after.putAll(b.after());
        List<String> same = before.keySet().stream().filter(k -> before.get(k).equals(after.get(k))).toList();
        same.forEach(key -> {
            before.remove(key);
            after.remove(key);
        });
        return before.isEmpty() ? Optional.empty()
                : Optional.of(new VmConfigChange(a.node(), a.vmid(), before, after, b.summary()));
    }

    /** The changes that take all of it back, what was made last first. */
    List<Intended> inverses() {
        return new ArrayList<>(byPlace.values()).reversed().stream().filter(made -> !goesWithAnother(made.change()))
                .map(made -> new Intended(made.step(), inverse(made.change()))).toList();
    }

    /** A VM or a disk that was made here is taken away whole, so what it was given afterwards needs no way back. */
    private boolean goesWithAnother(Change change) {
        return switch (change) {
            case VmConfigChange c -> byPlace.containsKey("new vm " + c.node() + " " + c.vmid());
            case ModelChange c -> c.disk() == ModelChange.Disk.OURS;
            default -> false;
        };
    }

    private static Change inverse(Change change) {
        return switch (change) {
            case FileChange c -> c.inverse();
            case VmConfigChange c -> c.inverse();
            case MappingChange c -> c.inverse();
            case ManifestChange c -> c.inverse();
            case HelmChange c -> c.inverse(c.after().map(HelmChange.Wanted::repository).orElse(""));
            case TalosUpgrade c -> c.inverse();
            case TalosConfigChange c -> c.inverse();
            case ModelChange c -> c.inverse();
            case VmCreation c -> c.inverse();
            case PackageChange c -> c.inverse();
            case PodRun c -> c.removal();
            default -> throw new IllegalStateException("it leaves no contents");
        };
    }
}
