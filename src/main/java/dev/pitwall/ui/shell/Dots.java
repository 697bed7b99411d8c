package dev.pitwall.ui.shell;

import dev.pitwall.site.Connection;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

/**
 * The ways in which the title bar may show the connections, the fullest first: it takes the first that fits. What fails
 * is said first and longest.
 */
final class Dots {

    /** More triangles than these are counted; the list behind the dots has all. */
    private static final int FAILING_SHOWN = 3;
    /** Letters of a name beside which its trouble can still be read. */
    private static final int NAME_SHOWN = 20;
    private static final Set<Connection.Kind> HOSTS = Set.of(Connection.Kind.PROXMOX, Connection.Kind.SHELL);

    private final List<Connection> connections;
    private final Instant now;
    private final Texts texts;
    private final List<Dot> failing;

    private Dots(List<Connection> connections, Instant now, Texts texts) {
        this.connections = connections;
        this.now = now;
        this.texts = texts;
        this.failing = failing();
    }

    /** At least one way, unless there is no connection; the last is always a single dot. */
    static List<List<Dot>> arrangements(List<Connection> connections, Instant now, Texts texts) {
        return connections.isEmpty() ? List.of() : new Dots(connections, now, texts).all();
    }

    private List<List<Dot>> all() {
        SequencedSet<List<Dot>> ways = new LinkedHashSet<>();
        int most = Math.min(FAILING_SHOWN, failing.size());
        ways.add(join(first(most), kinds()));
        for (int shown = most; shown > 0; shown--) {
            ways.add(join(first(shown), hostsTogether()));
        }
        for (int shown = most; shown > 0; shown--) {
            ways.add(join(first(shown), theRest()));
        }
        ways.add(failing.isEmpty() ? hostsTogether() : first(1));
        ways.add(List.of(summary()));
        return List.copyOf(ways);
    }

    private static List<Dot> join(List<Dot> first, List<Dot> then) {
        List<Dot> both = new ArrayList<>(first);
        both.addAll(then);
        return List.copyOf(both);
    }

    /** So many of those that fail, and how many more there are. */
    private List<Dot> first(int shown) {
        List<Dot> dots = new ArrayList<>(failing.subList(0, shown));
        int more = failing.size() - shown;
        if (more > 0) {
            dots.add(new Dot(Dot.State.FAILING, texts.count("dots.more", more), ""));
        }
        return dots;
    }

    /**
     * One triangle a name and trouble: a host that is off fails in its API and its shell, and is one host. Hosts come
     * first, since what runs on them fails with them.
     */
    private List<Dot> failing() {
        Map<String, Dot> byLabel = new LinkedHashMap<>();
        connections.stream().filter(c -> c.state() == Connection.State.FAILING)
                .sorted(Comparator.comparing(Connection::kind).thenComparing(c -> c.since().orElse(now)))
                .map(this::failing).forEach(dot -> byLabel.putIfAbsent(dot.label(), dot));
        return List.copyOf(byLabel.values());
    }

    private Dot failing(Connection c) {
        String why = c.trouble().map(t -> texts.get("trouble." + t.kind().name().toLowerCase(Locale.ROOT))).orElse("");
        String age = c.since().map(s -> Ages.brief(Duration.between(s, now))).orElse("");
        return new Dot(Dot.State.FAILING, texts.get("dots.failing", shortened(c.name()), why), age);
    }

    private static String shortened(String name) {
        return name.length() <= NAME_SHOWN ? name : name.substring(0, NAME_SHOWN - 1) + "…";
    }

    /** One dot a kind of which all answer. */
    private List<Dot> kinds() {
        List<Dot> dots = new ArrayList<>();
        for (Connection.Kind kind : Connection.Kind.values()) {
            int count = (int) connections.stream().filter(c -> c.kind() == kind).count();
            String name = texts.get("kind." + kind.name().toLowerCase(Locale.ROOT));
            healthy(Set.of(kind), kind == Connection.Kind.SHELL && count > 1
                    ? texts.get("dots.hosts", name, count) : name).ifPresent(dots::add);
        }
        return dots;
    }

    /** The same with one dot for everything that is asked of hosts. */
    private List<Dot> hostsTogether() {
        List<Dot> dots = new ArrayList<>();
        healthy(HOSTS, texts.get("dots.all-hosts")).ifPresent(dots::add);
        for (Connection.Kind kind : Connection.Kind.values()) {
            if (!HOSTS.contains(kind)) {
                healthy(Set.of(kind), texts.get("kind." + kind.name().toLowerCase(Locale.ROOT))).ifPresent(dots::add);
            }
        }
        return dots;
    }

    /** One dot for all that answer. */
    private List<Dot> theRest() {
        List<Connection> answer = connections.stream().filter(c -> c.state() != Connection.State.FAILING).toList();
        return answer.isEmpty() ? List.of() : List.of(healthy(texts.get("dots.rest", answer.size()), answer));
    }

    private Optional<Dot> healthy(Collection<Connection.Kind> kinds, String label) {
        List<Connection> those = connections.stream().filter(c -> kinds.contains(c.kind())).toList();
        boolean answer = those.stream().noneMatch(c -> c.state() == Connection.State.FAILING);
        return those.isEmpty() || !answer ? Optional.empty() : Optional.of(healthy(label, those));
    }

    private Dot healthy(String label, List<Connection> those) {
        Optional<Connection> oldest =
                those.stream().filter(c -> c.at().isPresent()).min(Comparator.comparing(c -> c.at().orElseThrow()));
        if (oldest.isEmpty()) {
            return new Dot(Dot.State.READING, label, "");
        }
        Duration age = Duration.between(oldest.get().at().orElseThrow(), now);
        boolean stale = those.stream().anyMatch(c -> c.at().isPresent()
                && Duration.between(c.at().get(), now).compareTo(c.usualInterval().multipliedBy(2)) > 0);
        return new Dot(stale ? Dot.State.STALE : Dot.State.LIVE, label, Ages.brief(age));
    }

    /** All of it in one. */
    private Dot summary() {
        long fail = connections.stream().filter(c -> c.state() == Connection.State.FAILING).count();
        if (fail > 0) {
            return new Dot(Dot.State.FAILING, texts.get("dots.some", fail, connections.size()), "");
        }
        Dot all = healthy(texts.get("dots.connected", connections.size()), connections);
        return all.state() == Dot.State.READING ? new Dot(Dot.State.READING, texts.get("dots.reading"), "") : all;
    }
}
