package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Helm.Order;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HelmChange.Revision;
import dev.pitwall.journey.change.HelmChange.Wanted;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Tree;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Installs, upgrades or uninstalls a Helm release. */
final class HelmMaking implements Making {
    private final HelmChange change;
    private final Helm helm;
    private final Cluster cluster;
    private final Patience patience;

    HelmMaking(HelmChange change, Helm helm, Cluster cluster, Patience patience) {
        this.change = change;
        this.helm = helm;
        this.cluster = cluster;
        this.patience = patience;
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        Optional<Release> now = now();
        if (isAfter(now)) {
            return Standing.AFTER;
        }
        return isBefore(now) ? Standing.BEFORE : new Standing.Other(change.target() + now.map(r -> " is at revision "
                + r.revision() + ", " + r.chart() + " " + r.chartVersion() + ", " + r.status()).orElse(" is gone"));
    }

    private Optional<Release> now() throws TroubleException, InterruptedException {
        return helm.releases().stream().filter(r -> r.namespace().equals(change.namespace())
                && r.name().equals(change.release()) && !r.status().equals("uninstalled")).findFirst();
    }

    private boolean isAfter(Optional<Release> now) throws TroubleException, InterruptedException {
        if (change.after().isEmpty()) {
            return now.isEmpty() && cleared();
        }
        Wanted wanted = change.after().get();
        return now.isPresent() && now.get().status().equals("deployed")
                && same(now.get(), wanted.chart(), wanted.version())
                && values(now.get().revision()).equals(all(wanted));
    }

    private boolean isBefore(Optional<Release> now) {
        if (change.before().isEmpty()) {
            return now.isEmpty();
        }
        Revision before = change.before().get();
        // An uninstall that was cut off after the release went still has its traces to clear.
        return change.after().isEmpty() && now.isEmpty()
                || now.filter(r -> same(r, before.chart(), before.version())).isPresent();
    }

    private static boolean same(Release release, String chart, String version) {
        return release.chart().equals(chart) && bare(release.chartVersion()).equals(bare(version));
    }

    private static String bare(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
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
                helm.uninstall(change.namespace(), change.release(), change.past(), change.limit(), line -> { });
            }
            clear();
            return "";
        }
        Wanted wanted = change.after().get();
        Order order = new Order(change.namespace(), change.release(), wanted.repository(), wanted.chart(),
                wanted.version(), all(wanted));
        if (now().isPresent()) {
            helm.upgrade(order, change.limit(), line -> { });
        } else {
            helm.install(order, change.limit(), line -> { });
        }
        return "revision " + now().map(Release::revision).orElse(0);
    }

    /** True if nothing is left of what came with the release. */
    private boolean cleared() throws TroubleException, InterruptedException {
        for (String definition : change.traces().definitions()) {
            if (cluster.get(ObjectRef.of(ObjectType.DEFINITION, definition)).isPresent()) {
                return false;
            }
        }
        for (JsonNode node : cluster.list(ObjectType.NODE, "", "")) {
            if (!labels(node).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private void clear() throws TroubleException, InterruptedException {
        for (String definition : change.traces().definitions()) {
            cluster.delete(ObjectRef.of(ObjectType.DEFINITION, definition));
        }
        for (JsonNode node : cluster.list(ObjectType.NODE, "", "")) {
            ObjectNode labels = labels(node);
            if (!labels.isEmpty()) {
                ObjectNode patch = JsonNodeFactory.instance.objectNode();
                patch.putObject("metadata").set("labels", labels);
                cluster.patch(ObjectRef.of(ObjectType.NODE, node.at("/metadata/name").asText()), patch,
                        node.at("/metadata/resourceVersion").asText(), Earnest.MAKE);
            }
        }
    }

    /** What has to be set on a node so that it has the labels of before: {@code null} for one that was not there. */
    private ObjectNode labels(JsonNode node) {
        SortedMap<String, String> before =
                change.traces().labels().getOrDefault(node.at("/metadata/name").asText(), Collections.emptySortedMap());
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        node.at("/metadata/labels").properties().forEach(label -> {
            if (change.traces().theirs(Map.entry(label.getKey(), label.getValue().asText()))
                    && !before.containsKey(label.getKey())) {
                patch.putNull(label.getKey());
            }
        });
        before.forEach((label, value) -> {
            if (!node.at("/metadata/labels").path(label).asText("").equals(value)) {
                patch.put(label, value);
            }
        });
        return patch;
    }
}
