package dev.pitwall.journey.survey;

import dev.pitwall.site.Supply;
import java.util.List;
import java.util.Optional;

/** Which charts are looked up in their repositories, and of which version: the steps that install them know. */
public interface ChartWishes {

    /** Nothing is looked up. */
    ChartWishes NONE = new ChartWishes() {
        @Override
        public List<Chart> charts(ClusterSurvey seen) {
            return List.of();
        }

        @Override
        public Optional<String> version(ClusterSurvey seen, Chart chart, List<String> versions) {
            return Optional.empty();
        }
    };

    /** @param name for example {@code gpu-operator} */
    record Chart(Supply supply, String name) {
    }

    /** @param seen the cluster, without charts */
    List<Chart> charts(ClusterSurvey seen);

    /**
     * The version that would be installed.
     *
     * @param versions that the repository has, newest first
     * @return empty if none of them fits
     */
    Optional<String> version(ClusterSurvey seen, Chart chart, List<String> versions);
}
