package dev.pitwall.journey.operator;

import dev.pitwall.journey.Helm.Release;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.ChartWishes;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.StackNames;
import dev.pitwall.site.Supply;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which chart the operator step installs for a card: that of the stack that is chosen, in the version that fits. */
public final class OperatorCharts implements ChartWishes {
    static final String VERSION_KEY = "operator-version";

    private final Situation situation;
    private final OperatorVersions versions = new OperatorVersions();

    /** @param situation what is known of the card without the cluster */
    public OperatorCharts(Situation situation) {
        this.situation = situation;
    }

    @Override
    public List<Chart> charts(ClusterSurvey seen) {
        return switch (Stack.of(situation, seen)) {
            case OPERATOR -> List.of(new Chart(Supply.OPERATOR_CHARTS, StackNames.OPERATOR));
            case DEVICE_PLUGIN -> List.of(new Chart(Supply.DEVICE_PLUGIN_CHARTS, StackNames.DEVICE_PLUGIN));
        };
    }

    /**
     * The chosen version, else the one that is installed where nothing speaks against it, else the newest that fits, else
     * the newest: then the step says what speaks against it.
     */
    @Override
    public Optional<String> version(ClusterSurvey seen, Chart chart, List<String> all) {
        Optional<String> chosen = situation.choices().get(VERSION_KEY).flatMap(wish -> same(all, wish));
        if (chosen.isPresent()) {
            return chosen;
        }
        Optional<String> installed = seen.counting(chart.name()).stream().map(Release::chartVersion).findFirst()
                .flatMap(version -> same(all, version));
        if (chart.supply() != Supply.OPERATOR_CHARTS) {
            return installed.or(() -> newest(all));
        }
        ClusterNeeds needs = ClusterNeeds.of(situation, seen, DriverSource.of(situation, seen) == DriverSource.OPERATOR);
        return installed.filter(version -> versions.objection(version, needs).isEmpty())
                .or(() -> versions.best(all, needs)).or(() -> newest(all));
    }

    private static Optional<String> newest(List<String> versions) {
        return versions.stream().max(Comparator.comparing(VersionNumber::of));
    }

    /** As the repository writes it: with or without the v in front. */
    private static Optional<String> same(List<String> versions, String wish) {
        return versions.stream().filter(v -> VersionNumber.of(v).equals(VersionNumber.of(wish))).findFirst();
    }
}
