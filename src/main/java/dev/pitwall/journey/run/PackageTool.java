package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PackageChange.Manager;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Asks a machine's package manager what is installed, and what it would do. Nothing is changed here. */
final class PackageTool {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String GONE_FORM = "${Package}\\t${Version}\\t${db:Status-Status}\\n";
    private static final Pattern REMOVED = Pattern.compile("(?m)^(?:Remv|Purg) (\\S+)");
    /** A package that is there in another version, or goes; {@code Inst NAME (} is one that is new. */
    private static final Pattern TOUCHED = Pattern.compile("(?m)^Inst (\\S+) \\[([^]]*)]");
    /** Rows of a transaction of dnf: name, architecture, version, repository, size. */
    private static final Pattern ROW = Pattern.compile(" (\\S+)\\s+(?:x86_64|aarch64|noarch|i686)\\s+(\\S+)\\s+\\S+\\s.*");
    private static final Pattern STREAM = Pattern.compile("(?m)^\\S+\\s+(\\S+) .*\\[e]");

    private final Machine machine;
    private final Manager manager;

    PackageTool(Machine machine, Manager manager) {
        this.machine = machine;
        this.manager = manager;
    }

    /** Versions of those of the named packages that are installed whole. */
    SortedMap<String, String> installed(Collection<String> names) throws TroubleException, InterruptedException {
        SortedMap<String, String> found = new TreeMap<>();
        List<String> packages = names.stream().filter(n -> !n.startsWith("@")).toList();
        if (!packages.isEmpty()) {
            found.putAll(read(packages));
        }
        for (String module : names.stream().filter(n -> n.startsWith("@")).toList()) {
            Matcher m = STREAM.matcher(run("dnf", "-q", "module", "list", "--enabled", module.substring(1)).output());
            if (m.find()) {
                found.put(module, m.group(1));
            }
        }
        return found;
    }

    /** Names of all that is installed. */
    TreeSet<String> all() throws TroubleException, InterruptedException {
        return new TreeSet<>(read(List.of()).keySet());
    }

    private SortedMap<String, String> read(List<String> names) throws TroubleException, InterruptedException {
        SortedMap<String, String> found = new TreeMap<>();
        Stream<String> question = switch (manager) {
            case APT -> Stream.of("dpkg-query", "-W", "-f", GONE_FORM);
            case DNF -> Stream.of("rpm", "-q", "--qf", "%{NAME}\\t%{VERSION}-%{RELEASE}\\tinstalled\\n");
        };
        List<String> words = new ArrayList<>(question.toList());
        if (names.isEmpty() && manager == Manager.DNF) {
            words.add("-a");
        }
        words.addAll(names);
        // A package that is not there makes the program fail, and says nothing about the others.
        run(words.toArray(String[]::new)).output().lines().map(l -> l.split("\t"))
                .filter(f -> f.length == 3 && f[2].equals("installed")).forEach(f -> found.put(f[0], f[1]));
        return found;
    }

    /** True if an earlier installation was cut off, which has to be brought to its end before another can begin. */
    boolean cutOff() throws TroubleException, InterruptedException {
        return switch (manager) {
            case APT -> !run("dpkg", "--audit").output().isBlank();
            case DNF -> false;
        };
    }

    /**
     * Packages that the change would alter beside those that it names: not new ones, which its undo takes away, but ones
     * that are there and would go or get another version.
     */
    List<String> alsoTouched(PackageChange change) throws TroubleException, InterruptedException {
        TreeSet<String> touched = new TreeSet<>();
        for (List<String> command : change.commands()) {
            switch (manager) {
                case APT -> {
                    List<String> words = new ArrayList<>(command);
                    words.add(words.indexOf("install") + 1, "-s");
                    String said = machine.run(words, LIMIT, line -> { }).output();
                    REMOVED.matcher(said).results().forEach(m -> touched.add(m.group(1)));
                    TOUCHED.matcher(said).results().forEach(m -> touched.add(m.group(1)));
                }
                case DNF -> touched.addAll(section(dry(command), "Upgrading:", "Downgrading:", "Removing:",
                        "Removing dependent packages:"));
            }
        }
        touched.removeAll(change.after().keySet());
        return List.copyOf(touched);
    }

    /** Packages that nobody would need any more if these went. */
    TreeSet<String> goingWith(List<String> names) throws TroubleException, InterruptedException {
        TreeSet<String> going = new TreeSet<>();
        switch (manager) {
            case APT -> {
                List<String> words = new ArrayList<>(List.of("apt-get", "-s", "remove", "--auto-remove"));
                words.addAll(names);
                REMOVED.matcher(machine.run(words, LIMIT, line -> { }).output()).results()
                        .forEach(m -> going.add(m.group(1)));
            }
            case DNF -> {
                List<String> words = new ArrayList<>(List.of("dnf", "-y", "remove"));
                words.addAll(names);
                going.addAll(section(dry(words), "Removing:", "Removing dependent packages:",
                        "Removing unused dependencies:"));
            }
        }
        going.removeAll(names);
        return going;
    }

    private String dry(List<String> command) throws TroubleException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.replaceAll(word -> word.equals("-y") ? "--assumeno" : word);
        return machine.run(words, LIMIT, line -> { }).output();
    }

    /** Names of the rows under some headings of dnf's transaction. A long name has its row's rest in the next line. */
    static List<String> section(String said, String... headings) {
        List<String> names = new ArrayList<>();
        boolean inside = false;
        String kept = "";
        for (String line : said.lines().toList()) {
            if (line.endsWith(":") && !line.startsWith(" ")) {
                inside = List.of(headings).contains(line);
            } else if (line.isBlank()) {
                inside = false;
            } else if (inside) {
                Matcher row = ROW.matcher(kept + line);
                if (row.matches()) {
                    names.add(row.group(1));
                    kept = "";
                } else {
                    kept = " " + line.strip();
                }
            }
        }
        return names;
    }

    private Ran run(String... command) throws TroubleException, InterruptedException {
        return machine.run(command);
    }
}
