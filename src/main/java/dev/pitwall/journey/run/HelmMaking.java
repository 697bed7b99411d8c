package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Helm.Order;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HelmChange.Past;
import dev.pitwall.journey.change.HelmChange.Revision;
import dev.pitwall.journey.change.HelmChange.Wanted;
import dev.pitwall.journey.change.Tree;
import java.util.List;
import java.util.Optional;

/**
 * Installs, upgrades or uninstalls a Helm release. Helm notes an operation in the cluster before it begins (but for the
 * definitions of a chart, which come even before that) and again when it ends, so what a run that died has left can be
 * told from what was there: it is newer than the revision that the mark names.
 */
final class HelmMaking implements Making {
    private final HelmChange change;
    private final Helm helm;
    private final List<String> repositories;
    private final HelmTraces traces;

    /** @param repositories where the chart of a release is looked for that somebody else has installed, and comes back */
    HelmMaking(HelmChange change, Helm helm, Cluster cluster, List<String> repositories, Patience patience) {
        this.change = change;
        this.helm = helm;
        this.repositories = List.copyOf(repositories);
        this.traces = new HelmTraces(change, cluster, patience);
    }

    /** The newest revision before, in whatever state, but for one that died: what this change makes takes its number. */
    @Override
    public Optional<String> mark() throws TroubleException, InterruptedException {
        Optional<Release> newest = newest();
        return Optional.of(Integer.toString(newest.map(Release::revision).orElse(0) - (newest.filter(this::isDead)
                .isPresent() ? 1 : 0)));
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        Optional<Release> now = now();
        if (isAfter(now)) {
            return Standing.AFTER;
        }
        if (mark.isPresent() && isHalf(now, Integer.parseInt(mark.get()))) {
            return new Standing.Half();
        }
        if (!isBefore(now)) {
            return new Standing.Other(change.target() + now.map(HelmMaking::words).orElse(" is gone"));
        }
        Optional<String> hindrance = mark.isPresent() ? Optional.empty() : hindrance();
        return hindrance.<Standing>map(Standing.Other::new).orElse(Standing.BEFORE);
    }

    private static String words(Release now) {
        return now.pending() ? ": another operation of Helm has not ended, revision " + now.revision() + " is "
                + now.status() + " since " + now.updated()
                : " is at revision " + now.revision() + ", " + now.chart() + " " + now.chartVersion() + ", " + now.status();
    }

    private Optional<Release> newest() throws TroubleException, InterruptedException {
        return helm.releases().stream().filter(r -> r.namespace().equals(change.namespace())
                && r.name().equals(change.release())).findFirst();
    }

    private Optional<Release> now() throws TroubleException, InterruptedException {
        return newest().filter(r -> !r.status().equals("uninstalled"));
    }

    private boolean isAfter(Optional<Release> now) throws TroubleException, InterruptedException {
        if (change.after().isEmpty()) {
            return now.isEmpty() && traces.cleared();
        }
        Wanted wanted = change.after().get();
        return now.isPresent() && now.get().status().equals("deployed")
                && same(now.get(), wanted.chart(), wanted.version())
                && equal(values(now.get().revision()), all(wanted));
    }

    private boolean isBefore(Optional<Release> now) {
        if (now.filter(this::isDead).isPresent()) {
            return true;
        }
        if (change.before().isEmpty()) {
            return now.isEmpty() || comesBack(now.get());
        }
        Revision before = change.before().get();
        // An uninstall that was cut off after the release went still has its traces to clear.
        return change.after().isEmpty() && now.isEmpty()
                || now.filter(r -> same(r, before.chart(), before.version()) && !busy(r, before)).isPresent();
    }

    /** What the operation that died has left, as it was shown. */
    private boolean isDead(Release now) {
        return change.dead().filter(d -> d.number() == now.revision() && d.status().equals(now.status())).isPresent();
    }

    /** The revision that an undo brings a release back from, when that was begun and Helm had not begun. */
    private boolean comesBack(Release now) {
        return now.status().equals("superseded")
                && change.after().flatMap(Wanted::base).filter(base -> base == now.revision()).isPresent();
    }

    /** What is to go may be pending; so may be what was left by the very revision that is to be taken back. */
    private boolean busy(Release now, Revision before) {
        return now.pending() && change.after().isPresent() && now.revision() != before.number();
    }

    /** Something newer than the mark that is what this change makes, and has not come to its end. */
    private boolean isHalf(Optional<Release> now, int marked) throws TroubleException, InterruptedException {
        if (change.after().isEmpty()) {
            return false;
        }
        Wanted wanted = change.after().get();
        return now.isPresent() ? now.get().revision() > marked && !now.get().status().equals("deployed")
                && same(now.get(), wanted.chart(), wanted.version())
                : change.before().isEmpty() && !traces.definitionsThere().isEmpty();
    }

    /** Why it must not be made although the release is as it was; one sentence that begins with the place. */
    private Optional<String> hindrance() throws TroubleException, InterruptedException {
        if (change.after().isEmpty()) {
            return traces.keptByOthers();
        }
        if (change.before().isEmpty() && !traces.definitionsThere().isEmpty()) {
            return Optional.of(traces.definitionsThere().getFirst() + " is there now, and was not before");
        }
        Wanted wanted = change.after().get();
        try {
            repository(wanted);
            return Optional.empty();
        } catch (TroubleException unavailable) {
            // No connection to wait for: the cluster is there, and it is the chart that is not to be had.
            return Optional.of(unavailable.trouble().sentence());
        }
    }

    /** A repository that has the chart. */
    private String repository(Wanted wanted) throws TroubleException, InterruptedException {
        List<String> all = wanted.repository().isEmpty() ? repositories : List.of(wanted.repository());
        Optional<TroubleException> refusal = Optional.empty();
        for (String repository : all) {
            try {
                helm.chart(repository, wanted.chart(), wanted.version());
                return repository;
            } catch (TroubleException e) {
                refusal = refusal.or(() -> Optional.of(e));
            }
        }
        throw refusal.orElseThrow(() -> Refusal.missing(change.target(), "no repository of its chart is known",
                "Install it again by hand."));
    }

    private static boolean same(Release release, String chart, String version) {
        return release.chart().equals(chart) && bare(release.chartVersion()).equals(bare(version));
    }

    private static String bare(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    /** Numbers that were written down and read again are of another sort, and the same. */
    private static boolean equal(JsonNode one, JsonNode other) {
        return Tree.holds(one, other) && Tree.holds(other, one);
    }

    private JsonNode values(int revision) throws TroubleException, InterruptedException {
        return helm.values(change.namespace(), change.release(), revision)
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    /** The values of the revision that is built on, with the wanted ones over them. */
    private JsonNode all(Wanted wanted) throws TroubleException, InterruptedException {
        if (wanted.base().isEmpty()) {
            return wanted.values();
        }
        int base = wanted.base().get();
        return Tree.over(helm.values(change.namespace(), change.release(), base).orElseThrow(() -> Refusal.missing(
                change.target(), "Helm no longer keeps revision " + base, "Give its values to Helm by hand.")),
                wanted.values());
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        if (change.after().isEmpty()) {
            if (now().isPresent()) {
                uninstall(change.past());
            }
            traces.clear();
            return "";
        }
        Wanted wanted = change.after().get();
        Order order = new Order(change.namespace(), change.release(), repository(wanted), wanted.chart(),
                wanted.version(), all(wanted));
        putAwayHalf(wanted);
        if (now().isPresent() || change.before().isPresent() || wanted.base().isPresent()) {
            helm.upgrade(order, change.limit(), line -> { });
        } else {
            helm.install(order, change.limit(), line -> { });
        }
        return "revision " + now().map(Release::revision).orElse(0);
    }

    /** What a Helm that died has left: of an installation nothing is worth keeping, of an upgrade all but its last revision. */
    private void putAwayHalf(Wanted wanted) throws TroubleException, InterruptedException {
        Optional<Release> now = now();
        if (now.isPresent() && change.before().isEmpty() && wanted.base().isEmpty()) {
            uninstall(Past.FORGOTTEN);
        } else if (now.filter(r -> r.pending() || isDead(r)).isPresent()) {
            helm.abandon(change.namespace(), change.release(), now.get().revision());
        }
    }

    private void uninstall(Past past) throws TroubleException, InterruptedException {
        helm.uninstall(change.namespace(), change.release(), past, change.limit(), line -> { });
    }
}
