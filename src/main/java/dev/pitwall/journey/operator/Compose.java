package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.survey.ClusterSurvey.Charts;
import java.util.Optional;

/**
 * What the values of a chart are composed from.
 *
 * @param cluster as the card sees it
 * @param chart   in the version that is to be there
 * @param release that is there already; what it was given is kept where nothing speaks against it
 * @param dead    what an operation of Helm that died has left of it, and is forgotten first
 */
record Compose(CardCluster cluster, Charts chart, Optional<Release> release, Optional<Release> dead, Settings settings,
               Sentences texts) {

    /** Values over what the release was given, and over the chart's defaults. */
    ChartValues values() {
        JsonNode given = release.flatMap(r -> cluster.survey().givenTo(r))
                .orElseGet(JsonNodeFactory.instance::objectNode);
        return new ChartValues(chart.file().values(), given);
    }

    /** True where what is merely better may be set too: a release that is there only gets what must differ. */
    boolean installs() {
        return release.isEmpty();
    }

    /** True if the release gets another version of its chart. */
    boolean upgrades() {
        return release.filter(r -> !VersionNumber.of(r.chartVersion())
                .equals(VersionNumber.of(chart.file().version()))).isPresent();
    }

    String say(String key, Object... arguments) {
        return texts.say(key, arguments);
    }
}
