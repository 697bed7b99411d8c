package dev.pitwall.site;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.SiteFacts;
import java.util.Map;
import java.util.Optional;

/** A site that is connected. Closing it leaves no thread, socket or watch behind. */
public interface LiveSite extends AutoCloseable {

    Site site();

    /** The latest view; cheap, never blocks. */
    SiteView view();

    /** The names of the cluster's nodes by their SMBIOS UUIDs, in both byte orders and lower case; cheap. */
    Map<String, String> nodes();

    /** The cluster as it is watched; empty for a site without one; cheap. */
    default Optional<Observed<ClusterReport>> cluster() {
        return Optional.empty();
    }

    /** Everything known of the site now; empty where nobody keeps it; cheap. */
    default Optional<SiteFacts> facts() {
        return Optional.empty();
    }

    /** Where its model servers are now, named and found, by name; cheap. */
    default Map<String, Endpoint> modelServers() {
        return Map.of();
    }

    /** Asks every source again now, those that wait for their next try included. */
    void readAgain();

    /** Asks one source again now. */
    void readAgain(Connection.Kind kind, String name);

    @Override
    void close();
}
