package dev.pitwall.site;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TelemetryReport;

/**
 * A watched cluster. {@code start} begins the watches; after that {@link #current()} is always up to date.
 */
public interface ClusterLink extends AutoCloseable {

    /**
     * Starts watching.
     *
     * @param dirty called from any thread whenever {@link #current()} may have changed; must return at once
     */
    void start(Runnable dirty);

    /** The cluster as the watches have it. Cheap; never blocks. */
    Observed<ClusterReport> current();

    /** A Prometheus in this cluster, reached through the API server. */
    Probe<TelemetryReport> metrics(Endpoint endpoint);

    /** The DCGM exporters of this cluster, each asked through the API server: for clusters without Prometheus. */
    Probe<TelemetryReport> exporters();

    /** A model server in this cluster, reached through the API server. */
    Probe<ServerReport> server(String name, Endpoint endpoint);

    /** Asks again now whatever waits for its next try. */
    default void readAgain() {
    }

    /** Ends every watch and connection. */
    @Override
    void close();
}
