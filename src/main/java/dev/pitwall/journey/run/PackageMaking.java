package dev.pitwall.journey.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PackageChange.Manager;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Has packages installed and removed. What was installed before is noted first, all of it: only so undo can tell what the
 * package manager has brought beside what was asked for. An installation that was cut off is brought to its end.
 */
final class PackageMaking implements Making {
    /** What apt says while another program installs (apt-pkg/deb/debsystem.cc). */
    private static final List<String> LOCKED = List.of("Could not get lock", "Waiting for cache lock", "is another process using it");
    private static final List<String> NOT_OFFERED = List.of("Unable to locate package", "has no installation candidate",
            "was not found", "No match for argument", "Unable to find a match");

    private final PackageChange change;
    private final Machine machine;
    private final PackageTool tool;
    private final Patience patience;

    PackageMaking(PackageChange change, Machine machine, Patience patience) {
        this.change = change;
        this.machine = machine;
        this.patience = patience;
        this.tool = new PackageTool(machine, change.manager());
    }

    /** While it is made some packages are as before and some as after; without a mark that is somebody else's work. */
    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        SortedMap<String, String> now = tool.installed(change.after().keySet());
        if (holds(now, change.after()) && (mark.isEmpty() || !tool.cutOff())) {
            return Standing.AFTER;
        }
        return holds(now, change.before()) || mark.isPresent() ? Standing.BEFORE : new Standing.Other(other(now));
    }

    private static boolean holds(Map<String, String> now, Map<String, String> versions) {
        return versions.entrySet().stream().allMatch(e -> {
            String version = now.getOrDefault(e.getKey(), PackageChange.ABSENT);
            return e.getValue().equals(PackageChange.OFFERED) ? !version.equals(PackageChange.ABSENT)
                    : version.equals(e.getValue());
        });
    }

    private String other(Map<String, String> now) {
        String name = change.before().entrySet().stream()
                .filter(e -> !now.getOrDefault(e.getKey(), PackageChange.ABSENT).equals(e.getValue()))
                .map(Map.Entry::getKey).findFirst().orElseThrow();
        String version = now.getOrDefault(name, PackageChange.ABSENT);
        return "package " + name + " on " + change.machine() + (version.equals(PackageChange.ABSENT) ? " is not installed"
                : " is installed in version " + version);
    }

    @Override
    public Optional<String> mark() throws TroubleException, InterruptedException {
        return Optional.of(String.join(" ", tool.all()));
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        boolean mended = tool.cutOff();
        if (mended) {
            perform(List.of("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", "--configure", "-a"));
        }
        if (change.manager() == Manager.APT && !change.wanted().isEmpty()) {
            // A list of yesterday names files that the mirrors have no longer.
            perform(List.of("apt-get", "-o", "DPkg::Lock::Timeout=300", "update"));
        }
        List<String> more = tool.alsoTouched(change);
        if (!more.isEmpty()) {
            throw Refusal.failed(place(), "the package manager would also change or remove "
                    + String.join(", ", more) + ", which the plan does not name",
                    "Settle these packages by hand, then plan anew.");
        }
        for (List<String> command : change.commands()) {
            perform(command);
        }
        SortedMap<String, String> now = tool.installed(change.after().keySet());
        if (!holds(now, change.after())) {
            throw Refusal.failed(place(), "the package manager has ended and not all is as wanted",
                    "See what it printed, and run it by hand.");
        }
        return mended ? "an earlier installation was cut off and is at its end now" : "";
    }

    private void perform(List<String> command) throws TroubleException, InterruptedException {
        Instant end = patience.in(change.limit());
        Ran ran;
        try {
            ran = machine.run(command, change.limit(), line -> { });
        } catch (TroubleException e) {
            throw patience.past(end) && e.trouble().kind() == Trouble.Kind.TIMEOUT ? Refusal.failed(place(),
                    "it did not end within " + Spans.words(change.limit()), "See on " + change.machine()
                            + " what it waits for.") : e;
        }
        if (!ran.ok()) {
            throw failure(ran);
        }
    }

    private TroubleException failure(Ran ran) {
        String all = ran.output() + ran.errors();
        if (LOCKED.stream().anyMatch(all::contains)) {
            return Refusal.failed(place(), "another program installs packages there: " + ran.lastWords(),
                    "Wait for its end (often unattended-upgrades), then go on.");
        }
        Optional<String> missing = all.lines().filter(l -> NOT_OFFERED.stream().anyMatch(l::contains)).findFirst();
        if (missing.isPresent()) {
            return Refusal.failed(place(), "the package sources do not have it: " + said(missing.get()),
                    "Mend the sources of " + change.machine() + ", or choose another branch.");
        }
        return Refusal.failed(place(), "the package manager failed: " + all.lines().filter(l -> l.startsWith("E: ")
                || l.startsWith("Error")).findFirst().map(PackageMaking::said).orElse(ran.lastWords()),
                "Run it by hand on " + change.machine() + " to see all that it says.");
    }

    private static String said(String line) {
        return line.replaceFirst("^(?:E|Error): *", "").strip();
    }

    private String place() {
        return "packages of " + change.machine();
    }

    /**
     * The change with what it brought beside what it names: packages that were not there when it was begun, and that
     * nobody would need if those that it names went.
     *
     * @param mark as noted before it was begun
     */
    PackageChange asMade(Optional<String> mark) throws TroubleException, InterruptedException {
        List<String> named = change.after().keySet().stream().filter(n -> !n.startsWith("@")).toList();
        SortedMap<String, String> now = tool.installed(named);
        List<String> came = change.wanted().keySet().stream().filter(now::containsKey)
                .filter(n -> change.before().get(n).equals(PackageChange.ABSENT)).toList();
        if (mark.isEmpty() || came.isEmpty()) {
            return change.with(exact(now));
        }
        Set<String> before = new HashSet<>(Arrays.asList(mark.get().split(" ")));
        List<String> brought = new ArrayList<>(tool.goingWith(came));
        brought.removeIf(before::contains);
        SortedMap<String, String> more = new TreeMap<>(tool.installed(brought));
        more.putAll(exact(now));
        return change.with(more);
    }

    /** Versions of what was wanted in whichever version is offered. */
    private SortedMap<String, String> exact(Map<String, String> now) {
        SortedMap<String, String> exact = new TreeMap<>();
        change.wanted().forEach((name, version) -> {
            if (version.equals(PackageChange.OFFERED) && now.containsKey(name)) {
                exact.put(name, now.get(name));
            }
        });
        return exact;
    }
}
