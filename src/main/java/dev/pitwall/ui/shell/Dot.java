package dev.pitwall.ui.shell;

import dev.pitwall.site.Connection;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How one kind of source is doing, as the title bar shows it: a dot with the age of its data, or a triangle with words.
 *
 * @param label for example {@code Cluster} or {@code pve4 no answer}
 * @param age   of the data while it is live, of the trouble while it fails; empty before the first answer
 */
public record Dot(State state, String label, String age) {

    public enum State { LIVE, STALE, READING, FAILING }

    /** More than these do not fit beside the search; the list behind the dots has all. */
    private static final int FAILING_SHOWN = 2;

    /** One dot a kind that answers, and one triangle a connection that fails, the failing first. */
    public static List<Dot> of(List<Connection> connections, Instant now, Texts texts) {
        List<Connection> failing =
                connections.stream().filter(c -> c.state() == Connection.State.FAILING).toList();
        List<Dot> dots = new ArrayList<>();
        failing.stream().limit(FAILING_SHOWN).map(c -> failing(c, now, texts)).forEach(dots::add);
        if (failing.size() > FAILING_SHOWN) {
            dots.add(new Dot(State.FAILING, texts.get("dots.more", failing.size() - FAILING_SHOWN), ""));
        }
        for (Connection.Kind kind : Connection.Kind.values()) {
            List<Connection> ofKind = connections.stream().filter(c -> c.kind() == kind).toList();
            if (!ofKind.isEmpty() && ofKind.stream().noneMatch(failing::contains)) {
                dots.add(healthy(kind, ofKind, now, texts));
            }
        }
        return List.copyOf(dots);
    }

    /** All of it in one, for narrow windows. */
    public static Optional<Dot> summary(List<Connection> connections, Instant now, Texts texts) {
        if (connections.isEmpty()) {
            return Optional.empty();
        }
        long failing = connections.stream().filter(c -> c.state() == Connection.State.FAILING).count();
        if (failing > 0) {
            return Optional.of(new Dot(State.FAILING, texts.get("dots.some", failing, connections.size()), ""));
        }
        Dot all = healthy(connections.getFirst().kind(), connections, now, texts);
        String label = all.state() == State.READING
                ? texts.get("dots.reading")
                : texts.get("dots.connected", connections.size());
        return Optional.of(new Dot(all.state(), label, all.age()));
    }

    private static Dot failing(Connection c, Instant now, Texts texts) {
        String why = c.trouble().map(t -> texts.get("trouble." + t.kind().name().toLowerCase(Locale.ROOT))).orElse("");
        String age = c.since().map(s -> Ages.brief(Duration.between(s, now))).orElse("");
        return new Dot(State.FAILING, texts.get("dots.failing", c.name(), why), age);
    }

    private static Dot healthy(Connection.Kind kind, List<Connection> ofKind, Instant now, Texts texts) {
        String label = label(kind, ofKind.size(), texts);
        Optional<Connection> oldest =
                ofKind.stream().filter(c -> c.at().isPresent()).min(Comparator.comparing(c -> c.at().orElseThrow()));
        if (oldest.isEmpty()) {
            return new Dot(State.READING, label, "");
        }
        Duration age = Duration.between(oldest.get().at().orElseThrow(), now);
        boolean stale = age.compareTo(oldest.get().usualInterval().multipliedBy(2)) > 0;
        return new Dot(stale ? State.STALE : State.LIVE, label, Ages.brief(age));
    }

    private static String label(Connection.Kind kind, int count, Texts texts) {
        String name = texts.get("kind." + kind.name().toLowerCase(Locale.ROOT));
        return kind == Connection.Kind.SHELL && count > 1 ? texts.get("dots.hosts", name, count) : name;
    }
}
