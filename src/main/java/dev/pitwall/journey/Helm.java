package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.HelmChange.Past;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Real Helm on a site's cluster, and chart repositories. Thread-safe. */
public interface Helm extends AutoCloseable {

    /** The releases of the cluster, each by its newest revision, in whatever state. */
    List<Release> releases() throws TroubleException, InterruptedException;

    /** The revisions of a release that Helm still keeps, newest first. */
    List<Release> history(String namespace, String release) throws TroubleException, InterruptedException;

    /**
     * What a person has given to a revision of a release, as a tree; it may hold secrets and is never written down.
     *
     * @return empty if Helm no longer keeps this revision
     */
    Optional<JsonNode> values(String namespace, String release, int revision)
            throws TroubleException, InterruptedException;

    /**
     * The versions of a chart in a repository, newest first, without pre-releases.
     *
     * @throws TroubleException if the repository is not reached, or does not have the chart
     */
    List<String> versions(String repository, String chart) throws TroubleException, InterruptedException;

    /** A chart as its repository has it. */
    ChartFile chart(String repository, String chart, String version) throws TroubleException, InterruptedException;

    /**
     * The objects that a chart makes of values, as the cluster would be asked for them.
     *
     * @throws TroubleException with what the chart itself refuses
     */
    List<JsonNode> template(Order order) throws TroubleException, InterruptedException;

    /**
     * Installs a release that is not there. It does not wait for pods.
     *
     * @param lines what Helm says meanwhile
     */
    void install(Order order, Duration limit, Consumer<String> lines) throws TroubleException, InterruptedException;

    /**
     * Upgrades a release that is there, or brings one back that was uninstalled with its past kept. Its values are those
     * of the order and no others.
     */
    void upgrade(Order order, Duration limit, Consumer<String> lines) throws TroubleException, InterruptedException;

    /**
     * Removes a release.
     *
     * @param past whether its revisions stay in the cluster, so that {@link #upgrade} can bring it back
     */
    void uninstall(String namespace, String release, Past past, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException;

    /** Forgets a revision that an operation which died has left pending: the one before it counts again. */
    void abandon(String namespace, String release, int revision) throws TroubleException, InterruptedException;

    /** @param values all that is given to the chart, over its defaults */
    record Order(String namespace, String release, String repository, String chart, String version, JsonNode values) {
    }

    /**
     * A release.
     *
     * @param status for example {@code deployed} or {@code pending-upgrade}
     * @param chart  name of the chart
     */
    record Release(String namespace, String name, int revision, String status, String chart, String chartVersion,
                   String appVersion, Instant updated) {

        /** True while another operation of Helm has not ended, or has died: Helm refuses the next one. */
        public boolean pending() {
            return status.startsWith("pending-") || status.equals("uninstalling");
        }
    }

    /**
     * A chart.
     *
     * @param values      its defaults, with those of its subcharts
     * @param definitions names of the custom resource definitions in its {@code crds/} folders, subcharts included
     */
    record ChartFile(String name, String version, String appVersion, JsonNode values, List<String> definitions) {
        public ChartFile {
            definitions = List.copyOf(definitions);
        }
    }

    @Override
    void close();
}
