package dev.pitwall.journey.run;

import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Journal.Intended;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeDown;
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

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * What was shown of a walk before it began: it makes nothing else. A change that comes later is as it was shown if it
 * leaves the same behind, and finds what was found then; of what the walk itself has altered meanwhile, only the former
 * counts. It may do less, where somebody has done a part of it.
 */
public final class Preview {
    private final List<Intended> shown;
    private final Set<String> altered;

    /**
     * @param shown   what the first look had, of each step
     * @param altered the contents that the walk has altered since, by the names of {@link Targets#contents}
     */
    Preview(List<Intended> shown, Set<String> altered) {
        this.shown = List.copyOf(shown);
        this.altered = Set.copyOf(altered);
    }

    /** All that a walk up to a step would make, as far as its first look tells. */
    static List<Intended> of(CardPlan plan, String last) {
        return Batch.throughTo(plan, last).stream().flatMap(s -> s.answer().intended().stream()
                .map(change -> new Intended(s.id(), change))).toList();
    }

    /**
     * What a walk would do otherwise than a look at the same card has shown, in one clause; empty if it does what was shown,
     * or less.
     *
     * @param last id of the step to which it walks
     */
    public static Optional<String> otherThanShown(CardPlan shown, CardPlan now, String last) {
        return new Preview(of(shown, last), Set.of()).otherThanShown(of(now, last));
    }

    /** What is not as it was shown, in one clause; empty if all of it is. */
    Optional<String> otherThanShown(List<Intended> changes) {
        return changes.stream().flatMap(c -> otherThanShown(c).stream()).findFirst();
    }

    private Optional<String> otherThanShown(Intended intended) {
        Change change = intended.change();
        List<Change> same = shown.stream().filter(s -> s.step().equals(intended.step())).map(Intended::change)
                .filter(s -> alike(change, s)).toList();
        return same.isEmpty() ? Optional.of(change.target() + " was not shown when the run began")
                : difference(change, same.getLast());
    }

    private static boolean alike(Change now, Change then) {
        // The pod of each run has a name of its own.
        boolean proof = now instanceof PodRun n && then instanceof PodRun t && n.card().equals(t.card())
                && n.expects().equals(t.expects());
        return now.kind() == then.kind() && now.system().equals(then.system())
                && (proof || now.target().equals(then.target()));
    }

    private Optional<String> difference(Change now, Change then) {
        return switch (now) {
            case FileChange c when then instanceof FileChange s -> !c.after().equals(s.after())
                    ? Optional.of(c.path() + " would get another content than was shown")
                    : changed(c, c.before().equals(s.before()), c.path());
            case VmConfigChange c when then instanceof VmConfigChange s -> difference(c, s);
            case MappingChange c when then instanceof MappingChange s -> !fits(c.after(), s.after())
                    ? Optional.of("mapping " + c.id() + " would get other entries than were shown")
                    : changed(c, fits(c.before(), s.before()), "mapping " + c.id());
            case VmCreation c when then instanceof VmCreation s -> c.equals(s) ? Optional.empty()
                    : Optional.of("VM " + c.vmid() + " would be made otherwise than was shown");
            case HostReboot c when then instanceof HostReboot s -> difference(c, s);
            case ManifestChange c when then instanceof ManifestChange s -> !c.after().equals(s.after())
                    ? Optional.of(c.object() + " would become otherwise than was shown")
                    : changed(c, c.before().equals(s.before()), c.object().toString());
            case HelmChange c when then instanceof HelmChange s -> !c.after().equals(s.after())
                    ? Optional.of("release " + c.release() + " would get another chart or other values than were shown")
                    : changed(c, c.before().equals(s.before()), "release " + c.release());
            case TalosUpgrade c when then instanceof TalosUpgrade s -> !c.after().equals(s.after())
                    ? Optional.of(c.node() + " would get another image than was shown")
                    : changed(c, c.before().equals(s.before()), "the image of " + c.node());
            case TalosConfigChange c when then instanceof TalosConfigChange s -> !c.after().equals(s.after())
                    ? Optional.of("the machine configuration of " + c.node() + " would become otherwise than was shown")
                    : changed(c, c.before().equals(s.before()), "the machine configuration of " + c.node());
            case PodRun c when then instanceof PodRun s -> c.manifest().path("spec").equals(s.manifest().path("spec"))
                    ? Optional.empty() : Optional.of("another pod would be run than was shown");
            case ModelChange c when then instanceof ModelChange s -> c.after() == s.after() ? Optional.empty()
                    : Optional.of(c.target() + " would become otherwise than was shown");
            case PackageChange c when then instanceof PackageChange s -> c.after().equals(s.after())
                    ? Optional.empty() : Optional.of("other packages of " + c.machine() + " would change than were shown");
            case NodeReboot c when then instanceof NodeReboot s -> surprise(
                    c.drain().map(Drain::losing).orElse(List.of()), s.drain().map(Drain::losing).orElse(List.of()));
            // Their targets say all.
            case ModelAsk c -> Optional.empty();
            case PodRestart c -> Optional.empty();
            case CommandChange c -> Optional.empty();
            case VmRemoval c -> Optional.empty();
            case VmPowerCycle c when then instanceof VmPowerCycle s -> surprise(losing(c.kubernetes().stream().toList()),
                    losing(s.kubernetes().stream().toList()));
            case VmPowerCycle c -> another(c);
            case FileChange c -> another(c);
            case VmConfigChange c -> another(c);
            case MappingChange c -> another(c);
            case VmCreation c -> another(c);
            case HostReboot c -> another(c);
            case ManifestChange c -> another(c);
            case HelmChange c -> another(c);
            case TalosUpgrade c -> another(c);
            case TalosConfigChange c -> another(c);
            case PackageChange c -> another(c);
            case NodeReboot c -> another(c);
            case PodRun c -> another(c);
            case ModelChange c -> another(c);
        };
    }

    private static Optional<String> another(Change change) {
        return Optional.of(change.target() + " would be changed in another way than was shown");
    }

    /** Somebody else was there, unless the walk has altered it itself. */
    private Optional<String> changed(Change change, boolean asBefore, String what) {
        return asBefore || Targets.contents(change).stream().anyMatch(altered::contains) ? Optional.empty()
                : Optional.of(what + " has changed since it was shown");
    }

    private Optional<String> difference(VmConfigChange now, VmConfigChange then) {
        String vm = " of VM " + now.vmid();
        Optional<String> other = first(now.after(), then.after());
        if (other.isPresent()) {
            String key = other.get();
            return Optional.of(key + vm + " would become " + value(now.after(), key) + (then.after().containsKey(key)
                    ? ", and " + value(then.after(), key) + " was shown" : ", which was not shown"));
        }
        boolean made = altered.contains("vm " + now.node() + " " + now.vmid());
        return made ? Optional.empty() : first(now.before(), then.before())
                .filter(key -> !altered.contains("vm " + now.node() + " " + now.vmid() + " " + key))
                .map(key -> key + vm + " was " + value(then.before(), key) + " when it was shown, and is "
                        + value(now.before(), key) + " now");
    }

    /** The first key that the other values have not, or otherwise. */
    private static Optional<String> first(SortedMap<String, Optional<String>> values,
                                          Map<String, Optional<String>> others) {
        return values.entrySet().stream().filter(e -> !Objects.equals(others.get(e.getKey()), e.getValue()))
                .map(Map.Entry::getKey).findFirst();
    }

    private static String value(Map<String, Optional<String>> values, String key) {
        return values.getOrDefault(key, Optional.empty()).map(v -> "\"" + v + "\"").orElse("not set");
    }

    private static Optional<String> difference(HostReboot now, HostReboot then) {
        Predicate<HostReboot.Guest> shown = g -> then.stops().stream().anyMatch(s -> s.id() == g.id());
        return now.stops().stream().filter(shown.negate()).findFirst().map(g -> "guest " + g.id() + " (" + g.name()
                + ") on " + now.host() + " runs now, and would stop too")
                .or(() -> surprise(losing(now.nodes()), losing(then.nodes())));
    }

    private static List<Drain.Pod> losing(List<NodeDown> nodes) {
        return nodes.stream().flatMap(n -> n.losing().stream()).toList();
    }

    /** Pods come and go; only one of which something is lost has to have been shown, by itself or by its owner. */
    private static Optional<String> surprise(List<Drain.Pod> now, List<Drain.Pod> shown) {
        return now.stream().filter(p -> shown.stream().noneMatch(s ->
                        s.place().equals(p.place()) || !p.owner().isEmpty() && s.owner().equals(p.owner()))).findFirst()
                .map(p -> "pod " + p.place() + " is there now, and something of it would be lost");
    }

    /** The same entries, in any order; a value that could only be read later may be any. */
    private static boolean fits(Optional<List<String>> now, Optional<List<String>> then) {
        if (now.isEmpty() || then.isEmpty()) {
            return now.isEmpty() && then.isEmpty();
        }
        return now.get().size() == then.get().size() && now.get().stream()
                .allMatch(entry -> then.get().stream().anyMatch(s -> fits(entry, s)));
    }

    private static boolean fits(String now, String then) {
        Set<String> values = new HashSet<>(Arrays.asList(now.split(",")));
        List<String> shown = Arrays.asList(then.split(","));
        return values.size() == shown.size() && shown.stream().allMatch(s -> s.endsWith("=" + MappingChange.LATER)
                ? values.stream().anyMatch(v -> v.startsWith(s.substring(0, s.length() - MappingChange.LATER.length())))
                : values.contains(s));
    }
}
