package dev.pitwall.journey.change;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A Helm release is installed, gets another chart or other values, or goes. Values that a person has given to the
 * release may hold secrets, so a release that is there is named by its revision: its values stay in the cluster, in
 * the Secret that Helm keeps of every revision, and are read from there.
 *
 * @param cluster   the cluster in the site
 * @param before    the release as it is; empty where there is none
 * @param after     the release as it will be; empty where it goes
 * @param lines     what differs for the chart, value by value, to be shown
 * @param traces    what else of the cluster is as it is before the release is made: when it goes, that is restored.
 *                  NONE for a release that goes and may come back, as its definitions then stay
 * @param past      what becomes of its revisions if it goes: kept, so that undo can bring it back with the values that
 *                  it had, or forgotten, where it goes because it was not there before
 * @param dead      a revision that an operation of Helm which died has left: it is forgotten first, and no undo brings it
 *                  back. {@code before} is the one that counts without it
 * @param takes     how long it usually takes until Helm is done
 * @param limit     how long it may take
 */
public record HelmChange(String cluster, String namespace, String release, Optional<Revision> before,
                         Optional<Wanted> after, List<ValueLine> lines, Traces traces, Past past, Optional<Dead> dead,
                         Duration takes, Duration limit) implements Change {

    /** What becomes of the revisions of a release that goes: they hold the values that were given to it. */
    public enum Past { KEPT, FORGOTTEN }

    /** A release that is made or changed, or goes so that it can come back. */
    public HelmChange(String cluster, String namespace, String release, Optional<Revision> before, Optional<Wanted> after,
                      List<ValueLine> lines, Traces traces, Duration takes, Duration limit) {
        this(cluster, namespace, release, before, after, lines, traces, Past.KEPT, takes, limit);
    }

    /** Where no operation has died. */
    public HelmChange(String cluster, String namespace, String release, Optional<Revision> before, Optional<Wanted> after,
                      List<ValueLine> lines, Traces traces, Past past, Duration takes, Duration limit) {
        this(cluster, namespace, release, before, after, lines, traces, past, Optional.empty(), takes, limit);
    }

    /** The same, once what an operation which died has left is forgotten. */
    public HelmChange over(Dead left) {
        return new HelmChange(cluster, namespace, release, before, after, lines, traces, past, Optional.of(left), takes,
                limit);
    }

    /**
     * A release as Helm keeps it.
     *
     * @param number  from 1 up
     * @param version of the chart
     */
    public record Revision(int number, String chart, String version) {
    }

    /**
     * What an operation that died has left.
     *
     * @param number the newest revision
     * @param status for example {@code pending-upgrade}
     */
    public record Dead(int number, String status) {
    }

    /**
     * A release as it shall be.
     *
     * @param repository address of the chart's repository
     * @param version    of the chart, exact
     * @param base       the revision over whose values {@code values} are laid; empty for the chart's own defaults
     * @param values     no secret
     */
    public record Wanted(String chart, String version, String repository, Optional<Integer> base, JsonNode values) {
    }

    /**
     * One value.
     *
     * @param path   for example {@code driver.version}
     * @param was    what the release has; empty where it has the chart's default or there is no release
     * @param usual  the chart's default; empty where the chart has none
     * @param value  as it will be
     * @param reason one sentence
     */
    public record ValueLine(String path, Optional<String> was, Optional<String> usual, String value, String reason) {
    }

    /**
     * What a chart and those whom it starts leave behind when the release goes, as far as it was there before.
     *
     * @param definitions names of custom resource definitions that were not there
     * @param labels      by node, the labels that were there of those that the chart's programs write
     * @param annotations the same of annotations; empty also in the journal of a Pitwall that did not clear them, which is
     *                    told by {@code prefixed} being empty
     * @param prefixes    of such labels, for example {@code feature.node.kubernetes.io/}
     * @param prefixed    of such annotations, for example {@code nfd.node.kubernetes.io/}
     */
    public record Traces(List<String> definitions, SortedMap<String, SortedMap<String, String>> labels,
                         SortedMap<String, SortedMap<String, String>> annotations, List<String> prefixes,
                         List<String> prefixed) {
        public static final Traces NONE = new Traces(List.of(), new TreeMap<>(), List.of());

        /** Of programs that annotate nothing. */
        public Traces(List<String> definitions, SortedMap<String, SortedMap<String, String>> labels, List<String> prefixes) {
            this(definitions, labels, new TreeMap<>(), prefixes, List.of());
        }

        public Traces {
            definitions = List.copyOf(definitions);
            labels = copy(labels);
            prefixes = List.copyOf(prefixes);
            // What a journal of an older Pitwall does not say.
            annotations = annotations == null ? new TreeMap<>() : copy(annotations);
            prefixed = prefixed == null ? List.of() : List.copyOf(prefixed);
        }

        private static SortedMap<String, SortedMap<String, String>> copy(SortedMap<String, SortedMap<String, String>> all) {
            SortedMap<String, SortedMap<String, String>> copy = new TreeMap<>();
            all.forEach((node, own) -> copy.put(node, Collections.unmodifiableSortedMap(new TreeMap<>(own))));
            return Collections.unmodifiableSortedMap(copy);
        }
    }

    public HelmChange {
        lines = List.copyOf(lines);
        // What a journal of an older Pitwall does not say.
        dead = dead == null ? Optional.empty() : dead;
        if (before.isEmpty() && after.isEmpty()) {
            throw new IllegalArgumentException("changes nothing: " + release);
        }
    }

    @Override
    public String system() {
        return cluster;
    }

    @Override
    public String target() {
        return "release " + release + " in " + namespace;
    }

    @Override
    public String summary() {
        String is = before.map(b -> b.chart() + " " + b.version()).orElse("");
        String first = dead.map(d -> "forget revision " + d.number() + " (" + d.status() + "), then ").orElse("");
        return first + after.map(a -> before.isEmpty() ? "install " + a.chart() + " " + a.version()
                : bare(is).equals(bare(a.chart() + " " + a.version()))
                ? (dead.isPresent() && lines.isEmpty() ? "apply " + is + " again" : "other values for " + is)
                : "from " + is + " to " + a.chart() + " " + a.version()).orElse("uninstall " + is);
    }

    /** A version is the same with and without the v in front. */
    private static String bare(String chart) {
        return chart.replaceFirst(" v(?=\\d)", " ");
    }

    @Override
    public Risk risk() {
        return before.isEmpty() ? Risk.NONE : Risk.RESTARTS_PODS;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of((after.isEmpty() ? "installs it again with the values it had"
                : before.isEmpty() ? "uninstalls it, with its definitions and the labels that came with it"
                : "goes back to revision " + before.get().number())
                + dead.map(d -> "; revision " + d.number() + " stays forgotten").orElse(""));
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(takes);
    }

    /**
     * What is typed to put away what an operation that died has left; empty where none has. Of an installation all goes, of
     * an upgrade no more than Helm's note of it.
     */
    public Optional<List<String>> forgetting() {
        return dead.map(d -> before.isEmpty() ? List.of("helm", "uninstall", release, "-n", namespace)
                : List.of("kubectl", "-n", namespace, "delete", "secret", "sh.helm.release.v1." + release + ".v" + d.number()));
    }

    /** The values that differ, as they are now, one a line. */
    public String textBefore() {
        return lines.stream().map(l -> l.was().map(was -> l.path() + ": " + was + "\n")
                .orElseGet(() -> l.usual().map(usual -> l.path() + ": " + usual + "  # default of the chart\n").orElse("")))
                .collect(Collectors.joining());
    }

    /** The values that differ, as they will be, each with its reason. */
    public String textAfter() {
        return lines.stream().map(l -> l.path() + ": " + l.value() + "  # " + l.reason() + "\n")
                .collect(Collectors.joining());
    }

    /**
     * This change and a later one of the same release as one.
     *
     * @return empty if the later one takes this one back
     */
    public Optional<HelmChange> with(HelmChange later) {
        return before.isEmpty() && later.after().isEmpty() ? Optional.empty()
                : Optional.of(new HelmChange(cluster, namespace, release, before, later.after(), later.lines(), traces,
                        later.past(), dead, later.takes(), later.limit()));
    }

    /** The change that takes this one back; what is uninstalled by this change is installed again from its repository. */
    public HelmChange inverse(String repository) {
        Optional<Revision> left = after.map(a -> new Revision(before.map(b -> b.number() + 1).orElse(1), a.chart(),
                a.version()));
        Optional<Wanted> back = before.map(b -> new Wanted(b.chart(), b.version(), repository,
                Optional.of(b.number()), JsonNodeFactory.instance.objectNode()));
        return new HelmChange(cluster, namespace, release, left, back, List.of(), traces,
                before.isEmpty() ? Past.FORGOTTEN : Past.KEPT, takes, limit);
    }
}
