package dev.pitwall.journey.survey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.PackageChange.Manager;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the packages of a node, through dpkg and apt or through rpm and dnf. */
final class NodePackages {
    private static final Pattern POLICY = Pattern.compile("(?m)^(\\S+):\\n(?:  .*\\n)*?  Candidate: (\\S+)$");

    private final Machine machine;
    private final NodeWishes wishes;
    private final Looking looking;
    private final InstantSource clock;

    NodePackages(Machine machine, NodeWishes wishes, Looking looking, InstantSource clock) {
        this.machine = machine;
        this.wishes = wishes;
        this.looking = looking;
        this.clock = clock;
    }

    ShellNode.Software read(Map<String, String> release, String kernel) throws TroubleException, InterruptedException {
        List<String> wanted = wishes.packages(release, kernel);
        List<String> names = wanted.stream().filter(n -> !n.contains("*")).toList();
        Ran dpkg = looking.run(machine, Showing.PACKAGES.key(), command(List.of("dpkg-query", "-W", "-f",
                "${Package}\\t${Version}\\t${db:Status-Status}\\n"), wanted));
        if (!dpkg.notFound()) {
            SortedMap<String, String> offered = offered(names);
            return software(Manager.APT, dpkg.output(), offered, keys(release, offered));
        }
        Ran rpm = looking.run(machine, Showing.PACKAGES.key(), command(List.of("rpm", "-qa", "--qf",
                "%{NAME}\\t%{VERSION}-%{RELEASE}\\tinstalled\\n"), wanted));
        if (rpm.notFound()) {
            return new ShellNode.Software(Optional.empty(), new TreeMap<>(), Set.of(), new TreeMap<>(), Map.of());
        }
        SortedMap<String, String> offered = rows(looking.output(machine, Showing.OFFERED.key(),
                command(List.of("dnf", "-q", "repoquery", "--latest-limit", "1", "--qf", "%{name}\\t%{version}-%{release}\\n"),
                        names)));
        return software(Manager.DNF, rpm.output(), offered, Map.of());
    }

    private static String[] command(List<String> first, List<String> rest) {
        return Stream.concat(first.stream(), rest.stream()).toArray(String[]::new);
    }

    private SortedMap<String, String> offered(List<String> names) throws TroubleException, InterruptedException {
        SortedMap<String, String> offered = new TreeMap<>();
        Matcher m = POLICY.matcher(looking.output(machine, Showing.OFFERED.key(),
                command(List.of("apt-cache", "policy"), names)));
        while (m.find()) {
            if (!m.group(2).equals("(none)")) {
                offered.put(m.group(1), m.group(2));
            }
        }
        return offered;
    }

    private static SortedMap<String, String> rows(String text) {
        SortedMap<String, String> rows = new TreeMap<>();
        text.lines().map(l -> l.split("\t")).filter(f -> f.length >= 2).forEach(f -> rows.put(f[0], f[1]));
        return rows;
    }

    private static ShellNode.Software software(Manager manager, String listed, SortedMap<String, String> offered,
                                               Map<String, Content> keys) {
        SortedMap<String, String> installed = new TreeMap<>();
        Set<String> cutOff = new HashSet<>();
        listed.lines().map(l -> l.split("\t")).filter(f -> f.length == 3).forEach(f -> {
            switch (f[2]) {
                case "installed" -> installed.put(f[0], f[1]);
                case "not-installed", "config-files" -> { }
                default -> cutOff.add(f[0]);
            }
        });
        return new ShellNode.Software(Optional.of(manager), installed, cutOff, offered, keys);
    }

    /** Of each source that offers nothing yet, its key: what would be written is to be seen before it is written. */
    private Map<String, Content> keys(Map<String, String> release, SortedMap<String, String> offered)
            throws TroubleException, InterruptedException {
        Map<String, Content> keys = new HashMap<>();
        for (Map.Entry<String, String> source : wishes.keys(release).entrySet()) {
            if (!offered.containsKey(source.getKey())) {
                fetched(source.getValue()).ifPresent(key -> keys.put(source.getValue(), key));
            }
        }
        return keys;
    }

    private Optional<Content> fetched(String address) throws TroubleException, InterruptedException {
        String name = Showing.FETCHED.of(address);
        Ran curl = looking.run(machine, name, "curl", "-fsSL", "--max-time", "15", address);
        Ran got = curl.notFound() ? looking.run(machine, name, "wget", "-q", "-O", "-", "--timeout=15", address) : curl;
        return got.ok() && got.output().contains("BEGIN PGP PUBLIC KEY") ? Optional.of(Content.of(got.output()))
                : Optional.empty();
    }
}
