package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HelmChange.Dead;
import dev.pitwall.journey.change.HelmChange.Revision;
import dev.pitwall.journey.change.HelmChange.Traces;
import dev.pitwall.journey.change.HelmChange.Wanted;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The release as it shall be, and how it comes to that. */
record StackRelease(Compose compose, ChartValues values, String namespace) {

    /** Empty if the release is as it shall be. */
    Optional<HelmChange> change() {
        Optional<HelmChange> change = compose.release().isEmpty() ? Optional.of(install())
                : upgrade(compose.release().get());
        return compose.dead().isEmpty() ? change : change.map(c -> c.over(new Dead(compose.dead().get().revision(),
                compose.dead().get().status())));
    }

    private HelmChange install() {
        Settings.Times times = compose.settings().times().get("install");
        String name = compose.dead().map(Release::name).orElse(compose.chart().file().name());
        return new HelmChange(survey().name(), namespace, name, Optional.empty(), Optional.of(wanted(Optional.empty())),
                values.lines(), traces(), times.takes(), times.limit());
    }

    private Optional<HelmChange> upgrade(Release is) {
        boolean asWanted = values.lines().isEmpty() && !compose.upgrades() && is.status().equals("deployed")
                && compose.dead().isEmpty();
        Settings.Times times = compose.settings().times().get("upgrade");
        return asWanted ? Optional.empty() : Optional.of(new HelmChange(survey().name(), is.namespace(), is.name(),
                Optional.of(new Revision(is.revision(), is.chart(), is.chartVersion())),
                Optional.of(wanted(Optional.of(is.revision()))), values.lines(), Traces.NONE, times.takes(), times.limit()));
    }

    private Wanted wanted(Optional<Integer> base) {
        return new Wanted(compose.chart().file().name(), compose.chart().file().version(), compose.chart().repository(),
                base, values.wanted());
    }

    /** What the charts' programs leave on nodes and in the API: undo puts it back to this. */
    private Traces traces() {
        Settings.Labels written = compose.settings().labels();
        List<String> prefixes = new ArrayList<>(List.of(written.operator()));
        List<String> prefixed = new ArrayList<>(List.of(written.operator()));
        boolean ownDiscovery = values.now("nfd.enabled").asBoolean(true)
                && compose.cluster().otherDiscovery("").isEmpty();
        if (ownDiscovery) {
            prefixes.add(written.features());
            prefixed.add(written.discovery());
        }
        return new Traces(newDefinitions(), onNodes("labels", prefixes), onNodes("annotations", prefixed), prefixes, prefixed);
    }

    private SortedMap<String, SortedMap<String, String>> onNodes(String what, List<String> prefixes) {
        SortedMap<String, SortedMap<String, String>> all = new TreeMap<>();
        for (JsonNode node : compose.cluster().nodes()) {
            SortedMap<String, String> own = new TreeMap<>();
            node.path("metadata").path(what).properties().stream()
                    .filter(l -> prefixes.stream().anyMatch(l.getKey()::startsWith))
                    .forEach(l -> own.put(l.getKey(), l.getValue().asText()));
            if (!own.isEmpty()) {
                all.put(CardCluster.name(node), own);
            }
        }
        return all;
    }

    /** Definitions that the chart brings; empty also where nobody may see which are there. */
    private List<String> newDefinitions() {
        return knowsDefinitions() ? compose.chart().file().definitions().stream()
                .filter(name -> !survey().defines(name)).sorted().toList() : List.of();
    }

    boolean knowsDefinitions() {
        return survey().objects().containsKey(ObjectType.DEFINITION);
    }

    private ClusterSurvey survey() {
        return compose.cluster().survey();
    }

    /** The sections of the chart that would be changed, for example {@code driver}. */
    boolean touches(String section) {
        return values.lines().stream().map(HelmChange.ValueLine::path).anyMatch(p -> p.startsWith(section + "."));
    }
}
