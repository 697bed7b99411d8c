package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Packages of a machine are installed, get another version, or go. It is made only while those that it names are as they
 * were; what the package manager adds because one of them needs it is found out when it is made, and goes with its undo.
 *
 * @param machine the machine in the site
 * @param before  the version of each package that is named, {@link #ABSENT} for one that is not installed. A name with
 *                {@code @} before it is a module of dnf, and its stream stands for the version
 * @param after   the same packages as they shall be; {@link #OFFERED} for the version that the sources offer
 * @param leaving what is left of packages that go
 * @param takes   how long it usually takes
 * @param limit   how long it may take
 */
public record PackageChange(String machine, Manager manager, SortedMap<String, String> before,
                            SortedMap<String, String> after, Leaving leaving, String summary, Duration takes,
                            Duration limit) implements Change {
    /** Not installed. */
    public static final String ABSENT = "";
    /** Whichever version the sources of the machine offer. */
    public static final String OFFERED = "*";

    private static final String MODULE = "@";

    /** What installs packages. */
    public enum Manager { APT, DNF }

    /** What is left of a package that goes. */
    public enum Leaving {
        /** Its configuration, as its maker and the administrator have it. */
        CONFIGURATION,
        /** Nothing: it was not there before. */
        NOTHING
    }

    public PackageChange {
        before = Collections.unmodifiableSortedMap(new TreeMap<>(before));
        after = Collections.unmodifiableSortedMap(new TreeMap<>(after));
        if (!before.keySet().equals(after.keySet()) || before.equals(after)) {
            throw new IllegalArgumentException("not a change of packages: " + before + " to " + after);
        }
    }

    /**
     * Packages that are to be there, and some that are to go.
     *
     * @param installed versions of what is installed now
     */
    public static PackageChange of(String machine, Manager manager, Map<String, String> installed,
                                   SortedMap<String, String> after, String summary, Duration takes, Duration limit) {
        SortedMap<String, String> before = new TreeMap<>();
        after.keySet().forEach(name -> before.put(name, installed.getOrDefault(name, ABSENT)));
        return new PackageChange(machine, manager, before, after, Leaving.CONFIGURATION, summary, takes, limit);
    }

    @Override
    public String system() {
        return machine;
    }

    /** For example {@code apt-get install nvidia-utils-580-server nouveau-}. */
    @Override
    public String target() {
        return commands().stream().map(command -> command.stream().dropWhile(w -> !w.startsWith("apt") && !w.startsWith("dnf"))
                .filter(w -> !w.startsWith("-") && !w.contains("::")).collect(Collectors.joining(" ")))
                .collect(Collectors.joining(", then "));
    }

    @Override
    public Risk risk() {
        return Risk.NONE;
    }

    @Override
    public Optional<String> undo() {
        boolean restores = before.entrySet().stream().anyMatch(e -> !e.getValue().equals(ABSENT)
                && !e.getValue().equals(after.get(e.getKey())));
        return Optional.of(restores ? "puts back the versions that were there, as far as the sources still have them"
                : "removes these packages and what came with them");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(takes);
    }

    /** Packages by name that are to be there, with the version that is wanted. */
    public SortedMap<String, String> wanted() {
        return part(after, false);
    }

    /** Names of packages that go. */
    public List<String> going() {
        return List.copyOf(part(after, true).keySet());
    }

    private static SortedMap<String, String> part(SortedMap<String, String> all, boolean absent) {
        SortedMap<String, String> part = new TreeMap<>();
        all.forEach((name, version) -> {
            if (!name.startsWith(MODULE) && version.equals(ABSENT) == absent) {
                part.put(name, version);
            }
        });
        return part;
    }

    /** Streams of modules that are named, with {@link #ABSENT} for one that is reset; only of dnf. */
    public SortedMap<String, String> streams() {
        SortedMap<String, String> streams = new TreeMap<>();
        after.forEach((name, stream) -> {
            if (name.startsWith(MODULE)) {
                streams.put(name.substring(MODULE.length()), stream);
            }
        });
        return streams;
    }

    /** One line a package: its name and version; modules of dnf with their stream. */
    public String lines(Map<String, String> versions) {
        return versions.entrySet().stream().filter(e -> !e.getValue().equals(ABSENT))
                .map(e -> e.getKey() + (e.getValue().equals(OFFERED) ? "" : " " + e.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    /** What makes it, in order; each an argument vector. */
    public List<List<String>> commands() {
        return switch (manager) {
            case APT -> List.of(apt());
            case DNF -> dnf();
        };
    }

    /** All in one call, so that nothing that depends on both goes meanwhile; a name with a minus is one that goes. */
    private List<String> apt() {
        List<String> words = new ArrayList<>(List.of("env", "DEBIAN_FRONTEND=noninteractive", "NEEDRESTART_SUSPEND=1",
                "apt-get", "install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"));
        if (leaving == Leaving.NOTHING) {
            words.add("--purge");
        }
        if (after.values().stream().anyMatch(version -> !version.equals(OFFERED) && !version.equals(ABSENT))) {
            words.add("--allow-downgrades");
        }
        wanted().forEach((name, version) -> words.add(version.equals(OFFERED) ? name : name + "=" + version));
        going().forEach(name -> words.add(name + "-"));
        return words;
    }

    private List<List<String>> dnf() {
        List<List<String>> all = new ArrayList<>();
        streams().forEach((module, stream) -> {
            all.add(List.of("dnf", "-y", "module", "reset", module));
            if (!stream.equals(ABSENT)) {
                all.add(List.of("dnf", "-y", "module", "enable", module + ":" + stream));
            }
        });
        if (!going().isEmpty()) {
            all.add(Stream.concat(Stream.of("dnf", "-y", "remove"), going().stream()).toList());
        }
        if (!wanted().isEmpty()) {
            all.add(Stream.concat(Stream.of("dnf", "-y", "install", "--setopt=install_weak_deps=False", "--allowerasing"),
                    wanted().entrySet().stream().map(e -> e.getValue().equals(OFFERED) ? e.getKey()
                            : e.getKey() + "-" + e.getValue())).toList());
        }
        return all;
    }

    /**
     * The same change with what came beside it.
     *
     * @param brought version by name of packages that were not there before
     */
    public PackageChange with(Map<String, String> brought) {
        SortedMap<String, String> was = new TreeMap<>(before);
        SortedMap<String, String> is = new TreeMap<>(after);
        brought.forEach((name, version) -> {
            was.putIfAbsent(name, ABSENT);
            is.put(name, version);
        });
        return new PackageChange(machine, manager, was, is, leaving, summary, takes, limit);
    }

    /**
     * This change and a later one as one.
     *
     * @return empty if the later one takes this one back
     */
    public Optional<PackageChange> with(PackageChange later) {
        SortedMap<String, String> first = new TreeMap<>(later.before());
        first.putAll(before);
        SortedMap<String, String> last = new TreeMap<>(after);
        last.putAll(later.after());
        first.entrySet().removeIf(e -> e.getValue().equals(last.get(e.getKey())));
        last.keySet().retainAll(first.keySet());
        return first.isEmpty() ? Optional.empty() : Optional.of(new PackageChange(machine, manager, first, last, leaving,
                later.summary(), takes, limit));
    }

    /** The change that takes this one back: of what it brought nothing is left. */
    public PackageChange inverse() {
        return new PackageChange(machine, manager, after, before, Leaving.NOTHING, "as it was before", takes, limit);
    }
}
