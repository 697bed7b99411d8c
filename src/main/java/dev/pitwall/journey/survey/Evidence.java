package dev.pitwall.journey.survey;

import dev.pitwall.card.Source;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Makes the rows of "What we found" out of what one survey rests on: each with what was shown and the lines that
 * decide.
 */
public final class Evidence {
    /** A row marks at most so many lines ({@link Found}). */
    private static final int MOST_LINES = 5;
    private static final Predicate<String> NO_LINE = line -> false;

    private final String node;
    private final String vmid;
    private final Map<String, Shown> shown;

    private Evidence(String node, String vmid, Map<String, Shown> shown) {
        this.node = node;
        this.vmid = vmid;
        this.shown = shown;
    }

    /** Of a host. */
    public static Evidence of(HostSurvey survey) {
        return new Evidence(survey.host(), "", survey.shown());
    }

    /** Of a node's operating system. */
    public static Evidence of(ShellNode survey) {
        return new Evidence(survey.machine(), "", survey.shown());
    }

    /** Of a VM. */
    public static Evidence of(VmSurvey survey) {
        return new Evidence(survey.node(), String.valueOf(survey.vmid()), survey.shown());
    }

    /**
     * Of a datacenter.
     *
     * @param node   whose API was asked
     * @param survey empty where the node's datacenter could not be asked
     */
    public static Evidence of(String node, Optional<DatacenterSurvey> survey) {
        return new Evidence(node, "", survey.map(DatacenterSurvey::shown).orElse(Map.of()));
    }

    /** A row of which no single line decides. */
    public Found row(String name, String value, Mark mark, Showing what) {
        return row(name, value, mark, what, NO_LINE);
    }

    /** @param decides true for a line of the output that decides */
    public Found row(String name, String value, Mark mark, Showing what, Predicate<String> decides) {
        return shown(what.key()).map(s -> found(name, value, mark, s, decides))
                .orElseGet(() -> found(name, value, mark, unseen(what.usual(node, vmid)), decides));
    }

    /** A row that rests on something that was made of what was shown, for example a part of it. */
    public static Found found(String name, String value, Mark mark, Shown by, Predicate<String> decides) {
        List<String> lines = by.raw().lines().toList();
        List<Integer> deciding = IntStream.range(0, lines.size()).filter(i -> decides.test(lines.get(i)))
                .limit(MOST_LINES).mapToObj(i -> i + 1).toList();
        return new Found(name, value, mark, by.source(), by.at(), by.raw(), deciding);
    }

    /** @param name as {@link Showing} makes it; empty where it was not looked at */
    public Optional<Shown> shown(String name) {
        return Optional.ofNullable(shown.get(name));
    }

    /** For a fact whose reading was not kept: it is of the same moment as the others. */
    public Shown unseen(Source source) {
        return new Shown(source, at(), "", false);
    }

    /** When the last of it was shown. */
    public Instant at() {
        return shown.values().stream().map(Shown::at).max(Comparator.naturalOrder()).orElse(Instant.EPOCH);
    }
}
